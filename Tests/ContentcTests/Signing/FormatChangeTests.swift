import ContentClient
import ContentClientTesting
import ContentModel
import PropertyLists
import TestReaders
import Testing

@testable import TestCommands

/// A live channel whose signing is turned on and off, as three kinds of readers see it.
@Suite struct FormatChangeTests {
  private let shop: SignedShop

  init() throws { shop = try SignedShop() }

  private static let unsigned = SignedShop.project.replacing(
    "qa: {target: site, signing: {keys: keys/qa}}", with: "qa: {target: site}")

  /// A reader from before signed configs: it knows no `config` in config.
  private func releaseOfOldReader() throws -> Int? {
    let config = try shop.served()
    return config["indexes"] == nil ? nil : config["release"]?.number
  }

  private func reader(pinned: Bool) throws -> ClientReader {
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "qa")
    configuration.context = ReaderContext(locales: ["en"])
    configuration.eager = ["catalog"]
    configuration.transport = ScriptedTransport(
      folder: "\(shop.sandbox.root)/site", at: configuration.url)
    if pinned { configuration.trust = .pinned(path: "\(shop.sandbox.root)/content/keys/qa/1.json") }
    return try ClientReader(configuration)
  }

  private func publish(
    _ title: String, signed: Bool, by command: [String] = ["publish"]
  ) throws -> Outcome {
    try shop.sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
    try shop.sandbox.write("content/content.yaml", signed ? SignedShop.project : Self.unsigned)
    return try shop.sandbox.run(
      Sandbox.binary, command + ["qa"],
      environment: ["CONTENTC_SETTINGS=\(shop.sandbox.root)/settings.yaml"])
  }

  private func title(_ reader: ClientReader) -> String? {
    reader.client.snapshot.entry("product/rose", in: "catalog")?["title"]?.text
  }

  @Test func threeKindsOfReaders() async throws {
    let (unpinned, pinned) = try (reader(pinned: false), reader(pinned: true))
    #expect(try publish("One", signed: false).status == 0)
    #expect(await unpinned.refresh())
    #expect(title(unpinned) == "One")
    #expect(try releaseOfOldReader() == 1)
    #expect(await !pinned.refresh(), "nothing is signed yet")

    // On: only on request, and the report names those who stop reading.
    let refused = try publish("Two", signed: true)
    #expect(refused.status == 69 && refused.errors.contains("keys on qa"), "\(refused)")
    let on = try publish("Two", signed: true, by: ["keys", "on"])
    #expect(on.status == 0, "\(on)")
    #expect(try releaseOfOldReader() == nil)
    for reader in [unpinned, pinned] {
      #expect(await reader.refresh())
      #expect(title(reader) == "Two")
    }

    // Off: an app that pins a key keeps what it shows, and reports why.
    let off = try publish("Three", signed: false, by: ["keys", "off"])
    #expect(off.status == 0, "\(off)")
    #expect(try releaseOfOldReader() == 3)
    #expect(await unpinned.refresh())
    #expect(title(unpinned) == "Three")
    let events = pinned.client.events
    #expect(await !pinned.refresh())
    #expect(title(pinned) == "Two" && pinned.client.state == .content)
    for await event in events {
      guard case .refused(let error) = event else { continue }
      #expect(error.reason.contains("it is not signed"))
      break
    }

    // On again.
    let again = try publish("Four", signed: true, by: ["keys", "on"])
    #expect(again.status == 0, "\(again)")
    for reader in [unpinned, pinned] {
      #expect(await reader.refresh())
      #expect(title(reader) == "Four")
    }
  }
}
