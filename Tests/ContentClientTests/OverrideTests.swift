import ContentModel
import Testing

@testable import ContentClient

@Suite("The override of debug builds") struct OverrideTests {
  @Test func showsAnotherTimeOfDay() async throws {
    let scene = try ClientScene([
      "entries/product/advent.yaml": "title: Wreath\nwhen: {from: 2027-12-01T00:00:00Z}\n"
    ])
    var configuration = scene.configuration()
    let today = try ContentClient(configuration)
    #expect(await today.refreshed().isUpdated)
    #expect(today.title("product/advent") == nil)
    configuration.override = ContentOverride(instant: Instant(secondsSince1970: 1_830_000_000))
    let later = try ContentClient(configuration)
    #expect(await later.refreshed().isUpdated)
    #expect(later.title("product/advent")?.text == "Wreath")
    #expect(later.override == configuration.override)
  }

  @Test func leavesStoredContentAsItWas() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration(storing: true)
    #expect(await (try ContentClient(configuration)).refreshed().isUpdated)
    configuration.override = ContentOverride(channel: "staging")
    let staging = try ContentClient(configuration)
    #expect(staging.snapshot.release == 0)
    _ = await staging.refreshed()
    #expect(scene.requests().last == "staging/config.plist")
    configuration.override = nil
    let users = try ContentClient(configuration)
    #expect(users.snapshot.release == 1)
    #expect(users.override == nil)
  }

  @Test func refusesAnImpossibleChannel() throws {
    var configuration = try ClientScene().configuration()
    configuration.override = ContentOverride(channel: "../secret")
    #expect(throws: ContentError.self) { try ContentClient(configuration) }
  }

  /// Content is loaded over TLS, or from this machine.
  @Test(arguments: [
    ("https://content.example.com", true), ("http://localhost:8080", true),
    ("http://127.0.0.1:1", true), ("http://[::1]:80", true), ("http://content.example.com", false),
    ("http://localhost.evil.example", false), ("http://127.0.0.1.evil.example", false),
    ("http://localhost@evil.example", false), ("http://[::1].evil.example", false),
    ("http://[::1]@evil.example", false), ("http://localhost:80@evil.example", false),
    ("ftp://localhost", false), ("https://content.example.com/", false), ("", false),
  ])
  func acceptsConfidentialAddressesOnly(url: String, isAccepted: Bool) throws {
    var configuration = try ClientScene().configuration()
    configuration.url = url
    #expect(((try? ContentClient(configuration)) != nil) == isAccepted)
  }
}
