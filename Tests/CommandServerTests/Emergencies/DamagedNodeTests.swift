import ContentModel
import TestServers
import Testing

@testable import TestCommands

/// A purge of several real machines of a cache, of which one is damaged.
@Suite(.needsServers, .waiting) struct DamagedNodeTests {
  enum Damage: CaseIterable {
    /// The machine does not run.
    case dead
    /// The machine answers purges with 405.
    case refusing
  }

  @Test(arguments: Damage.allCases, [0, 1, 2])
  func aDamagedNodeKeepsNoOtherNodeFromItsPurge(damage: Damage, place: Int) throws {
    let sandbox = try Sandbox(EditingShop.files)
    let sound = try (0..<2).map { _ in try VarnishNode(before: "site", of: sandbox) }
    var refusing: VarnishNode?
    let damaged: String
    switch damage {
    case .dead: damaged = "http://127.0.0.1:\(try Socket.freePorts(1)[0])"
    case .refusing:
      let node = try VarnishNode(before: "site", of: sandbox, refusesPurges: true)
      (refusing, damaged) = (node, node.address)
    }
    var nodes = sound.map(\.address)
    nodes.insert(damaged, at: place)
    let list = nodes.map { "\"\($0)\"" }.joined(separator: ", ")
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels:
        qa:
          target: site
          url: \(sound[0].address)
          originTimeout: 1s
          cdn: [{varnish: {nodes: [\(list)]}}]
      E
      sed -i 's/title: Tulip/title: Insult/' content/entries/product.yaml
      """)
    _ = try sandbox.run("publish")
    // Readers ask each machine for the same address.
    let host = String(sound[0].address.dropFirst("http://".count))
    for node in sound { #expect(try release(at: node, as: host, in: sandbox) == 1) }
    let half = try sandbox.run("purge", "product/tulip", "--reason", "An insult")
    // The objects stay until every node was purged, because its readers may ask for them.
    #expect(half.status == 69, "\(half)")
    let name = damaged.dropFirst("http://".count)
    #expect(half.errors.contains("varnish at \(name)"), "\(half)")
    for node in sound { #expect(try release(at: node, as: host, in: sandbox) == 2) }
    withExtendedLifetime(refusing) {}
  }

  /// Returns the number of the release that a reader gets from a node.
  private func release(at node: VarnishNode, as host: String, in sandbox: Sandbox) throws -> Int? {
    try sandbox.shell("curl -sf -o got -H 'Host: \(host)' \(node.address)/qa/config.plist")
    return try sandbox.value("got")["release"]?.number
  }
}
