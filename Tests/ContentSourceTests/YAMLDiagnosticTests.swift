import Diagnostics
import TestInputs
import Testing
import YAML

@testable import ContentSource

@Suite struct YAMLDiagnosticTests {
  struct Mistake: CustomTestStringConvertible {
    var ids: [String]
    var text: String
    var testDescription: String { text }

    init(_ ids: String..., in text: String) { (self.ids, self.text) = (ids, text) }
  }

  static let mistakes: [Mistake] = [
    Mistake("duplicate-key", in: "a: 1\nb: 2\n⟦a⟧: 3\n"),
    Mistake("duplicate-key", "duplicate-key", in: "{é: 1, ⟦é⟧: 2, ⟦\"é\"⟧: 3}"),
    Mistake("duplicate-key", "duplicate-key", in: "a: {x: 1, ⟦x⟧: 2}\n⟦a⟧: 3\n"),
    Mistake("duplicate-key", "yaml-syntax", in: "a: 1\n⟦a⟧: 2\nb: ⟦[⟧1, 2"),
    Mistake("unknown-tag", in: "a: ⟦!money⟧ 12\n"),
    Mistake("unknown-tag", in: "a: &x ⟦!!strr⟧ 12\n"),
    Mistake("unknown-tag", in: "a: ⟦!!set⟧ {b}\n"),
    Mistake("unknown-tag", in: "a: ⟦!e!x⟧ b\n"),
    Mistake("wrong-tag", in: "a: !!int ⟦twelve⟧\n"),
    Mistake("wrong-tag", in: "a: !!map ⟦[1]⟧\n"),
    Mistake("invalid-base64", in: "a: !!binary ⟦AAA⟧\nb: !!binary AAAA\n"),
    Mistake("multiple-documents", in: "a: 1\n⟦---⟧\nb: 2\n"),
    Mistake("multiple-documents", in: "a: 1\n...\n⟦b: 2⟧\n"),
    Mistake("empty-document", in: "⟦⟧"),
    Mistake("empty-document", in: "⟦⟧# nothing but this\n"),
    Mistake("empty-document", in: "⟦⟧---\n"),
    Mistake("control-character", in: "a: x⟦\u{7}⟧y\n"),
    Mistake("control-character", "control-character", in: "é: ⟦\u{0}⟧\n  ⟦\u{9B}⟧\n"),
    Mistake("undefined-anchor", in: "a: &one 1\nb: ⟦*on⟧\n"),
    Mistake("undefined-anchor", "undefined-anchor", in: "<<: ⟦*x⟧\na: [⟦*y⟧]\n"),
    Mistake("cyclic-alias", in: "a: &a [1, {b: ⟦*a⟧}]\n"),
    Mistake("bad-merge", in: "<<: ⟦text⟧\n"),
    Mistake("bad-merge", in: "a: &a {b: 1}\nc: {<<: [*a, ⟦7⟧]}\n"),
    Mistake("complex-key", in: "? ⟦[a, b]⟧\n: 1\n"),
    Mistake("complex-key", in: "{⟦{a: 1}⟧: 1}\n"),
    Mistake("tab-indentation", in: "a:\n⟦\t⟧b: 1\n"),
    Mistake("tab-indentation", in: "a: |\n⟦\t⟧text\n"),
    Mistake("yaml-syntax", in: "a: ⟦&é x⟧\n"),
    Mistake("yaml-syntax", in: "a: ⟦&an⟧:chor x\n"),
    Mistake("yaml-syntax", in: "a: &an 1\nb: [⟦*an⟧:c]\n"),
    Mistake("yaml-syntax", in: "a: ⟦@home⟧\n"),
    Mistake("unclosed-quote", in: "a: ⟦'it⟧\nb: 2\n"),
    Mistake("yaml-syntax", in: "a: b⟦:⟧ c\n"),
    Mistake("yaml-syntax", in: "a: 1\n⟦no colon here⟧\nb: 2\n"),
    Mistake("yaml-syntax", in: "a: \"x⟦\\q⟧y\"\n"),
    Mistake("yaml-syntax", in: "a: ⟦'x' y⟧\n"),
    Mistake("yaml-syntax", in: "a: ⟦[⟧1,\n"),
    Mistake("yaml-syntax", in: "a: {x: 1 \"y\"⟦:⟧ 2}\n"),
    Mistake("yaml-syntax", in: "a: ⟦- b⟧\n"),
    Mistake("yaml-syntax", in: "[a]\n⟦b⟧\n"),
  ]

