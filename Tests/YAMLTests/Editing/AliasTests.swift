import Testing

@testable import YAML

@Suite struct AliasTests {
  @Test(arguments: [
    EditCase(
      "text", before: "a: &x old\nb: *x # c\n", edits: ("b", "new"),
      after: "a: old\nb: new # c\n"),
    EditCase(
      "lines", before: "a: &x old\nb: *x # c\n", edits: ("b", "n\nm"),
      after: "a: old\nb: |- # c\n  n\n  m\n"),
    EditCase(
      "another alias", before: "a: &x old\nb: *x\nc: *x\n", edits: ("b", "new"),
      after: "a: &x old\nb: new\nc: *x\n"),
    EditCase(
      "last alias of a block", before: "a: &x\n  t: 1\nb: *x\nc: [&y p, *y]\n",
      edits: ("c/[1]", "new"), after: "a: &x\n  t: 1\nb: *x\nc: [p, new]\n"),
    EditCase(
      "same text", before: "a: &x old\nb: *x\n", edits: ("b", "old"), after: "a: &x old\nb: *x\n"),
    EditCase(
      "mapping", before: "a: &x {t: 1, u: 2}\nb: *x\n", edits: ("b/t", "new"),
      after: "a: &x {t: 1, u: 2}\nb: {<<: *x, t: new}\n"),
    EditCase(
      "combining mark", before: "a: &x {\u{301}t: 1}\nb: *x\n", edits: ("b/\u{301}t", "new"),
      after: "a: &x {\u{301}t: 1}\nb: {<<: *x, \u{301}t: new}\n"),
    EditCase(
      "mapping, new key", before: "a: &x {t: 1}\nb: *x\nc: *x\n", edits: ("b/u", "new"),
      after: "a: &x {t: 1}\nb: {<<: *x, u: new}\nc: *x\n"),
    EditCase(
      "below", before: "a: &x {t: {u: 1, v: 2}, w: 3}\nb: *x\n", edits: ("b/t/u", "new"),
      after: "a: &x {t: {u: 1, v: 2}, w: 3}\nb: {<<: *x, t: {u: new, v: 2}}\n"),
    EditCase(
      "list", before: "a: &x [p, ~, 2, 'q, r']\nb: *x\n", edits: ("b/[0]", "new"),
      after: "a: [p, ~, 2, 'q, r']\nb: [new, null, 2, \"q, r\"]\n"),
    EditCase(
      "flow", before: "a: &x {t: 1}\nl: [*x]\n", edits: ("l/[0]/t", "new"),
      after: "a: &x {t: 1}\nl: [{<<: *x, t: new}]\n"),
    EditCase(
      "item by id", before: "a: &x {id: k, t: 1}\nl:\n  - *x\n", edits: ("l/#k/t", "new"),
      after: "a: &x {id: k, t: 1}\nl:\n  - {<<: *x, t: new}\n"),
  ])
  func replacesEditedAliasesByValues(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase(
      "merged key", before: "a: &x\n  t: 1\n  u: 2\nb:\n  <<: *x\n  v: 3\nc: 4\n",
      edits: ("b/t", "new"),
      after: "a: &x\n  t: 1\n  u: 2\nb:\n  <<: *x\n  v: 3\n  t: new\nc: 4\n"),
    EditCase(
      "merge only", before: "a: &x {t: 1}\nb:\n  <<: *x\n", edits: ("b/t", "new"),
      after: "a: &x {t: 1}\nb:\n  <<: *x\n  t: new\n"),
    EditCase(
      "own key", before: "a: &x {t: 1}\nb: {<<: *x, t: 2}\n", edits: ("b/t", "new"),
      after: "a: &x {t: 1}\nb: {<<: *x, t: new}\n"),
    EditCase(
      "below a merged key", before: "a: &x {t: {u: 1, v: 2}}\nb:\n  <<: *x\n",
      edits: ("b/t/u", "new"),
      after: "a: &x {t: {u: 1, v: 2}}\nb:\n  <<: *x\n  t: {u: new, v: 2}\n"),
    EditCase(
      "same text", before: "a: &x {t: old}\nb:\n  <<: *x\n", edits: ("b/t", "old"),
      after: "a: &x {t: old}\nb:\n  <<: *x\n"),
  ])
  func addsKeysForEditedMergedValues(_ row: EditCase) { row.check() }

  @Test(arguments: [
    EditCase(
      "text", before: "a: &x old\nb: *x\nc: *x\n", edits: ("a", "new"),
      after: "a: new\nb: &x old\nc: *x\n"),
    EditCase(
      "number", before: "a: &x 5\nb: *x\n", edits: ("a", "new"), after: "a: new\nb: 5\n"),
    EditCase(
      "literal", before: "a: &x |\n  p\n  q\nb: *x\n", edits: ("a", "new\n"),
      after: "a: |\n  new\nb: \"p\\nq\\n\"\n"),
    EditCase(
      "first alias edited, too", before: "a: &x old\nb: *x\nc: *x\n", edits: ("a", "new"),
      ("b", "n2"),
      after: "a: new\nb: n2\nc: old\n"),
    EditCase(
      "all edited", before: "a: &x old\nb: *x\n", edits: ("a", "new"), ("b", "n2"),
      after: "a: new\nb: n2\n"),
    EditCase(
      "name used again", before: "a: &x old\nb: &x other\nc: *x\n", edits: ("a", "new"),
      after: "a: &x new\nb: &x other\nc: *x\n"),
    EditCase(
      "inside a merged mapping", before: "a: &x\n  t: 1\n  u: p\nb:\n  <<: *x\n",
      edits: ("a/u", "new"), after: "a:\n  t: 1\n  u: new\nb:\n  <<: {t: 1, u: p}\n"),
    EditCase(
      "with a tag", before: "a: !!str &x 5\nb: *x\n", edits: ("a", "new"),
      after: "a: !!str new\nb: \"5\"\n"),
    EditCase(
      "both sides", before: "a: &x {t: p}\nb: *x\nc: *x\n", edits: ("a/t", "q"), ("b/t", "r"),
      after: "a: {t: q}\nb: {t: r}\nc: {t: p}\n"),
    EditCase(
      "anchor without an alias", before: "a: &x old\n", edits: ("a", "new"), after: "a: &x new\n"),
    EditCase(
      "alias as a key", before: "a: &x old\nb:\n  *x : 1\n", edits: ("a", "new"),
      after: "a: new\nb:\n  old : 1\n"),
  ])
  func keepsTheValuesOfOtherAliases(_ row: EditCase) { row.check() }
}
