import ContentModel
import Synchronization
import TestServers
import Testing

@testable import ContentPreview

/// The cache of slow responses.
@Suite struct ResponseCacheTests {
  @Test func computesEachResponseOnce() throws {
    let cache = ResponseCache(
      PreviewContent(SmallContent.source(), rebuilder: Rebuilder(SmallContent.source()) { _ in }))
    var computed: [String] = []
    for path in ["/api/x?a=1&b=2", "/api/x?b=2&a=1", "/api/x?a=1", "/api/x?a=1&b=2"] {
      let response = try cache.response(named: "x", to: try Self.request(path)) { _ in
        computed.append(path)
        return ["path": .string(path)]
      }
      guard case .bytes(let bytes) = response.body else { throw Problem("no bytes") }
      let first = path.contains("b") ? "/api/x?a=1&b=2" : path
      #expect(String(decoding: bytes, as: UTF8.self) == "{\"path\":\"\(first)\"}\n")
    }
    #expect(computed == ["/api/x?a=1&b=2", "/api/x?a=1"])
    _ = try cache.response(named: "y", to: try Self.request("/api/y?a=1")) { _ in
      computed.append("y")
      return [:]
    }
    cache.removeAll()
    _ = try cache.response(named: "x", to: try Self.request("/api/x?a=1")) { _ in
      computed.append("again")
      return [:]
    }
    #expect(computed.suffix(2) == ["y", "again"])
  }

  @Test func doesNotCacheErrors() throws {
    let cache = ResponseCache(
      PreviewContent(SmallContent.source(), rebuilder: Rebuilder(SmallContent.source()) { _ in }))
    for _ in 0..<2 {
      #expect(throws: RequestError.self) {
        try cache.response(named: "x", to: try Self.request("/api/x")) { _ throws(RequestError) in
          throw .notFound
        }
      }
    }
    let response = try cache.response(named: "x", to: try Self.request("/api/x")) { _ in [:] }
    #expect(response.status == .ok)
  }

  @Test(arguments: ["coverage", "fallbacks", "schedule"])
  func computesResponsesAgainAfterAChange(name: String) async throws {
    let generations = Atomic(0)
    let reads = Atomic(0)
    let source = SmallContent.source { reads.add(1, ordering: .relaxed) }
    let rebuilder = Rebuilder(source) { generations.store($0.generation, ordering: .relaxed) }
    let router = PreviewRouter(source, rebuilder: rebuilder, hosts: HostPolicy())
    var bodies: [String] = []
    for round in 1...2 {
      rebuilder.request(.anything)
      while generations.load(ordering: .relaxed) < round {
        try await Task.sleep(for: .milliseconds(2))
      }
      for _ in 0..<3 {
        let response = await router.response(
          to: try Self.request("/api/\(name)"), host: "localhost", localAddress: nil)
        guard case .bytes(let bytes) = response.body else { throw Problem("no bytes") }
        bodies.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    #expect(
      Set(bodies).count == 2 && bodies[0].contains("\"generation\":1")
        && bodies[5].contains("\"generation\":2"))
    #expect(reads.load(ordering: .relaxed) == 2)
    rebuilder.stop()
  }

  private static func request(_ path: String) throws -> PreviewRequest {
    PreviewRequest(isHead: false, target: try RequestTarget(path))
  }
}
