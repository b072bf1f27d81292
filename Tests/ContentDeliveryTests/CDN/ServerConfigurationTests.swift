import Testing

@testable import ContentCaches

@Suite struct ServerConfigurationTests {
  private static var plain: ServerSettings {
    ServerSettings(
      app: "shop", channel: "qa", root: "/srv/shop", state: "/var/lib/shop", maintenance: "/m",
      lifetimes: ServerSettings.Lifetimes(
        app: 60, edge: 30, staleWhileRevalidate: 10, staleIfError: 3_600, originTimeout: 5),
      languages: MaintenanceLanguages(source: "en", declared: ["de", "en"]))
  }

  /// Settings in which every optional part of a configuration occurs.
  private static var full: ServerSettings {
    var settings = plain
    settings.prefix = "/v1"
    settings.upstream = Upstream("https://origin.example.com")
    settings.purgers = ["10.0.0.0/8", "::1"]
    settings.tokenVariable = "PURGE_TOKEN"
    settings.sendsSurrogateControl = true
    return settings
  }

  @Test(arguments: ServerKind.all) func leavesNoPlaceholder(server: ServerKind) {
    var withoutKeys = Self.plain
    withoutKeys.keyHeaders = []
    var origin = Self.full
    origin.upstream = nil
    for settings in [Self.plain, Self.full, withoutKeys, origin] {
      for file in server.configuration(settings) {
        #expect(!file.text.contains("{{") && !file.text.contains("}}"), "\(file.name)")
        #expect(!file.text.contains(" \n") && file.text.hasSuffix("\n"), "\(file.name)")
      }
    }
  }

  @Test(arguments: [
    ("127.0.0.1:80", true), ("[::1]:80", true), ("a-b.example:80", true), ("[]:80", false),
    ("[:80", false), ("::1:80", false), ("[\u{301}::1]:80", false), ("a b:80", false),
  ])
  func readsAddresses(text: String, isValid: Bool) {
    #expect((NetworkAddress(text) != nil) == isValid)
  }

  @Test(arguments: [
    ("a {{x}}\n", "a 1\n"), ("{{x}}{{x}}", "11"), ("  {{lines}}\nb", "  1\n\n  2\nb"),
    ("a\n\tb {{none}} c\nd", "a\nd"), ("  {{empty}}\n", "\n"), ("{{unknown}}", "{{unknown}}"),
    ("{ {x} }", "{ {x} }"),
  ])
  func fillsPlaceholders(text: String, expected: String) {
    let template = ServerTemplate(Array(text.utf8))
    #expect(
      template.filled(with: ["x": "1", "lines": "1\n\n2", "none": nil, "empty": ""]) == expected)
  }
}
