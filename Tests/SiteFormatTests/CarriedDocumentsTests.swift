import ContentModel
import SiteFormat
import TestSigning
import Testing

/// The key documents that configs carry.
@Suite struct CarriedDocumentsTests {
  /// A publisher with three rotations, each signed by all keys of both documents, and its documents.
  private func rotated(
    threshold: Int
  ) throws -> (publisher: TestPublisher, memory: TrustMemory, all: [KeyDocument]) {
    var publisher = try TestPublisher()
    publisher.authority.keys = try (11...14).map { try TestKey($0) }
    publisher.authority.thresholds.keys = threshold
    let memory = try publisher.memory()
    for version in 2...4 {
      try publisher.rotate(to: version) { $0.keys[0] = try TestKey(50 + version) }
    }
    let all = try [memory.document] + publisher.documents.map { try KeyDocument($0) }
    return (publisher, memory, all)
  }

  /// If a document changes one of four keys, a key of both documents signs only once.
  @Test(arguments: 1...4) func carryNoMoreSignaturesThanReadersNeed(threshold: Int) throws {
    let (start, pinned, all) = try rotated(threshold: threshold)
    var (publisher, memory) = (start, pinned)
    let carried = CarriedDocuments(all, after: 1).documents
    #expect(carried.map(\.body) == all.dropFirst().map(\.signed.body))
    let most = threshold == 4 ? 5 : threshold + 1
    #expect(carried.allSatisfy { (threshold...most).contains($0.signatures.count) })
    #expect(publisher.documents.allSatisfy { $0.signatures.count > 4 })
    publisher.documents = carried
    #expect(throws: Never.self) { try memory.verify(publisher.envelope()) }
    #expect(memory.document.version == 4)
  }

  /// Configs omit invalid signatures, for example after a wrong merge.
  ///
  /// A document that lacks valid signatures is carried unchanged.
  @Test func leaveOutInvalidSignatures() throws {
    let (_, _, all) = try rotated(threshold: 2)
    var signed = all[1].signed
    let garbage = signed.signatures.map { KeySignature(key: $0.key, bytes: $0.bytes.reversed()) }
    signed.signatures = garbage + signed.signatures
    let documents = [all[0], try KeyDocument(signed)]
    let carried = CarriedDocuments(documents, after: 1).documents
    #expect(carried[0].signatures.allSatisfy { !garbage.contains($0) })
    signed.signatures = garbage
    let lacking = CarriedDocuments([all[0], try KeyDocument(signed)], after: 1).documents
    #expect(lacking == [signed])
  }

  @Test func beginAfterTheirBase() throws {
    let (_, _, all) = try rotated(threshold: 1)
    #expect(CarriedDocuments(all, after: 3).documents.map(\.body) == [all[3].signed.body])
    #expect(CarriedDocuments(all, after: 4).documents.isEmpty)
  }

  /// The room is limited by the number of documents, and by their bytes in the format of config.
  @Test func computesTheShareOfTheRoomThatDocumentsTake() throws {
    let (_, _, all) = try rotated(threshold: 1)
    let carried = CarriedDocuments(all, after: 1)
    #expect(try carried.share(in: .binary) == 3.0 / 32)
    // A binary property list stores equal texts only once, so the texts must differ.
    let text = String(decoding: all[1].signed.body, as: UTF8.self)
    let long = try (1...14).map { number in
      let more = "{\"a\": \"\(number)\(String(repeating: "x", count: 3_000))\", \"app\""
      return try KeyDocument(
        SignedBody(body: Array(text.replacing("{\"app\"", with: more).utf8), signatures: []))
    }
    let many = CarriedDocuments([all[0]] + long, after: 1)
    #expect(try many.share(in: .binary) > 14.0 / 32)
    #expect(try many.share(in: .json) > many.share(in: .binary))
  }
}
