import ContentModel
import TestServers
import Testing

@testable import TestCommands

/// A purge that was finished while content.yaml named the wrong machine of a real cache.
@Suite(.needsServers, .waiting) struct MendedCacheTests {
  private let sandbox: Sandbox
  private let wrong: VarnishNode
  private let right: VarnishNode

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    wrong = try VarnishNode(before: "site", of: sandbox)
    right = try VarnishNode(before: "site", of: sandbox)
    try PurgeShop.addChannel(to: sandbox, behind: wrong.address)
    try sandbox.shell("sed -i 's/title: Tulip/title: Insult/' content/entries/product.yaml")
    _ = try sandbox.succeed(["publish"])
  }

  /// Returns the status of the right machine's answer, as for readers of the channel's `url`.
  private func status(_ path: String, to file: String = "/dev/null") throws -> String {
    let host = wrong.address.dropFirst("http://".count)
    return try sandbox.run(
      "/usr/bin/curl",
      [
        "-s", "-o", file, "-w", "%{http_code}", "-H", "Host: \(host)", "\(right.address)/\(path)",
      ]
    ).output
  }

  /// The paths of the objects at the target.
  private var objects: [String] {
    sandbox.files(below: "site/objects").map { String($0.dropFirst("site/".count)) }.filter {
      $0.hasSuffix(".plist") || $0.hasSuffix(".json") || $0.hasSuffix(".bin")
    }
  }

  @Test func sendsAFinishedPurgeToAMendedCache() throws {
    let before = objects
    for path in before + ["qa/config.plist"] { #expect(try status(path) == "200") }
    _ = try sandbox.succeed(["purge", "product/tulip", "--reason", "An insult"])
    let after = Set(objects)
    let removed = before.filter { !after.contains($0) }
    #expect(!removed.isEmpty)
    for path in removed { #expect(try status(path) == "200", "\(path)") }
    try sandbox.shell(
      "sed -i 's|nodes: \\[.*\\]}|nodes: [\"\(right.address)\"]}|' content/content.yaml")
    let line = "varnish has not confirmed purge 1; 'contentc purge qa --caches' purges it"
    #expect(try sandbox.run("status").output.contains(line))
    let done = try sandbox.run("purge", "qa", "--caches")
    #expect(done.status == 0, "\(done)")
    for path in removed { #expect(try status(path) == "404", "\(path)") }
    #expect(try status("qa/config.plist", to: "got") == "200")
    #expect(try sandbox.value("got")["release"] == 2)
    #expect(try !sandbox.run("status").output.contains("has not confirmed"))
  }
}
