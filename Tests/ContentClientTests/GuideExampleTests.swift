import ContentClient
import TestInputs
import Testing

/// Compiles the code of apps in guides that do not make a package of it.
@Suite struct GuideExampleTests {
  /// The guides, with a word of each example that needs another library.
  private static let guides: [(path: String, foreign: [String])] = [
    ("docs/guides/sign-a-channel.md", []), ("docs/guides/from-contentful.md", []),
    ("docs/guides/from-firebase-remote-config.md", ["RemoteConfig.remoteConfig()"]),
  ]

  @Test(arguments: guides)
  func compilesTheExamples(of guide: (path: String, foreign: [String])) throws {
    let missing = try DocumentedExamples(in: guide.path).missing(from: #filePath)
    let own = missing.filter { example in !guide.foreign.contains { example.contains($0) } }
    #expect(own == [])
    #expect(missing.count == guide.foreign.count)
  }

  private func signs(supportFolder: String, bundleFolder: String) throws -> ContentClient {
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "bakery", channel: "production")
    configuration.storage = .folder(path: supportFolder + "/content")
    configuration.baked = bundleFolder + "/Content"
    configuration.trust = .pinned(path: bundleFolder + "/keys.json")
    let client = try ContentClient(configuration)
    return client
  }

  private func replacesContentful(supportFolder: String) async throws {
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "florist", channel: "production")
    configuration.eager = ["catalog"]
    configuration.storage = .folder(path: supportFolder + "/content")
    let client = try ContentClient(configuration)
    await client.refresh(.launch, within: 2)
    for product in client.snapshot.entries(in: "catalog") where product.id.datatype == "product" {
      show(product["title"]?.text, product.asset("image"), product.references("categories"))
    }
    client.start()
  }

  private func replacesRemoteConfig(
    supportFolder: String, bundleFolder: String, title: inout String, fee: inout Double,
    header: inout String
  ) async throws {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    struct Settings: Decodable {
      struct Fee: Decodable { let value: Double }
      let welcome_message: String
      let delivery_fee: [Fee]
      let new_checkout: Bool
      let header_text: String?
    }

    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "florist", channel: "production")
    configuration.context.device = "ios"
    configuration.baked = bundleFolder + "/Content"
    configuration.storage = .folder(path: supportFolder + "/content")
    let client = try ContentClient(configuration)
    await client.refresh(.launch, within: 2)
    if let settings = try client.snapshot.entry("app/settings")?.decode(Settings.self) {
      title = settings.welcome_message
      fee = settings.delivery_fee.first?.value ?? 6.9
      header = settings.header_text ?? "Florist"
    }
    client.start()
  }

  private func show(_ items: Any?...) {}
}
