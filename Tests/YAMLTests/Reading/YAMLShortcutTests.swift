import Diagnostics
import TestInputs
import Testing

@testable import YAML

@Suite struct YAMLShortcutTests {
  private static let text = """
    # a shop
    title: Rose # red
    "q": 'é, #x'
    price: -3.50
    none:
    tags: [a, "b", {c: d, e: [f]}]
    badges:
      - {id: new, label: x y}
      - id: sale
        label: "花"
    same:
    - x
    - y
    literal: |
      lit
      more
    folded: >-
      one
      two
    link: http://a.b/c?d=e#f
    map:
      k : v
      l: {a: 12:30}

    """

  @Test func readsPlainFilesWithoutTheLibrary() throws {
    let bytes = Array(Self.text.utf8)
    let text = try #require(YAMLText.checked(bytes, path: "a").output)
    let node = bytes.withUnsafeBufferPointer {
      YAMLShortcut.read(text, bytes: $0, reader: YAMLReader(), path: "a")
    }
    #expect(try #require(node)["folded"]?.text == "one two")
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func readsLikeTheLibrary(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = Array(Self.text.utf8)
    let pieces = [
      "\"", "'", ":", ": ", "- ", "\n", "\r", "  ", " #", "&a ", "*a", "!!str ", "|\n", "[", "}",
      ",", "? ", "\t", "\\",
      "\u{FEFF}", "\u{2028}", "---\n", "''", "%", "<<: ", "#", " #x", "?", "\"#", ",#",
    ]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) {
        bytes.removeSubrange(
          place..<min(bytes.count, place + Int.random(in: 1...8, using: &random)))
      } else {
        bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
      }
      if bytes.isEmpty { bytes = [0x0A] }
    }
    var library = YAMLReader()
    library.takesShortcut = false
    let (short, long) = (YAMLReader().read(bytes, path: "a"), library.read(bytes, path: "a"))
    #expect(short.diagnostics == long.diagnostics)
    #expect(
      short.output.map(dump) == long.output.map(dump), "\(String(decoding: bytes, as: UTF8.self))")
  }

  /// Describes all properties of a node and its descendants.
  private func dump(_ node: YAMLNode) -> String {
    let below = node.items.map(dump) + node.members.map { "\(dump($0.key)): \(dump($0.value))" }
    return
      "\(node.kind) \(node.range) \(node.isPlain) \(node.text) \(node.scalar) [\(below.joined(separator: ", "))]"
  }
}
