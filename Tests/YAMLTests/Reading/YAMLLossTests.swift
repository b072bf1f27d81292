import Diagnostics
import TestInputs
import Testing

@testable import YAML

/// Text that libyaml would lose or change silently.
@Suite struct YAMLLossTests {
  /// A text and the diagnostic expected between `⟦` and `⟧`.
  struct Loss: CustomTestStringConvertible, Sendable {
    var name: String
    var text: String
    var message: String
    var id = "yaml-syntax"
    var severity = Diagnostic.Severity.error
    var fix: String?
    var testDescription: String { name }
  }

  /// Cases of the yaml-test-suite (MIT license), retyped.
  ///
  /// YAML 1.2 refuses them, but libyaml accepts them.
  static let refused: [Loss] = [
    Loss(
      name: "9JBA", text: "---\n[ a, b, c, ]⟦#invalid⟧\n",
      message: "a comment must begin with a space; write ' #'"),
    Loss(
      name: "CVW2", text: "---\n[ a, b, c,⟦#invalid⟧\n]\n",
      message: "a text that begins with '#' must be quoted; write \"#invalid\"", fix: "\"#invalid\""
    ),
    Loss(
      name: "DK95/01", text: "foo: \"bar\n⟦\t⟧baz\"\n",
      message: "lines must be indented with spaces, not tabs",
      id: "tab-indentation"),
    Loss(
      name: "QB6E, in a mapping", text: "a:\n  quoted: \"a\n ⟦b⟧\nc\"\n",
      message:
        "the further lines of a quoted text must not begin left of its key; put 4 spaces before this one"
    ),
    Loss(
      name: "S98Z", text: "empty block scalar: >\n \n  \n   \n ⟦# comment⟧\n",
      message:
        "the first line of a block of text must not begin left of the blank lines before it; remove their spaces"
    ),
    Loss(
      name: "SU5Z", text: "key: \"value\"⟦# invalid comment⟧\n",
      message:
        "'#' must not directly follow a closing quote; write a space before a comment, or one pair of quotes around all"
    ),
    Loss(
      name: "X4QW", text: "block: ⟦># comment⟧\n  scalar\n",
      message:
        "'#' must not directly follow '>'; write a space before a comment, or begin the text in the next line"
    ),
    Loss(
      name: "652Z", text: "{ ⟦?foo⟧: bar,\nbar: 42\n}\n",
      message: "a text that begins with '?' must be quoted between brackets; write \"?foo\"",
      fix: "\"?foo\""),
    Loss(
      name: "HM87/01", text: "[⟦?x⟧]\n",
      message: "a text that begins with '?' must be quoted between brackets; write \"?x\"",
      fix: "\"?x\""),
  ]

  /// Cases that YAML 1.2 refuses but whose values are unambiguous.
  @Test(arguments: [
    ("9C9N", "---\nflow: [a,\nb,\nc]\n", ["a", "b", "c"]),
    ("G5U8", "---\nflow: [-, -]\n", ["-", "-"]),
    ("YJV2", "flow: [-]\n", ["-"]), ("Y79Y/003", "flow: [\n\tfoo,\n bar\n ]\n", ["foo", "bar"]),
  ])
  func acceptsUnambiguousValues(name: String, text: String, values: [String]) {
    let read = YAMLReader().read(Array(text.utf8), path: "a")
    #expect(read.diagnostics.isEmpty)
    #expect(read.output?["flow"]?.items.map(\.text) == values)
  }

  /// YAML 1.2 refuses these (QB6E), but many catalogs have them, and no text is lost.
  @Test(arguments: [
    ("a: \"b\nc\n\nd\"\ne: f\n", "b c\nd"), ("a: 'b\n  c\nd'\n", "b c d"),
    ("x: y\na:\n  \"b\n  c\"\n", "b c"), ("a: \"b: c\nd\"\n", "b: c d"),
    ("a: \"b\r\nc\"\r\ne: f\r\n", "b c"),
  ])
  func acceptsQuotedLinesInTheColumnOfTheirKey(text: String, value: String) {
    let read = YAMLReader().read(Array(text.utf8), path: "a")
    #expect(read.diagnostics.isEmpty, "\(read.diagnostics)")
    #expect(read.output?["a"]?.text == value)
  }

  @Test func acceptsQuotedLinesInTheColumnOfTheirItem() {
    let read = YAMLReader().read(Array("- \"b\n\\ c\"\n- \"d\ne\"\n".utf8), path: "a")
    #expect(read.diagnostics.isEmpty, "\(read.diagnostics)")
    #expect(read.output?.items.map(\.text) == ["b  c", "d e"])
  }

