import Testing

@testable import YAML

@Suite struct ScalarEditTests {
  @Test(arguments: [
    EditCase(
      "plain", before: "a: old # c\nb: 2\n", edits: ("a", "new"), after: "a: new # c\nb: 2\n"),
    EditCase(
      "plain, quoted by need", before: "a: old\n", edits: ("a", "x: y"), after: "a: \"x: y\"\n"),
    EditCase("comment sign", before: "a: old\n", edits: ("a", "x #y"), after: "a: \"x #y\"\n"),
    EditCase("no comment", before: "a: old\n", edits: ("a", "x#y"), after: "a: x#y\n"),
    EditCase(
      "address", before: "a: old\n", edits: ("a", "https://x/?y=1"), after: "a: https://x/?y=1\n"),
    EditCase("colon at the end", before: "a: old\n", edits: ("a", "x:"), after: "a: \"x:\"\n"),
    EditCase("spaces at the ends", before: "a: old\n", edits: ("a", " x "), after: "a: \" x \"\n"),
    EditCase("empty text", before: "a: old\n", edits: ("a", ""), after: "a: \"\"\n"),
    EditCase("quotes inside", before: "a: old\n", edits: ("a", "\"x\" y"), after: "a: '\"x\" y'\n"),
    EditCase("apostrophe", before: "a: old\n", edits: ("a", "it's"), after: "a: it's\n"),
    EditCase(
      "both quotes", before: "a: old\n", edits: ("a", "\"it's\""), after: "a: \"\\\"it's\\\"\"\n"),
    EditCase("indicator", before: "a: old\n", edits: ("a", "*x"), after: "a: \"*x\"\n"),
    EditCase("percent", before: "a: old\n", edits: ("a", "%{n} x"), after: "a: \"%{n} x\"\n"),
    EditCase("dash", before: "a: old\n", edits: ("a", "- x"), after: "a: \"- x\"\n"),
    EditCase("dash without a space", before: "a: old\n", edits: ("a", "-q"), after: "a: -q\n"),
    EditCase("document marker", before: "--- old\n", edits: ("", "---"), after: "--- \"---\"\n"),
    EditCase("tab", before: "a: old\n", edits: ("a", "x\ty"), after: "a: \"x\\ty\"\n"),
    EditCase(
      "control", before: "a: old\n", edits: ("a", "x\u{7}y\r"), after: "a: \"x\\x07y\\r\"\n"),
    EditCase("mark", before: "a: old\n", edits: ("a", "\u{FEFF}y"), after: "a: \"\\uFEFFy\"\n"),
    EditCase(
      "private plane", before: "a: old\n", edits: ("a", "\u{F0000}"), after: "a: \"\\U000F0000\"\n"),
    EditCase(
      "other line breaks", before: "a: old\nb: x\u{85}y\n", edits: ("a", "x\u{2028}y"),
      after: "a: \"x\\Ly\"\nb: x\u{85}y\n"),
    EditCase("emoji", before: "é: ü # ö\n", edits: ("é", "🌷 ä"), after: "é: 🌷 ä # ö\n"),
    EditCase(
      "over lines", before: "a: one\n  two\nb: 1\n", edits: ("a", "x"), after: "a: x\nb: 1\n"),
    EditCase(
      "below the key", before: "a:\n  old\nb: 1\n", edits: ("a", "x"), after: "a:\n  x\nb: 1\n"),
    EditCase("root", before: "old # c", edits: ("", "new"), after: "new # c"),
    EditCase("string tag", before: "a: !!str 5\n", edits: ("a", "x"), after: "a: !!str x\n"),
    EditCase("tag without a name", before: "a: ! x\n", edits: ("a", "w"), after: "a: ! w\n"),
    EditCase("anchor", before: "a: &x old\nb: 1\n", edits: ("a", "w"), after: "a: &x w\nb: 1\n"),
    EditCase(
      "flow", before: "a: {b: old, c: 1}\n", edits: ("a/b", "x, y"),
      after: "a: {b: \"x, y\", c: 1}\n"),
    EditCase("flow, colon", before: "[old]\n", edits: ("[0]", "a:b"), after: "[\"a:b\"]\n"),
    EditCase("flow, bracket", before: "[a, old]\n", edits: ("[1]", "x]"), after: "[a, \"x]\"]\n"),
    EditCase("item", before: "- a\n- old\n", edits: ("[1]", "new"), after: "- a\n- new\n"),
    EditCase(
      "item by id", before: "l:\n- id: x\n  t: old\n- id: y\n  t: b\n", edits: ("l/#x/t", "new"),
      after: "l:\n- id: x\n  t: new\n- id: y\n  t: b\n"),
    EditCase(
      "same text", before: "a: \"x\\u0020y\"\n", edits: ("a", "x y"), after: "a: \"x\\u0020y\"\n"),
    EditCase("same number", before: "a: 5\n", edits: ("a", "5"), after: "a: 5\n"),
    EditCase("no end of line", before: "a: 1\nb: old", edits: ("b", "new"), after: "a: 1\nb: new"),
    EditCase(
      "mark and CR LF", before: "\u{FEFF}a: old\r\nb: 1\r\n", edits: ("a", "x"),
      after: "\u{FEFF}a: x\r\nb: 1\r\n"),
    EditCase("CR", before: "a: old\rb: 1\r", edits: ("a", "x"), after: "a: x\rb: 1\r"),
    EditCase(
      "markers", before: "%YAML 1.2\n---\na: old\n...\n", edits: ("a", "x"),
      after: "%YAML 1.2\n---\na: x\n...\n"),
    EditCase(
      "complex key", before: "? a\n: old\nb: 1\n", edits: ("a", "x"), after: "? a\n: x\nb: 1\n"),
    EditCase("number as a key", before: "1: old\n", edits: ("1", "x"), after: "1: x\n"),
    EditCase("tabs", before: "a:\told\t# c\n", edits: ("a", "x"), after: "a:\tx\t# c\n"),
  ])
  func replacesValuesInALine(_ row: EditCase) { row.check() }

