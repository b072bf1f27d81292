import Diagnostics
import Testing

@testable import YAML

@Suite struct RefusalTests {
  /// One row of a table: a file, edits that it refuses, and the problems.
  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var file: String
    var edits: [String]
    /// Each problem as `edit line:column message`, with `-` for the whole file.
    var problems: [String]

    init(_ name: String, file: String, edits: String..., problems: String...) {
      (self.name, self.file, self.edits, self.problems) = (name, file, edits, problems)
    }

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      "invalid", file: "a: [\n", edits: "a", problems: "- a file must be valid YAML before"),
    Case(
      "two documents", file: "a: 1\n---\nb: 2\n", edits: "a",
      problems: "- a file must be valid YAML before"),
    Case(
      "duplicate key", file: "a: 1\na: 2\n", edits: "a", problems: "- a file must be valid YAML"),
    Case("mapping", file: "a:\n  b: 1\n", edits: "a", problems: "0 2:3 the value must be a text"),
    Case("list", file: "a: [1]\n", edits: "a", problems: "0 1:4 the value must be a text"),
    Case("no mapping", file: "a: x\n", edits: "a/b", problems: "0 1:4 the value must be a mapping"),
    Case(
      "no list", file: "a: {b: 1}\n", edits: "a/[0]", "a/#x/y",
      problems: "0 1:4 the value must be a list", "1 1:4 the value must be a list"),
    Case("far item", file: "- a\n", edits: "[2]", problems: "0 1:1 the list has no item 3, only 1"),
    Case(
      "twice the id", file: "- id: a\n- id: a\n", edits: "#a/b",
      problems: "0 1:1 only one item of a list may have the id 'a'"),
    Case("tag", file: "a: !!int 5\n", edits: "a", problems: "0 1:10 a value with the tag '!!int'"),
    Case(
      "part of an edit", file: "a:\n", edits: "a/b", "a",
      problems: "1 1:3 two edits change the same value"),
    Case(
      "key and item", file: "a:\n", edits: "a/b", "a/[0]",
      problems: "1 1:3 two edits change the same value"),
    Case(
      "item twice", file: "- id: x\n", edits: "#x/a", "[0]/a",
      problems: "1 1:1 two edits change the same value"),
    Case(
      "pair without brackets", file: "[a: 1]\n", edits: "[0]/b",
      problems: "0 1:2 the value is written in a form"),
    Case(
      "no colon", file: "? a\n? b\n", edits: "b", problems: "0 2:4 the value is written in a form"),
    Case(
      "all problems", file: "a: [1]\nb: x\nc: 1\n", edits: "b/c", "c", "a",
      problems: "0 2:4 the value must be a mapping", "2 1:4 the value must be a text"),
  ])
  func namesTheReasonAndThePlace(_ row: Case) throws {
    let edits = row.edits.map { YAMLEdit(YAMLEdit.steps($0), text: "new") }
    let failure = #expect(throws: YAMLEditFailure.self, "\(row.name)") {
      try YAMLFile(Array(row.file.utf8), path: "a.yaml").applying(edits)
    }
    let problems = (failure?.problems ?? []).map { problem in
      let start = problem.location.range.map { "\($0.start.line):\($0.start.column) " } ?? ""
      return (problem.edit.map { "\($0) \(start)" } ?? "- ") + problem.message
    }
    #expect(problems.count == row.problems.count, "\(row.name): \(problems)")
    for (problem, expected) in zip(problems, row.problems) {
      #expect(problem.hasPrefix(expected), "\(row.name): \(problem)")
    }
  }

  @Test func refusesAnAllowedDuplicateKeyThatAnEditChanges() throws {
    let file = YAMLFile(
      Array("a: 1\nb: old\na: 2\n".utf8), path: "a", reader: YAMLReader(duplicateKeys: .warning))
    let edited = try file.applying([YAMLEdit([.member("b")], text: "new")])
    #expect(edited == Array("a: 1\nb: new\na: 2\n".utf8))
    let failure = #expect(throws: YAMLEditFailure.self) {
      try file.applying([YAMLEdit([.member("a")], text: "new")])
    }
    #expect(failure?.problems.first?.message.hasPrefix("'a' must occur only once") == true)
  }

  @Test func refusesPathsDeeperThanFilesMayBe() {
    let path = [YAMLEdit.Step](repeating: .member("a"), count: 100_000)
    let failure = #expect(throws: YAMLEditFailure.self) {
      try YAMLFile([], path: "a").applying([YAMLEdit(path, text: "x")])
    }
    #expect(failure?.problems.map(\.edit) == [0])
  }

  @Test func refusesToCopyTooMuch() {
    let items = [String](repeating: "1", count: 30_000).joined(separator: ",")
    let failure = #expect(throws: YAMLEditFailure.self) {
      try YAMLFile(Array("a: &x [\(items)]\nb: *x\n".utf8), path: "a")
        .applying([YAMLEdit([.member("b"), .index(0)], text: "x")])
    }
    #expect(failure?.problems.first?.message.contains("too large to copy") == true)
  }

  /// Each list contains the previous one twice, so that a copy of the last one has a thousand
  /// nodes.
  @Test func copiesAliasesOfAliases() throws {
    var text = "l0: &l0 [x, x]\n"
    for level in 1..<9 { text += "l\(level): &l\(level) [*l\(level - 1), *l\(level - 1)]\n" }
    let edited = try YAMLFile(Array(text.utf8), path: "a")
      .applying([YAMLEdit(YAMLEdit.steps("l8/[1]/[0]"), text: "x")].dropLast() + [])
    #expect(edited == Array(text.utf8))
    let path = "l8" + String(repeating: "/[1]", count: 9)
    let changed = try YAMLFile(Array(text.utf8), path: "a")
      .applying([YAMLEdit(YAMLEdit.steps(path), text: "new")])
    #expect(changed.count > text.utf8.count + 1000)
  }
}
