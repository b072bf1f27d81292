import Testing

@testable import YAML

@Suite struct BlockEditTests {
  @Test(arguments: [
    EditCase(
      "literal", before: "a: |\n  one\n  two\nb: 1\n", edits: ("a", "x\n\ny\n"),
      after: "a: |\n  x\n\n  y\nb: 1\n"),
    EditCase(
      "chomping changes", before: "a: |\n  one\nb: 1\n", edits: ("a", "x"),
      after: "a: |-\n  x\nb: 1\n"),
    EditCase(
      "strip to clip", before: "a: |-  # c\n  one\nb: 1\n", edits: ("a", "x\n"),
      after: "a: |  # c\n  x\nb: 1\n"),
    EditCase(
      "blank lines stay", before: "a: |\n  one\n\n\nb: 1\n", edits: ("a", "x\n"),
      after: "a: |\n  x\n\n\nb: 1\n"),
    EditCase(
      "keep", before: "a: |+\n  one\n\nb: 1\n", edits: ("a", "x\n\n\n"),
      after: "a: |+\n  x\n\n\nb: 1\n"),
    EditCase(
      "keep with one break", before: "a: |+\n  one\n\nb: 1\n", edits: ("a", "x\n"),
      after: "a: |+\n  x\nb: 1\n"),
    EditCase(
      "clip to keep", before: "a: |\n  one\n\n\n\nb: 1\n", edits: ("a", "x\n\n"),
      after: "a: |+\n  x\n\nb: 1\n"),
    EditCase(
      "wide indentation", before: "a:\n    b: |\n        one\n    c: 1\n", edits: ("a/b", "x\ny\n"),
      after: "a:\n    b: |\n        x\n        y\n    c: 1\n"),
    EditCase(
      "indicator by need", before: "a: |\n  one\n", edits: ("a", "  x\ny\n"),
      after: "a: |2\n    x\n  y\n"),
    EditCase(
      "indicator stays", before: "a: |3-\n    one\n", edits: ("a", "x"), after: "a: |3-\n   x\n"),
    EditCase(
      "comment after it", before: "a: |\n  one\n# c\nb: 1\n", edits: ("a", "x\n"),
      after: "a: |\n  x\n# c\nb: 1\n"),
    EditCase(
      "CR LF", before: "a: |\r\n  one\r\nb: 1\r\n", edits: ("a", "x\ny\n"),
      after: "a: |\r\n  x\r\n  y\r\nb: 1\r\n"),
    EditCase(
      "no end of line", before: "a: |-\n  one", edits: ("a", "x\ny"), after: "a: |-\n  x\n  y"),
    EditCase(
      "end of line by need", before: "a: |-\n  one", edits: ("a", "x\n"), after: "a: |\n  x\n"),
    EditCase(
      "no block can hold it", before: "a: | # c\n  one\n  two\nb: 1\n", edits: ("a", "x\u{7}"),
      after: "a: \"x\\x07\" # c\nb: 1\n"),
    EditCase("empty", before: "a: |\n  one\nb: 1\n", edits: ("a", ""), after: "a: \"\"\nb: 1\n"),
    EditCase(
      "breaks only", before: "a: |\n  one\n", edits: ("a", "\n\n"), after: "a: \"\\n\\n\"\n"),
    EditCase(
      "item", before: "- |\n  one\n- b\n", edits: ("[0]", "x\n"), after: "- |\n  x\n- b\n"),
    EditCase(
      "root", before: "--- |\n one\n two\n", edits: ("", "x\ny\n"), after: "--- |\n x\n y\n"),
    EditCase(
      "spaces at the end of the text", before: "a: |-\n  one  \n  two  \nb: 1\n", edits: ("a", "x"),
      after: "a: |-\n  x\nb: 1\n"),
    EditCase(
      "signs of comments", before: "a: |\n  one\n", edits: ("a", "# x\n- y: z\n"),
      after: "a: |\n  # x\n  - y: z\n"),
    EditCase(
      "no lines before", before: "a: |\nb: 1\n", edits: ("a", "x\n"), after: "a: |\n  x\nb: 1\n"),
    EditCase(
      "quotes", before: "a: |\n  o\n", edits: ("a", "\"x\" 'y'\n"), after: "a: |\n  \"x\" 'y'\n"),
  ])
  func keepsLiteralStyle(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase(
      "folded", before: "a: >\n  one two\nb: 1\n", edits: ("a", "x y\n"),
      after: "a: >\n  x y\nb: 1\n"),
    EditCase(
      "paragraphs", before: "a: >-\n  one\n\n  two\nb: 1\n", edits: ("a", "x\ny\n\nz"),
      after: "a: >-\n  x\n\n  y\n\n\n  z\nb: 1\n"),
    EditCase(
      "width", before: "a: >-\n  one two three\n  four\nb: 1\n",
      edits: ("a", "a bb ccc dddd eeeee f"),
      after: "a: >-\n  a bb ccc dddd\n  eeeee f\nb: 1\n"),
    EditCase(
      "spaces at the start", before: "a: >\n  one\n", edits: ("a", "x\n y\n"),
      after: "a: |\n  x\n   y\n"),
  ])
  func keepsFoldedStyle(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase(
      "plain", before: "a: old # c\nb: 1\n", edits: ("a", "x\ny"),
      after: "a: |- # c\n  x\n  y\nb: 1\n"),
    EditCase(
      "plain, clip", before: "a: old\nb: 1", edits: ("a", "x\ny\n"), after: "a: |\n  x\n  y\nb: 1"),
    EditCase("at the end", before: "a: old", edits: ("a", "x\n"), after: "a: |\n  x\n"),
    EditCase("single", before: "a: 'old'\n", edits: ("a", "x\ny"), after: "a: |-\n  x\n  y\n"),
    EditCase("double", before: "a: \"old\"\n", edits: ("a", "x\ny"), after: "a: |-\n  x\n  y\n"),
    EditCase(
      "over lines", before: "a: 'x\n\n  y' # c\nb: 1\n", edits: ("a", "p\nq"),
      after: "a: |- # c\n  p\n  q\nb: 1\n"),
    EditCase("flow", before: "a: [old]\n", edits: ("a/[0]", "x\ny"), after: "a: [\"x\\ny\"]\n"),
    EditCase(
      "file's step", before: "a:\n    b: old\n", edits: ("a/b", "x\ny"),
      after: "a:\n    b: |-\n        x\n        y\n"),
    EditCase(
      "first line indented", before: "a:\n  b: old\n", edits: ("a/b", " x\ny"),
      after: "a:\n  b: |2-\n     x\n    y\n"),
    EditCase(
      "breaks at the end", before: "a: old\n\nb: 1\n", edits: ("a", "x\n\n"),
      after: "a: \"x\\n\\n\"\n\nb: 1\n"),
    EditCase(
      "item in a list", before: "l:\n- old\n- b\n", edits: ("l/[0]", "x\ny"),
      after: "l:\n- |-\n  x\n  y\n- b\n"),
    EditCase(
      "below the key", before: "a:\n  old\nb: 1\n", edits: ("a", "x\ny"),
      after: "a:\n  |-\n  x\n  y\nb: 1\n"),
  ])
  func writesSeveralLinesAsABlock(_ row: EditCase) { row.check() }
}
