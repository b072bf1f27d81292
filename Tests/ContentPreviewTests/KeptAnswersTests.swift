import ContentModel
import Synchronization
import TestServers
import Testing

@testable import ContentPreview

/// Answers that take their time.
@Suite struct KeptAnswersTests {
  @Test func computesEachAnswerOnce() throws {
    let kept = KeptAnswers(
      PreviewContent(SmallContent.source(), Rebuilder(SmallContent.source()) { _ in }))
    var computed: [String] = []
    for path in ["/api/x?a=1&b=2", "/api/x?b=2&a=1", "/api/x?a=1", "/api/x?a=1&b=2"] {
      let answer = try kept.answer("x", try Self.question(path)) { _ in
        computed.append(path)
        return ["path": .string(path)]
      }
      guard case .bytes(let bytes) = answer.body else { throw Problem("no bytes") }
      let first = path.contains("b") ? "/api/x?a=1&b=2" : path
      #expect(String(decoding: bytes, as: UTF8.self) == "{\"path\":\"\(first)\"}\n")
    }
    #expect(computed == ["/api/x?a=1&b=2", "/api/x?a=1"])
    _ = try kept.answer("y", try Self.question("/api/y?a=1")) { _ in
      computed.append("y")
      return [:]
    }
    kept.forget()
    _ = try kept.answer("x", try Self.question("/api/x?a=1")) { _ in
      computed.append("again")
      return [:]
    }
    #expect(computed.suffix(2) == ["y", "again"])
  }

  @Test func keepsNoRefusal() throws {
    let kept = KeptAnswers(
      PreviewContent(SmallContent.source(), Rebuilder(SmallContent.source()) { _ in }))
    for _ in 0..<2 {
      #expect(throws: Refusal.self) {
        try kept.answer("x", try Self.question("/api/x")) { _ throws(Refusal) in throw .nothingHere
        }
      }
    }
    let answer = try kept.answer("x", try Self.question("/api/x")) { _ in [:] }
    #expect(answer.status == .ok)
  }

  @Test(arguments: ["coverage", "fallbacks", "schedule"])
  func answersAnewOnceTheContentIsAnother(name: String) async throws {
    let generations = Atomic(0)
    let reads = Atomic(0)
    let source = SmallContent.source { reads.add(1, ordering: .relaxed) }
    let rebuilder = Rebuilder(source) { generations.store($0.generation, ordering: .relaxed) }
    let answers = Answers(source, rebuilder, HostPolicy())
    var told: [String] = []
    for turn in 1...2 {
      rebuilder.request(.anything)
      while generations.load(ordering: .relaxed) < turn {
        try await Task.sleep(for: .milliseconds(2))
      }
      for _ in 0..<3 {
        let answer = await answers.answer(
          to: try Self.question("/api/\(name)"), host: "localhost", own: nil)
        guard case .bytes(let bytes) = answer.body else { throw Problem("no bytes") }
        told.append(String(decoding: bytes, as: UTF8.self))
      }
    }
    #expect(
      Set(told).count == 2 && told[0].contains("\"generation\":1")
        && told[5].contains("\"generation\":2"))
    #expect(reads.load(ordering: .relaxed) == 2)
    rebuilder.stop()
  }

  private static func question(_ path: String) throws -> Question {
    Question(isHead: false, target: try RequestTarget(path), fields: [:])
  }
}
