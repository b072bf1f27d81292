import Testing

@testable import YAML

@Suite struct InsertionTests {
  @Test(arguments: [
    EditCase("last", before: "a: 1\n", edits: ("b", "x"), after: "a: 1\nb: x\n"),
    EditCase("no end of line", before: "a: 1", edits: ("b", "x"), after: "a: 1\nb: x"),
    EditCase("CR LF", before: "a: 1\r\n", edits: ("b", "x"), after: "a: 1\r\nb: x\r\n"),
    EditCase(
      "comments", before: "a:\n  b: 1 # c\n  # next\n\nd: 2\n", edits: ("a/e", "x"),
      after: "a:\n  b: 1 # c\n  e: x\n  # next\n\nd: 2\n"),
    EditCase(
      "order", before: "a: 1\n", edits: ("c", "x"), ("b", "w"), after: "a: 1\nc: x\nb: w\n"),
    EditCase(
      "inner and outer", before: "a:\n  b: 1\n", edits: ("c", "x"), ("a/d", "w"),
      after: "a:\n  b: 1\n  d: w\nc: x\n"),
    EditCase(
      "after a literal", before: "a: |\n  x\n\n# c\n", edits: ("b", "w"),
      after: "a: |\n  x\nb: w\n\n# c\n"),
    EditCase(
      "after a kept literal", before: "a: |+\n  x\n\n", edits: ("b", "w"),
      after: "a: |+\n  x\n\nb: w\n"),
    EditCase(
      "after an edited literal", before: "a: |\n  x\n\n", edits: ("a", "p\n\n"), ("b", "w"),
      after: "a: |+\n  p\n\nb: w\n"),
    EditCase(
      "after a new block", before: "a: old", edits: ("a", "p\nq\n"), ("b", "w"),
      after: "a: |\n  p\n  q\nb: w"),
    EditCase(
      "after a literal without an end of line", before: "a: |\n  x", edits: ("b", "z"),
      after: "a: |-\n  x\nb: z"),
    EditCase(
      "null", before: "a:  # c\nb: 1\n", edits: ("a/c", "x"), after: "a:  # c\n  c: x\nb: 1\n"),
    EditCase("tilde", before: "a: ~\n", edits: ("a/c", "x"), after: "a: {c: x}\n"),
    EditCase(
      "parents", before: "a:\n    b: 1\n", edits: ("c/d/e", "x"), ("c/d/f", "w"),
      after: "a:\n    b: 1\nc:\n    d:\n        e: x\n        f: w\n"),
    EditCase("quoted key", before: "a: 1\n", edits: ("no", "x"), after: "a: 1\n\"no\": x\n"),
    EditCase(
      "key with a colon", before: "a: 1\n", edits: ("b: c", "x"), after: "a: 1\n\"b: c\": x\n"),
    EditCase("lines", before: "a: 1\n", edits: ("b", "x\ny\n"), after: "a: 1\nb: |\n  x\n  y\n"),
    EditCase(
      "mapping in a list", before: "- a: 1\n- b: 2\n", edits: ("[0]/c", "x"),
      after: "- a: 1\n  c: x\n- b: 2\n"),
    EditCase("complex key", before: "? a\n: 1\n", edits: ("b", "x"), after: "? a\n: 1\nb: x\n"),
    EditCase(
      "markers", before: "---\na: 1\n...\n", edits: ("b", "x"), after: "---\na: 1\nb: x\n...\n"),
    EditCase(
      "anchored mapping", before: "a: &x\n  b: 1\n", edits: ("a/c", "w"),
      after: "a: &x\n  b: 1\n  c: w\n"),
    EditCase(
      "null at the end", before: "a:\n  b:\nc: 1\n", edits: ("a/d", "x"),
      after: "a:\n  b:\n  d: x\nc: 1\n"),
  ])
  func addsMembersToBlocks(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase("one line", before: "{a: 1}\n", edits: ("b", "x"), after: "{a: 1, b: x}\n"),
    EditCase("spaces", before: "a: { b: 1 }\n", edits: ("a/c", "x"), after: "a: { b: 1, c: x }\n"),
    EditCase("comma", before: "{a: 1,}\n", edits: ("b", "x"), after: "{a: 1, b: x,}\n"),
    EditCase("empty", before: "a: {}\n", edits: ("a/b", "x"), after: "a: {b: x}\n"),
    EditCase("null", before: "a: {b: }\n", edits: ("a/b/c", "x"), after: "a: {b: {c: x} }\n"),
    EditCase("after null", before: "{a: }\n", edits: ("b", "x"), after: "{a: , b: x }\n"),
    EditCase("after a key", before: "{a}\n", edits: ("b", "x"), after: "{a, b: x}\n"),
    EditCase("nested", before: "{a: 1}\n", edits: ("b/c", "x"), after: "{a: 1, b: {c: x}}\n"),
    EditCase(
      "lines", before: "{\n  a: 1, # c\n  b: 2 # d\n}\n", edits: ("c", "x"), ("d", "w"),
      after: "{\n  a: 1, # c\n  b: 2, # d\n  c: x,\n  d: w\n}\n"),
    EditCase(
      "lines and a comma", before: "{\n  a: 1,\n}\n", edits: ("b", "x"),
      after: "{\n  a: 1,\n  b: x,\n}\n"),
    EditCase(
      "JSON", before: "{\n\t\"a\": 1\n}", edits: ("b", "x"),
      after: "{\n\t\"a\": 1,\n\t\"b\": \"x\"\n}"),
    EditCase("list", before: "[a, b]\n", edits: ("[2]", "x"), after: "[a, b, x]\n"),
    EditCase(
      "id", before: "[{id: a, t: b}]\n", edits: ("#c/t", "x"),
      after: "[{id: a, t: b}, {id: c, t: x}]\n"),
  ])
  func addsMembersToFlows(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase("empty", before: "", edits: ("a", "x"), after: "a: x\n"),
    EditCase("braces", before: "{}\n", edits: ("a/b", "x"), after: "a:\n  b: x\n"),
    EditCase("comments", before: "# c\n", edits: ("a", "x"), after: "# c\na: x\n"),
    EditCase("comment without an end", before: "# c", edits: ("a", "x"), after: "# c\na: x"),
    EditCase(
      "CR LF", before: "# c\r\n", edits: ("a", "x"), ("b", "w"), after: "# c\r\na: x\r\nb: w\r\n"),
    EditCase("mark", before: "\u{FEFF}", edits: ("a", "x"), after: "\u{FEFF}a: x\n"),
    EditCase("marker", before: "---\n", edits: ("a", "x"), after: "---\na: x\n"),
    EditCase(
      "both markers", before: "---\n# c\n...\n", edits: ("a", "x"), after: "---\n# c\na: x\n...\n"),
    EditCase(
      "literal", before: "", edits: ("a", "x\ny"), ("b", "z"), after: "a: |-\n  x\n  y\nb: z\n"),
    EditCase("list", before: "", edits: ("#a/t", "x"), after: "- id: a\n  t: x\n"),
  ])
  func fillsEmptyFiles(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase(
      "item by id", before: "l:\n  - id: a\n    t: x\n", edits: ("l/#b/t", "w"), ("l/#b/u", "z"),
      after: "l:\n  - id: a\n    t: x\n  - id: b\n    t: w\n    u: z\n"),
    EditCase(
      "new list", before: "a: 1\n", edits: ("l/#b/t", "w"), after: "a: 1\nl:\n  - id: b\n    t: w\n"
    ),
    EditCase(
      "list at the key's column", before: "k:\n- 1\n", edits: ("l/#b/t", "w"),
      after: "k:\n- 1\nl:\n- id: b\n  t: w\n"),
    EditCase(
      "text", before: "- a\n", edits: ("[1]", "b"), ("[2]", "c\nd"),
      after: "- a\n- b\n- |-\n  c\n  d\n"),
    EditCase(
      "deep", before: "a: 1\n", edits: ("l/#b/m/#c/t", "w"),
      after: "a: 1\nl:\n  - id: b\n    m:\n      - id: c\n        t: w\n"),
    EditCase(
      "id as an edit", before: "- id: a\n", edits: ("#b/id", "b"), after: "- id: a\n- id: b\n"),
    EditCase(
      "mapping by index", before: "- a: 1\n", edits: ("[1]/a", "x"), after: "- a: 1\n- a: x\n"),
    EditCase(
      "list in a list", before: "- [a]\n", edits: ("[1]/[0]", "x"), after: "- [a]\n-\n  - x\n"),
    EditCase(
      "null item", before: "-\n- a\n", edits: ("[0]/k", "x"), after: "-\n  k: x\n- a\n"),
    EditCase(
      "number as id", before: "- id: 7\n  t: a\n", edits: ("#7/t", "x"), after: "- id: 7\n  t: x\n"),
  ])
  func addsItems(_ row: EditCase) { row.check() }
}
