import ContentModel
import Diagnostics
import Testing
import YAML

@testable import ContentSource

@Suite struct SourcePlaceTests {
  private static let project = "app: a\nsourceLocale: en\nlocales: [en]\n"

  /// The second text has a node that is too long for the packed form.
  @Test(arguments: [
    "# é\n- a\n-   \"b\": [c, ü d]\n", "- \(String(repeating: "x", count: 5_000))\n- b: 'c'\n",
  ])
  func resolvesToTheLocationOfTheNode(text: String) throws {
    let (tree, root) = try read(text, now: text)
    var places = SourcePlaces(tree)
    for node in nodes(below: root) {
      #expect(places.location(of: node.sourcePlace) == node.location)
    }
  }

  @Test func resolvesToTheFileAloneAfterAChange() throws {
    let (tree, root) = try read("- a\n", now: "- b\n")
    var places = SourcePlaces(tree)
    #expect(places.location(of: root.sourcePlace) == SourceLocation(path: "content/a.yaml"))
  }

  /// Returns the tree of a file and its root node; the folder now holds the text `now`.
  private func read(_ text: String, now: String) throws -> (tree: ContentTree, root: YAMLNode) {
    let read = YAMLReader().read(Array(text.utf8), path: "content/a.yaml")
    var tree = try #require(
      ContentReader.read(ContentFolder(texts: ["content.yaml": Self.project])).output)
    tree.folder = ContentFolder(texts: ["a.yaml": now])
    tree.sources = [
      .init(path: "a.yaml", size: text.utf8.count, digest: .init(of: Array(text.utf8)))
    ]
    return (tree, try #require(read.output))
  }

  private func nodes(below node: YAMLNode) -> [YAMLNode] {
    [node] + node.items.flatMap(nodes) + node.members.flatMap { [$0.key] + nodes(below: $0.value) }
  }
}
