import Diagnostics
import TestInputs
import Testing

@testable import YAML

@Suite struct YAMLTreeTests {
  @Test(arguments: [
    "a: ⟦plain text⟧ # comment\n", "a: ⟦'it''s'⟧\n", "a: ⟦\"x\n  y\"⟧\n",
    "a: ⟦several\n  lines\n  here⟧\n\nb: 1\n",
    "{é: ü, a: ⟦ü⟧}\n", "a: &x !!str # comment\n  ⟦text⟧\nb: *x\n", "a: ! ⟦12⟧\n",
    "a: ⟦|\n  text\n  more⟧\n\n\nb: 1\n",
    "a: ⟦>-\n  text⟧",
    "a: ⟦[1,\n  2 ]⟧\nb: 2\n", "a:\n  ⟦b: 1\n  c:\n    d: 2⟧\n\n# comment\ne: 3\n",
    "a:\n⟦- 1\n- 2⟧\nb: 1\n",
    "a: &x\n  ⟦b: 1⟧\nc: *x\n", "a: ⟦{x: 1}⟧\n", "\u{FEFF}a: ⟦b⟧\n",
    "x: \"\u{2028}\u{85}\"\na: ⟦\u{2029}b⟧\n",
    "a:\n  ⟦b: &x [1]\n  c: *x⟧\nd: 1\n", "a: ⟦'\u{1F337}'⟧\n", "a: !<tag:yaml.org,2002:str> ⟦b⟧\n",
    "[{a: ⟦⟧}]\n",
  ])
  func locatesNodes(text: String) throws {
    for lineBreak in ["\n", "\r\n"] {
      let marked = MarkedText(text)
      let source = String(decoding: marked.bytes, as: UTF8.self).replacing("\n", with: lineBreak)
      let root = try node(source)
      let value = root.items.first?["a"] ?? root["a"]
      let range = try #require(marked.ranges.first)
      let shift = text.hasPrefix("\u{FEFF}") ? 1 : 0
      #expect(
        value?.range.start
          == SourcePosition(line: range.start.line, column: range.start.column - shift))
      #expect(
        value?.range.end == SourcePosition(line: range.end.line, column: range.end.column - shift))
    }
  }

  @Test(arguments: [
    ("a: |\n  x\n  y\n", "x\ny\n"), ("a: >\n  x\n  y\n", "x y\n"), ("- |+\n   ", "\n"),
    ("a: |\r\n  x\r\n", "x\n"),
    ("a: \"\\u00e9\\U0001F337\\n\"\n", "é\u{1F337}\n"),
    ("a: x\u{2028}y\u{85}z\n", "x\u{2028}y\u{85}z"),
    ("a: \"\\U000F0000\u{2028}\"\n", "\u{F0000}\u{2028}"),
    ("a: \u{F0000}\u{2029}\n", "\u{F0000}\u{2029}"),
    ("%YAML 1.1\n--- \na: b\n...\n", "b"), ("a: x\u{FEFF}y\n", "x\u{FEFF}y"),
    ("a: \"\\0\"", "\0"), ("{a: http://x.y/z}", "http://x.y/z"),
    ("# \u{1F337}\na: \u{1F337}\n", "\u{1F337}"),
  ])
  func decodesText(source: String, text: String) throws {
    let root = try node(source)
    let found = try #require(root.items.first ?? root["a"])
    #expect(Array(found.text.utf8) == Array(text.utf8))
  }

  @Test func keepsKeysAsWritten() throws {
    let keys = try node("1: a\n1.10: b\ntrue: c\nN: d\n~: e\ny: f\n'q': g\n0x10: h\n").members.map(
      \.key.text)
    #expect(keys == ["1", "1.10", "true", "N", "~", "y", "q", "0x10"])
  }

  @Test func distinguishesCanonicallyEquivalentKeys() throws {
    let root = try node("\u{E9}: 1\ne\u{301}: 2\n")
    #expect(root["\u{E9}"]?.text == "1")
    #expect(root["e\u{301}"]?.text == "2")
    #expect(root["e"] == nil)
  }

  @Test func mergesMappings() throws {
    let root = try node(
      """
      one: &one {a: 1, b: 1}
      two: &two {b: 2, c: 2, d: 2}
      three: {z: 0, <<: [*one, *two], d: 3}
      four: &four {<<: *one, b: 4}
      five: {<<: *four}
      six: {'<<': *one}
      """)
    func shown(_ key: String) -> [String] {
      root[key]?.members.map { $0.key.text + $0.value.text } ?? []
    }
    #expect(shown("three") == ["z0", "a1", "b1", "c2", "d3"])
    #expect(shown("four") == ["a1", "b4"])
    #expect(shown("five") == ["a1", "b4"])
    #expect(shown("six") == ["<<"])
  }

  @Test func followsAliases() throws {
    let root = try node("a: &a {x: [1, 2]}\nb: *a\nc: [*a, *a]\n&k key: *k\n")
    #expect(root["b"]?["x"]?.items.map(\.text) == ["1", "2"])
    #expect(root["c"]?.items.last?["x"]?.items.count == 2)
    #expect(root["key"]?.text == "key")
    #expect(root["b"]?.range == root["a"]?.range)
  }

  private func node(_ text: String) throws -> YAMLNode {
    let read = YAMLReader().read(Array(text.utf8), path: "a")
    #expect(read.diagnostics.isEmpty, "\(read.diagnostics.map(\.message))")
    return try #require(read.output)
  }
}
