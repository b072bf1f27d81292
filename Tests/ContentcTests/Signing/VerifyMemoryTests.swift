import ContentModel
import PropertyLists
import SiteFormat
import System
import TestSigning
import Testing

@testable import TestCommands

/// The files of `contentc verify`: what `--memory` keeps, and what `--keys` pins.
@Suite struct VerifyMemoryTests {
  private let sandbox: Sandbox
  private var publisher: TestPublisher

  init() throws {
    (sandbox, publisher) = (try Sandbox(), try TestPublisher(at: Clock.now))
    try sandbox.write("1.json", bytes: publisher.keyDocument().file())
  }

  /// Verifies a release of the publisher.
  private func verify(_ publisher: TestPublisher, pinning version: Int = 1) throws -> Outcome {
    try sandbox.write("config.plist", bytes: publisher.envelope())
    return try sandbox.run("verify", "config.plist", "--keys", "\(version).json", "--memory", "m")
  }

  /// Monitoring jobs may overlap: the one that ends last may have read an older config.
  @Test mutating func keepsTheHighestFloorOfVerificationsAtTheSameTime() throws {
    for release in 1...12 {
      publisher.number(release)
      try sandbox.write("\(release).plist", bytes: publisher.envelope())
    }
    try sandbox.shell(
      """
      seq 12 -1 1 | xargs -P 12 -I N '\(Sandbox.binary)' verify N.plist --keys 1.json --memory m \\
        >/dev/null 2>&1
      """)
    let refused = try sandbox.run("verify", "11.plist", "--keys", "1.json", "--memory", "m")
    #expect(refused.status == 1 && refused.errors.contains("release 12"), "\(refused)")
  }

  @Test func isOfOneChannel() throws {
    try #require(try verify(publisher).status == 0)
    var value = try #require(try sandbox.value("m").members)
    #expect(value["channel"] == "production")
    value["channel"] = "qa"
    try sandbox.write("m", bytes: PropertyList.encode(.dictionary(value), as: .binary))
    let refused = try verify(publisher)
    #expect(refused.status == 64 && refused.errors.contains("memory of the channel 'qa'"))
  }

  /// A restored backup has the floor of its time, or that of the recovery that is pinned.
  @Test mutating func aRestoredMemoryIsNotBelowItsOwnOrThePinnedFloor() throws {
    let older = publisher
    publisher.number(6)
    let backedUp = publisher
    #expect(try verify(backedUp).status == 0)
    let backup = try #require(sandbox.read("m"))
    publisher.number(8)
    #expect(try verify(publisher).status == 0)
    try sandbox.write("m", bytes: backup)
    let refused = try verify(older)
    #expect(refused.status == 1, "\(refused)")
    #expect(refused.errors.contains("release 5 is older than release 6"), "\(refused)")
    #expect(try verify(backedUp).status == 0)
    try publisher.rotate(to: 2, recovery: (release: 7, purge: 0))
    try sandbox.write("2.json", bytes: publisher.documents[0].file())
    try sandbox.write("m", bytes: backup)
    let below = try verify(backedUp, pinning: 2)
    #expect(below.errors.contains("from before the recovery by document 2"), "\(below)")
    #expect(try verify(publisher, pinning: 2).status == 0)
  }

  /// A replacement would lower the floors, so only the owner may remove the file.
  @Test func reportsADamagedMemory() throws {
    #expect(try verify(publisher).status == 0)
    let whole = try #require(sandbox.read("m"))
    for damaged in [[], Array(whole.dropLast()), Array("<html>".utf8)] as [[UInt8]] {
      try sandbox.write("m", bytes: damaged)
      let outcome = try verify(publisher)
      #expect(outcome.status == 74, "\(outcome)")
      #expect(outcome.errors.contains("the file is no memory of 'verify'"), "\(outcome)")
      #expect(sandbox.read("m") == damaged)
    }
  }

  @Test func refusesAPinnedDocumentWithDuplicateKeys() throws {
    let document = try publisher.keyDocument()
    let file = String(decoding: try document.file(), as: UTF8.self)
    let body = Array(
      "{\"app\":\"shop\",\(String(decoding: document.body, as: UTF8.self).dropFirst())".utf8)
    let twice = SignedBody(
      body: body,
      signatures: try publisher.authority.keys.map { try $0.signature(of: body, as: .keys) })
    for bytes in [Array("{\"body\":\"{}\",\(file.dropFirst())".utf8), try twice.file()] {
      try sandbox.write("1.json", bytes: bytes)
      let outcome = try verify(publisher)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("a key document cannot be read"), "\(outcome)")
    }
  }
}
