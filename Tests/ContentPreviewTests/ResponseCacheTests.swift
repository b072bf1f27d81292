import ContentModel
import Synchronization
import TestServers
import Testing

@testable import ContentPreview

/// Answers that take their time.
@Suite struct ResponseCacheTests {
  @Test func computesEachAnswerOnce() throws {
    let kept = ResponseCache(
      PreviewContent(SmallContent.source(), Rebuilder(SmallContent.source()) { _ in }))
    var computed: [String] = []
    for path in ["/api/x?a=1&b=2", "/api/x?b=2&a=1", "/api/x?a=1", "/api/x?a=1&b=2"] {
      let response = try kept.response("x", try Self.request(path)) { _ in
        computed.append(path)
        return ["path": .string(path)]
      }
      guard case .bytes(let bytes) = response.body else { throw Problem("no bytes") }
      let first = path.contains("b") ? "/api/x?a=1&b=2" : path
      #expect(String(decoding: bytes, as: UTF8.self) == "{\"path\":\"\(first)\"}\n")
    }
    #expect(computed == ["/api/x?a=1&b=2", "/api/x?a=1"])
    _ = try kept.response("y", try Self.request("/api/y?a=1")) { _ in
      computed.append("y")
      return [:]
    }
    kept.forget()
    _ = try kept.response("x", try Self.request("/api/x?a=1")) { _ in
      computed.append("again")
      return [:]
    }
    #expect(computed.suffix(2) == ["y", "again"])
  }

  @Test func keepsNoRefusal() throws {
    let kept = ResponseCache(
      PreviewContent(SmallContent.source(), Rebuilder(SmallContent.source()) { _ in }))
    for _ in 0..<2 {
      #expect(throws: RequestError.self) {
        try kept.response("x", try Self.request("/api/x")) { _ throws(RequestError) in
          throw .nothingHere
        }
      }
    }
    let response = try kept.response("x", try Self.request("/api/x")) { _ in [:] }
    #expect(response.status == .ok)
  }

  @Test(arguments: ["coverage", "fallbacks", "schedule"])
  func answersAnewOnceTheContentIsAnother(name: String) async throws {
    let generations = Atomic(0)
    let reads = Atomic(0)
    let source = SmallContent.source { reads.add(1, ordering: .relaxed) }
    let rebuilder = Rebuilder(source) { generations.store($0.generation, ordering: .relaxed) }
    let router = PreviewRouter(source, rebuilder, HostPolicy())
    var told: [String] = []
    for round in 1...2 {
      rebuilder.request(.anything)
      while generations.load(ordering: .relaxed) < round {
        try await Task.sleep(for: .milliseconds(2))
      }
      for _ in 0..<3 {
        let response = await router.response(
          to: try Self.request("/api/\(name)"), host: "localhost", own: nil)
        guard case .bytes(let bytes) = response.body else { throw Problem("no bytes") }
        told.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    #expect(
      Set(told).count == 2 && told[0].contains("\"generation\":1")
        && told[5].contains("\"generation\":2"))
    #expect(reads.load(ordering: .relaxed) == 2)
    rebuilder.stop()
  }

  private static func request(_ path: String) throws -> PreviewRequest {
    PreviewRequest(isHead: false, target: try RequestTarget(path), fields: [:])
  }
}