  @Test(arguments: mistakes)
  func pointsAtTheMistake(_ mistake: Mistake) {
    let marked = MarkedText(mistake.text)
    let diagnostics = YAMLReader().read(marked.bytes, path: "a.yaml").diagnostics
    #expect(diagnostics.map(\.id) == mistake.ids, "\(diagnostics.map(\.message))")
    #expect(diagnostics.map { $0.location?.range } == marked.ranges)
    #expect(diagnostics.allSatisfy { $0.severity == .error && !$0.message.hasSuffix(".") })
  }

  @Test func suggestsTheNearestAnchor() throws {
    let diagnostic = try #require(
      YAMLReader().read(Array("a: &one 1\nb: *on\n".utf8), path: "a").diagnostics.first)
    #expect(diagnostic.fixIt?.replacement == "*one")
    #expect(diagnostic.fixIt?.range == diagnostic.location?.range)
  }

  @Test(arguments: [
    ("m:\n  - id: a\n   t: b\n", "5"), ("m:\n  - id: a\n  t: b\n", "1 or 5"),
    ("m:\n  - a/b\n  c: 2\n", "1"), ("m:\n    - 1\n    - 2\n    a: 2\n", "1"),
    ("m:\n  -\n    a: 1\n  c: 2\n", "1 or 5"), ("m:\n  - \n    a: 1\n  c: 2\n", "1 or 5"),
    ("m:\n  - # x\n    a: 1\n  c: 2\n", "1 or 5"),
    ("m:\n  - x: 1\n  - - a: 1\n    c: 3\n", "7"), ("m:\n  - 'x: y'\n  c: 3\n", "1"),
    ("m:\n  - {x: y}\n  c: 3\n", "1"), ("h:\n  t: x\n w: 3\n", "1 or 3"),
    ("m:\n  - a/b\n c: 2\n", "1"),
  ])
  func namesTheColumnsOfAKey(text: String, columns: String) {
    let diagnostics = YAMLReader().read(Array(text.utf8), path: "a").diagnostics
    #expect(
      diagnostics.map(\.message) == [
        "a key must begin in the column of the other keys of its mapping, here column \(columns)"
      ])
  }

  @Test func namesNoColumnOfAKeyWithoutAMapping() {
    let diagnostics = YAMLReader().read(Array("- 1\n- 2\na: 3\n".utf8), path: "a").diagnostics
    #expect(
      diagnostics.map(\.message) == ["an item must begin with '- ' in the column of the others"])
  }

  @Test func namesTheFirstOfTwoKeys() throws {
    let diagnostic = try #require(
      YAMLReader().read(Array("a: 1\na: 2\n".utf8), path: "a").diagnostics.first)
    #expect(diagnostic.notes.first?.location?.range?.start == SourcePosition(line: 1, column: 1))
  }

  @Test func keepsTheLastDuplicateIfDuplicatesAreWarnings() throws {
    let read = YAMLReader(duplicateKeys: .warning).read(Array("a: 1\nb: 2\na: 3\n".utf8), path: "a")
    #expect(read.diagnostics.map(\.severity) == [.warning])
    #expect(try #require(read.output).members.map { $0.key.text + $0.value.text } == ["b2", "a3"])
  }

  @Test func returnsATreeDespiteMistakes() throws {
    let read = YAMLReader().read(Array("a: !x 1\nb: *c\n".utf8), path: "a")
    #expect(try #require(read.output).members.map(\.key.text) == ["a", "b"])
  }

  @Test(arguments: [
    ([0x61, 0x3A, 0x20, 0xC3, 0x28] as [UInt8], [4]), ([0xED, 0xA0, 0x80], [1, 2, 3]),
    ([0xF0, 0x9F, 0x92], [1]),
    ([0xC0, 0x80], [1, 2]), ([0xC3, 0xA9, 0xFF, 0x61, 0xFF], [2, 4]),
  ])
  func pointsAtInvalidUTF8Bytes(bytes: [UInt8], columns: [Int]) {
    let diagnostics = YAMLReader().read(bytes, path: "a").diagnostics.filter {
      $0.id == "invalid-utf8"
    }
    #expect(diagnostics.compactMap { $0.location?.range?.start.column } == columns)
  }

  @Test(arguments: [Array("\u{FEFF}a: 1".utf16), Array("a: 1".utf16)])
  func refusesUTF16(units: [UInt16]) {
    let littleEndian = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
    let bigEndian = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    for bytes in [littleEndian, bigEndian] {
      let read = YAMLReader().read(bytes, path: "a")
      #expect(read.output == nil)
      #expect(read.diagnostics.map(\.id) == ["invalid-utf8"])
    }
  }
}
