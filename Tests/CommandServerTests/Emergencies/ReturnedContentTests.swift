import ContentModel
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Objects that were missing and return, behind a real cache that keeps the answer that they are
/// missing.
@Suite(.needsServers, .waiting) struct ReturnedContentTests {
  private let sandbox: Sandbox
  private let cache: VarnishNode

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    cache = try VarnishNode(before: "site", of: sandbox)
    try PurgeShop.addChannel(to: sandbox, behind: cache.address)
    _ = try sandbox.succeed(["publish"])
  }

  /// The hashes of the objects that the last purge removed.
  private func removed(by purge: Int) throws -> Set<String> {
    let copies = try sandbox.purgeNote("copies-", of: purge)
    return Set((copies["objects"]?.members ?? Members()).map(\.key))
  }

  /// The paths of the objects of the live release.
  private func objects() throws -> [String] {
    let config = try sandbox.value("site/qa/config.plist")
    let release = try #require(config["release"]?.number)
    let record = try #require(
      sandbox.files(below: "site/qa/releases").first { $0.contains("/\(release)-") })
    let rows = try #require(try sandbox.value(record)["objects"]?.members)
    return try rows.map { hex, row in
      "objects/\(hex.prefix(2))/\(hex).\(try #require(row["extension"]?.text))"
    }
  }

  /// Expects that readers get each object of the live release in each form.
  private func expectDelivered(at location: SourceLocation = #_sourceLocation) throws {
    for object in try objects() {
      for encoding in ["gzip", "br", "identity"] {
        let status = try cache.status(object, encoding: encoding, in: sandbox)
        #expect(status == "200", "\(object) \(encoding)", sourceLocation: location)
      }
    }
  }

  @Test func readersGetContentThatAPublicationBringsBack() throws {
    _ = try sandbox.succeed(["purge", "product/tulip", "--reason", "A word"])
    let removed = try removed(by: 1)
    _ = try sandbox.succeed(["publish", "--unpurge", "product/tulip"])
    let back = try objects().filter { path in removed.contains { path.contains($0) } }
    #expect(!back.isEmpty)
    try expectDelivered()
  }

  @Test func readersGetObjectsThatARepairSendsAgain() throws {
    let object = try #require(try objects().first)
    try sandbox.shell("mv site/\(object) kept")
    #expect(try cache.status(object, encoding: "gzip", in: sandbox) == "404")
    _ = try sandbox.succeed(["publish", "--repair"])
    try expectDelivered()
  }
}