  static let losses: [Loss] = [
    Loss(
      name: "unclosed double quote", text: "a: ⟦\"Hello⟧\nb: World\nc: \"#fff\"\n",
      message:
        "this quote is closed only in line 3, so the keys between are lost; close it here: \"Hello\"",
      id: "unclosed-quote", fix: "\"Hello\""),
    Loss(
      name: "unclosed single quote in a list", text: "a:\n- ⟦'Hello⟧\n- World'\n",
      message:
        "this quote is closed only in line 3, so the keys between are lost; close it here: 'Hello'",
      id: "unclosed-quote", fix: "'Hello'"),
    Loss(
      name: "unclosed quote in an item", text: "- t: ⟦\"Hello⟧\n  b: \"World\"\n",
      message:
        "this quote is closed only in line 2, so the keys between are lost; close it here: \"Hello\"",
      id: "unclosed-quote", fix: "\"Hello\""),
    Loss(
      name: "unclosed quote with CR LF", text: "a: ⟦\"Hello⟧\r\nb: World\"\r\n",
      message:
        "this quote is closed only in line 2, so the keys between are lost; close it here: \"Hello\"",
      id: "unclosed-quote", fix: "\"Hello\""),
    Loss(
      name: "unclosed quote between brackets", text: "a: {\n  b: ⟦\"Hello⟧\n  c: World\",\n  }\n",
      message:
        "this quote is closed only in line 3; if there are keys between, close it here: \"Hello\"",
      id: "unclosed-quote", severity: .warning),
    Loss(
      name: "number sign in a text", text: "é: Bread ⟦#1⟧\n",
      message: "'#1' is read as a comment and lost; to keep it, write \"Bread #1\"",
      id: "comment-in-text",
      severity: .warning, fix: "\"Bread #1\""),
    Loss(
      name: "number sign behind a comma", text: "a: Bread, ⟦#1⟧\n",
      message: "'#1' is read as a comment and lost; to keep it, write \"Bread, #1\"",
      id: "comment-in-text",
      severity: .warning, fix: "\"Bread, #1\""),
    Loss(
      name: "number sign behind two lines", text: "a: Bread\n  and butter ⟦#1⟧\nb: c\n",
      message: "'#1' is read as a comment and lost; to keep it, put the text in quotes",
      id: "comment-in-text",
      severity: .warning),
    Loss(
      name: "number sign at the beginning of a text's second line",
      text: "a: Only today\n  ⟦#1 flowers⟧\nb: c\n",
      message: "'#1 flowers' is read as a comment and lost; to keep it, put the text in quotes",
      id: "comment-in-text", severity: .warning),
    Loss(
      name: "number sign at the end of a file", text: "a: Only today\r\n  ⟦#1 flowers⟧",
      message: "'#1 flowers' is read as a comment and lost; to keep it, put the text in quotes",
      id: "comment-in-text", severity: .warning),
    Loss(
      name: "number sign in the second line of an item", text: "a:\n  - b: c\n      ⟦#1 flowers⟧\n",
      message: "'#1 flowers' is read as a comment and lost; to keep it, put the text in quotes",
      id: "comment-in-text", severity: .warning),
    Loss(
      name: "number sign between two lines of a text",
      text: "a: Only today\n  ⟦# 1 flowers⟧\n  and more\nb: c\n",
      message:
        "'# 1 flowers' is read as a comment, which ends the text above it; to keep it, put the text in quotes",
      id: "comment-in-text"),
    Loss(
      name: "number sign between two lines of an item",
      text: "- Only today\r\n  ⟦#1 flowers⟧\r\n  #2 and\r\n  more\r\n",
      message:
        "'#1 flowers' is read as a comment, which ends the text above it; to keep it, put the text in quotes",
      id: "comment-in-text"),
    Loss(
      name: "comment below a comment that ends a text", text: "a: b ⟦#1⟧\n  #2\n",
      message: "'#1' is read as a comment and lost; to keep it, write \"b #1\"",
      id: "comment-in-text", severity: .warning, fix: "\"b #1\""),
    Loss(
      name: "colour below a comment", text: "a: # bright\n  ⟦#FFAA00⟧\nb: c\n",
      message:
        "'#FFAA00' is read as a comment, so there is no value; to keep it, write \"#FFAA00\"",
      id: "comment-in-text", severity: .warning, fix: "\"#FFAA00\""),
    Loss(
      name: "colour below its key", text: "a:\n  ⟦#FFAA00⟧\nb: c\n",
      message:
        "'#FFAA00' is read as a comment, so there is no value; to keep it, write \"#FFAA00\"",
      id: "comment-in-text", severity: .warning, fix: "\"#FFAA00\""),
    Loss(
      name: "colour without quotes", text: "a: ⟦#FFAA00⟧ \nb: c\n",
      message:
        "'#FFAA00' is read as a comment, so there is no value; to keep it, write \"#FFAA00\"",
      id: "comment-in-text", severity: .warning, fix: "\"#FFAA00\""),
    Loss(
      name: "colour in a list", text: "a:\n  - b\n  - ⟦#FFAA00⟧\n",
      message:
        "'#FFAA00' is read as a comment, so there is no value; to keep it, write \"#FFAA00\"",
      id: "comment-in-text", severity: .warning, fix: "\"#FFAA00\""),
    Loss(
      name: "colour between brackets", text: "a: [b, ⟦#FFAA00⟧\n  ]\n",
      message:
        "'#FFAA00' is read as a comment, so there is no value; to keep it, put the text in quotes",
      id: "comment-in-text", severity: .warning),
    Loss(
      name: "text behind a block's sign", text: "a: > ⟦#1 bread⟧\n  fresh\n",
      message:
        "'#1 bread' is read as a comment and lost; to keep it, begin the text in the next line",
      id: "comment-in-text", severity: .warning),
    Loss(
      name: "ampersand at the beginning of a text", text: "a: ⟦&more⟧ flowers # c\n",
      message: "'&more' is read as an anchor, not as text; to keep it, write \"&more flowers\"",
      id: "unused-anchor",
      severity: .warning, fix: "\"&more flowers\""),
    Loss(
      name: "anchor without an alias", text: "a: ⟦&x⟧\n  b: c\n",
      message: "no alias '*x' uses the anchor '&x'; delete the anchor", id: "unused-anchor",
      severity: .warning),
    Loss(
      name: "anchor that another one replaces", text: "a: ⟦&x⟧ {b: c}\nd: &x {e: f}\ng: *x\n",
      message: "no alias '*x' uses the anchor '&x'; delete the anchor", id: "unused-anchor",
      severity: .warning),
  ]

