import TestServers
import Testing

@testable import TestCommands

/// Emergency commands with a mistake in `content.yaml`, and with mistakes elsewhere.
@Suite struct BrokenSettingsTests {
  let shop: PurgeShop
  private var project: String {
    get throws {
      String(decoding: try #require(shop.sandbox.read("content/content.yaml")), as: UTF8.self)
    }
  }

  init() throws { shop = try PurgeShop() }

  private func replace(_ text: String, with other: String) throws {
    let before = try project
    let after = before.replacing(text, with: other)
    try #require(after != before)
    try shop.sandbox.write("content/content.yaml", after)
  }

  /// A purge that passes over a cache would report that no copy is left, while the cache has all.
  @Test(arguments: [
    ("varnish:", "varnsh:", "unknown cache 'varnsh'; did you mean 'varnish'?"),
    ("nodes:", "node:", "unknown key 'node' in the settings of 'varnish'; did you mean 'nodes'?"),
    ("originTimeout: 1s", "originTimeout: 1mm", "'originTimeout' must be a positive duration"),
    ("cdn:", "cnd:", "unknown key 'cnd' in channel 'qa'; did you mean 'cdn'?"),
    (
      "url:", "signng: {keys: keys/qa}\n    url:",
      "unknown key 'signng' in channel 'qa'; did you mean 'signing'?"
    ),
  ])
  func aPurgeRefusesASlip(right: String, wrong: String, message: String) throws {
    try shop.fillCache()
    try replace(right, with: wrong)
    let before = shop.sandbox.tree("site").map(\.path)
    for line in [PurgeShop.purge, ["maintenance", "on", "qa"], ["rollback", "qa"]] {
      let refused = try shop.contentc(line)
      #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
      #expect(refused.errors.contains("content/content.yaml:"), "\(refused.errors)")
      #expect(refused.errors.contains(message), "\(refused.errors)")
    }
    #expect(shop.sandbox.tree("site").map(\.path) == before)
    try replace(wrong, with: right)
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.expectGone()
  }

  /// Whoever mends a slip in the haste of an emergency must see its line.
  @Test func aPurgeShowsTheLineOfASlipInTheYAML() throws {
    try replace("channels:", with: "channels: [")
    let refused = try shop.contentc(PurgeShop.purge)
    #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
    #expect(refused.errors.contains(/content\/content.yaml:\d+:\d+: error/), "\(refused.errors)")
    try shop.sandbox.shell("rm content/content.yaml")
    let missing = try shop.contentc(PurgeShop.purge)
    #expect(missing.status == 66 && missing.errors.contains("[missing-project]"), "\(missing)")
  }

  @Test func aPurgeWorksWithBrokenContent() throws {
    try shop.fillCache()
    try replace("bundles:", with: "minimumApp: two\nbundles:\n  Odd: {includ: x}")
    try replace(
      "channels:",
      with: "channels:\n  Other: {target: x}\n  other: {target: [], cdn: nginks, signng: x}")
    try shop.sandbox.write("content/datatypes/product.yaml", "fields: [")
    try shop.sandbox.write("content/entries/product/rose.yaml", "title: \"")
    try shop.sandbox.write("content/maintenance.yaml", "- x")
    let done = try shop.contentc(["purge", "qa"] + PurgeShop.purge.dropFirst())
    #expect(done.status == 0, "\(done)")
    try shop.expectGone()
  }

  /// With a mistake in the name of another channel, the only one may be the wrong one.
  @Test func aCommandDoesNotChooseBesideABrokenName() throws {
    try replace("channels:", with: "channels:\n  Production: {target: live}")
    let refused = try shop.contentc(["history"])
    #expect(
      refused.status == 1 && refused.errors.contains("a channel's name must be"), "\(refused)")
    #expect(try shop.contentc(["history", "qa"]).status == 0)
  }

  @Test func statusShowsTheOtherChannels() throws {
    try replace("channels:", with: "channels:\n  live: {target: site, url: here}")
    let shown = try shop.contentc(["status"])
    #expect(
      shown.status == 1 && shown.output.contains("live\n  cannot be read\nqa at "), "\(shown)")
    #expect(shown.errors.contains("error: 'url' must begin with https://"), "\(shown)")
    #expect(try shop.contentc(["status", "qa"]).status == 0)
  }

  /// A configuration without the token would accept purges from anyone.
  @Test(arguments: [
    ("nodes: [", "token: purge_token, nodes: [", "must be the name of an environment variable"),
    ("target", "Target", "unknown key 'Target' in channel 'qa'"),
    ("bundles:", "ttl: {edge: 1mm}\nbundles:", "'edge' must be a duration such as 30s"),
  ])
  func aPrintedConfigurationRefusesASlip(right: String, wrong: String, message: String) throws {
    try replace(right, with: wrong)
    for server in ["nginx", "varnish", "squid", "fastly"] {
      let refused = try shop.contentc(["server", server, "qa"])
      #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
      #expect(refused.errors.contains(message), "\(refused.errors)")
    }
  }

  /// Without one of several credentials, a purge would leave the cache out.
  @Test(arguments: [
    ("{fastly: {service: ID}}", "the settings of 'fastly' must have the key 'token'"),
    ("{nginx: {nodes: []}}", "'nodes' must list one address at least"),
    ("{varnish: {nodes: \"http://127.0.0.1:1\", keys: [origin, none]}}", "'keys' must be one of"),
  ])
  func aPurgeRefusesAPartOfTheSettings(cache: String, message: String) throws {
    try shop.sandbox.shell("sed -i 's|cdn: .*|cdn: [\(cache)]|' content/content.yaml")
    let refused = try shop.contentc(PurgeShop.purge)
    #expect(refused.status == 1 && refused.errors.contains(message), "\(refused)")
  }
}