  @Test(arguments: [
    "~", "null", "Null", "true", "False", "yes", "No", "on", "off", "y", "N", "12", "-3", "+1",
    "0x1F",
    "0o7", "1_000", "1.5", "1e3", ".5", ".inf", "-.INF", ".nan", "12:30", "2024-01-01",
    "2024-01-01T12:00:00Z", "=", "<<", "NULL", "0b1",
  ])
  func quotesTextsThatMeanOtherValues(_ text: String) {
    EditCase(text, before: "a: old\nb: 1\n", edits: ("a", text), after: "a: \"\(text)\"\nb: 1\n")
      .check()
  }

  @Test(arguments: [
    EditCase("single", before: "a: 'old' # c\n", edits: ("a", "it's"), after: "a: 'it''s' # c\n"),
    EditCase("single keeps numbers", before: "a: 'old'\n", edits: ("a", "12"), after: "a: '12'\n"),
    EditCase(
      "single, control", before: "a: 'old'\n", edits: ("a", "\u{1}"), after: "a: \"\\x01\"\n"),
    EditCase(
      "single over lines", before: "a: 'x\n  y'\nb: 1\n", edits: ("a", "z"), after: "a: 'z'\nb: 1\n"
    ),
    EditCase(
      "double", before: "a: \"old\"\n", edits: ("a", "a\"b\\c"), after: "a: \"a\\\"b\\\\c\"\n"),
    EditCase(
      "double keeps plain words", before: "a: \"old\"\n", edits: ("a", "x"), after: "a: \"x\"\n"),
    EditCase(
      "double keeps breaks", before: "a: \"x\\ny\"\n", edits: ("a", "p\nq"),
      after: "a: \"p\\nq\"\n"),
    EditCase(
      "json", before: "{\"a\": \"x\", \"b\": 1}", edits: ("a", "y\n"),
      after: "{\"a\": \"y\\n\", \"b\": 1}"),
  ])
  func keepsQuotes(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase("colon only", before: "a:\nb: 1\n", edits: ("a", "x"), after: "a: x\nb: 1\n"),
    EditCase("comment", before: "a:   # c\nb: 1\n", edits: ("a", "x"), after: "a: x   # c\nb: 1\n"),
    EditCase("tilde", before: "a: ~\n", edits: ("a", "x"), after: "a: x\n"),
    EditCase("text of null", before: "a: ~\n", edits: ("a", "~"), after: "a: \"~\"\n"),
    EditCase("end of file", before: "a:", edits: ("a", "x"), after: "a: x"),
    EditCase("item", before: "-\n- b\n", edits: ("[0]", "x"), after: "- x\n- b\n"),
    EditCase("flow", before: "{a: , b: 1}\n", edits: ("a", "x"), after: "{a: x , b: 1}\n"),
    EditCase("flow at the bracket", before: "{a: }\n", edits: ("a", "x"), after: "{a: x }\n"),
    EditCase("flow, key only", before: "{a, b: 1}\n", edits: ("a", "x"), after: "{a: x, b: 1}\n"),
    EditCase("anchor only", before: "a: &x\nb: 1\n", edits: ("a", "w"), after: "a: &x w\nb: 1\n"),
    EditCase(
      "tag only", before: "a: !!str\nb: 1\n", edits: ("a", "w"), after: "a: !!str w\nb: 1\n"),
    EditCase(
      "lines", before: "a: # c\nb: 1\n", edits: ("a", "x\ny"), after: "a: |- # c\n  x\n  y\nb: 1\n"),
  ])
  func fillsMissingValues(_ row: EditCase) { row.check() }
}