  @Test(arguments: refused + losses)
  func reportsTheLoss(_ loss: Loss) throws {
    let marked = MarkedText(loss.text)
    let found = YAMLReader().read(marked.bytes, path: "a").diagnostics
    #expect(found.map(\.message) == [loss.message])
    let diagnostic = try #require(found.first)
    #expect((diagnostic.id, diagnostic.severity) == (loss.id, loss.severity))
    #expect(diagnostic.location?.range == marked.ranges.first)
    #expect(diagnostic.fixIt?.replacement == loss.fix)
  }

  @Test(arguments: [
    "a: b # c\n", "a: b # c\n  #d\n", "a: b ##\n", "a: b #\n", "a: \"b\" #c\n", "a: #c\n  b: d\n",
    "- #c\n  a: b\n",
    "#a\nb: c\n  # d\n", "a:\n  b: c\n  #d\n", "a: b\n\n  #c\n", "a: b\n#c\n", "a: b\n  #c: d\n",
    "a:\n  #b: c\n  d: e\n", "a:\n  - b\n  #c\n  #- d\n", "a:\n  #b\n  c: d\n", "a: 'b'\n  #c\n",
    "a: \"b\n  c: d\"\n", "a: 'b\n\n  - c\n  d'\n", "a:\n  - \"b\n    c\"\n", "\"a\nb\"\n",
    "- \"a\n\n b\"\n",
    "a: |\n  b\n\n  # c\n", "a: |2\n   \n  b\n", "a: >\n\n  b\n", "a: [b#c, d] #e\n", "? a\n: b\n",
    "{? a : b}\n",
    "x: &x {a: b}\ny: {<<: *x}\n", "x: &x\n  a: b\ny:\n  <<: *x\n  c: d\n", "a: \"b\n  \tc\"\n",
    "a: b#c\n",
    "a: [{b: c} #d\n  ]\n",
  ])
  func reportsNothingForStandardYAML(text: String) {
    #expect(YAMLReader().read(Array(text.utf8), path: "a").diagnostics.map(\.message) == [])
  }

  /// Rails' locale files name a mapping and merge it below.
  @Test func acceptsTheMergeKeysOfRails() throws {
    let text =
      "en: &en\n  date: &date\n    order: [year]\n  time:\n    <<: *date\nen-GB:\n  <<: *en\n"
    let read = YAMLReader().read(Array(text.utf8), path: "a")
    #expect(read.diagnostics.isEmpty)
    #expect(read.output?["en-GB"]?["time"]?["order"]?.items.map(\.text) == ["year"])
  }
}
