import ContentModel
import TestInputs
import Testing

@testable import Diagnostics

@Suite struct ServiceReportTests {
  private static func range(_ line: Int, _ columns: Range<Int>) -> SourceRange {
    SourceRange(
      from: SourcePosition(line: line, column: columns.lowerBound),
      to: SourcePosition(line: line, column: columns.upperBound))
  }

  private static func place(
    _ path: String, _ line: Int = 1, _ columns: Range<Int> = 1..<2
  ) -> Diagnostics.SourceLocation {
    Diagnostics.SourceLocation(path: path, range: range(line, columns))
  }

  private func report(_ diagnostics: [Diagnostic], source: String = "") -> ServiceReport {
    ServiceReport(diagnostics, source: { _ in Array(source.utf8) }, relative: { "shop/\($0)" })
  }

  private func annotations(of diagnostics: [Diagnostic]) -> [ActionsRunner.Command] {
    ActionsRunner.commands(in: report(diagnostics).annotations)
  }

  // MARK: GitHub

  @Test func anAnnotationHasThePlaceTheNotesAndTheFix() throws {
    let location = Self.place("a,b:c=50%\u{1F339}.yaml", 2, 3..<9)
    let diagnostic = Diagnostic.error(
      .unknownField, at: location, message: "unknown field 'a: b, 50 %'",
      notes: [.init("declared here", at: Self.place("d.yaml", 4, 5..<6)), .init("or\nnot")],
      fixIt: .init(Self.range(2, 3..<9), replacement: "title"))
    let command = try #require(annotations(of: [diagnostic]).first)
    #expect(command.name == "error")
    #expect(
      command.properties == [
        "file": "shop/a,b:c=50%\u{1F339}.yaml", "line": "2", "endLine": "2", "col": "3",
        "endColumn": "9", "title": "unknown-field",
      ])
    #expect(
      command.data == """
        unknown field 'a: b, 50 %'
        note: declared here (shop/d.yaml:4:5)
        note: or\u{FFFD}not
        fix: write 'title' (at 2:3)
        """)
  }

  @Test(arguments: [((3, 4), ["2", "3"]), ((3, 1), ["2", "2"]), ((4, 1), ["2", "3"])])
  func severalLinesHaveNoColumns(end: (line: Int, column: Int), lines: [String]) throws {
    let range = SourceRange(
      from: SourcePosition(line: 2, column: 3),
      to: SourcePosition(line: end.line, column: end.column))
    let diagnostic = Diagnostic.warning(
      .pattern, at: Diagnostics.SourceLocation(path: "a", range: range), message: "m")
    let command = try #require(annotations(of: [diagnostic]).first)
    #expect([command.properties["line"], command.properties["endLine"]] == lines)
    #expect(command.properties["col"] == nil && command.properties["endColumn"] == nil)
  }

  @Test func aWholeFileHasNoLineAndOtherMistakesNoFile() {
    let commands = annotations(of: [
      .error(.pattern, at: Diagnostics.SourceLocation(path: "a"), message: "m"),
      .error(.usage, at: nil, message: "n"),
    ])
    #expect(commands.map { $0.properties["file"] } == ["shop/a", nil])
    #expect(commands.allSatisfy { $0.properties["line"] == nil })
  }

  /// Somebody may read the annotations in a terminal.
  @Test func thePathOfAnAnnotationControlsNoTerminal() throws {
    let location = Diagnostics.SourceLocation(path: "a\u{1B}[2J\u{202E}\nb.yaml")
    let text = report([.error(.pattern, at: location, message: "m")]).annotations
    #expect(text == "::error file=shop/a\u{FFFD}[2J\u{FFFD}\u{FFFD}b.yaml,title=pattern::m\n")
  }

  @Test func fiveHundredErrorsGiveTenAnnotationsAndASummary() throws {
    let errors = (1...500).map {
      Diagnostic.error(.pattern, at: Self.place("f\($0 / 100)", $0), message: "error \($0)")
    }
    let warnings = (1...30).map {
      Diagnostic.warning(.prune, at: Self.place("w", $0), message: "warning \($0)")
    }
    let report = report(errors + warnings)
    let commands = ActionsRunner.commands(in: report.annotations)
    #expect(commands.count { $0.name == "error" } == 10)
    #expect(commands.count { $0.name == "warning" } == 10)
    let files = Set(commands.compactMap { $0.properties["file"] })
    #expect(files == ["shop/f0", "shop/f1", "shop/f2", "shop/f3", "shop/f4", "shop/f5", "shop/w"])
    let order = commands.compactMap { errors.map(\.message).firstIndex(of: $0.data) }
    #expect(order == order.sorted())
    let summary = try #require(report.summary)
    #expect(summary.title == "contentc: 500 errors, 30 warnings")
    #expect(summary.items.count == 510)
    for diagnostic in errors + warnings {
      let isAnnotated = commands.contains { $0.data == diagnostic.message }
      let isListed = summary.items.contains { $0.contains("`\(diagnostic.message)`") }
      #expect(isAnnotated != isListed, "\(diagnostic.message)")
    }
  }

  @Test func theSummaryHasNoListIfAllAreAnnotations() {
    let summary = report([.error(.pattern, at: nil, message: "m")]).summary
    #expect(summary?.markdown(within: 1_000) == "### contentc: 1 error\n\n")
    #expect(report([]).summary == nil)
  }

  @Test func theSummaryFitsIntoAMebibyte() throws {
    let errors = (1...30_000).map {
      Diagnostic.error(.pattern, at: Self.place("f", $0), message: "\u{1F339} error \($0)")
    }
    let text = try #require(report(errors).summary).markdown(within: JobSummary.limit)
    #expect(text.utf8.count <= JobSummary.limit && text.utf8.count > JobSummary.limit - 1_000)
    let listed = text.split(separator: "\n").count { $0.hasPrefix("- ") }
    #expect(
      text.hasSuffix("\nNo room is left in this job summary for \(30_000 - 10 - listed) more.\n\n"))
    #expect(JobSummary(title: "t", items: ["i"]).markdown(within: 20) == "")
  }

  @Test func aLongMessageIsCut() throws {
    let long = String(repeating: "\u{1F339}", count: 5_000)
    let data = try #require(annotations(of: [.error(.pattern, at: nil, message: long)]).first).data
    #expect(data.utf16.count <= 4_096 && data.utf16.count > 4_090)
    #expect(data.hasPrefix("\u{1F339}\u{1F339}") && data.hasSuffix("\u{1F339}…"))
  }

  @Test(arguments: [
    ("a", "`a`"), ("", ""), ("a`b", "``a`b``"), ("`", "`` ` ``"),
    ("a ``` b` c", "````a ``` b` c````"),
    (" a ", "`  a  `"), ("  ", "`  `"), (" a", "` a`"), ("a\nb\u{1B}", "`a\u{FFFD}b\u{FFFD}`"),
    ("| <b> ![x](y) :rose: @user #1 \\", "`| <b> ![x](y) :rose: @user #1 \\`"),
  ])
  func foreignTextIsNoMarkup(text: String, code: String) {
    #expect(text.markdownCode == code)
  }

  // MARK: Files

  private static let source = """
    \u{1F339}: [e\u{301}, tittle: {}]
    title: [x](http://evil)
    """
  private static let samples = [
    Diagnostic.error(
      .unknownField, at: place("caf\u{E9} 50%/\u{1F339}.yaml", 1, 9..<15),
      message: "unknown field 'tittle'; did you mean 'title'?",
      notes: [
        .init(
          "'product' has the fields title, price", at: place("datatypes/product.yaml", 3, 3..<4)),
        .init("{0} and [a link](http://evil)"),
      ],
      fixIt: .init(range(1, 9..<15), replacement: "title")),
    Diagnostic.warning(
      .unreadFile, at: Diagnostics.SourceLocation(path: "/etc/a b"), message: "nothing reads it"),
    Diagnostic.error(.targetUnreachable, at: nil, message: "no answer", notes: [.init("again?")]),
  ]

  private func sampleReport() -> ServiceReport {
    ServiceReport(Self.samples, source: { _ in Array(Self.source.utf8) }, relative: \.text)
  }

  @Test func writesTheRecordedSARIFFile() throws {
    let bytes = sampleReport().sarif(version: "1.2.3")
    try CheckedOutFiles.expect(
      "Tests/DiagnosticsTests/Golden/report.sarif", toBe: String(decoding: bytes, as: UTF8.self))
  }

  @Test func writesTheRecordedSARIFFileWithoutDiagnostics() throws {
    let bytes = report([]).sarif(version: "1.2.3")
    try CheckedOutFiles.expect(
      "Tests/DiagnosticsTests/Golden/empty.sarif", toBe: String(decoding: bytes, as: UTF8.self))
  }

  @Test func writesTheRecordedCodeQualityFile() throws {
    try CheckedOutFiles.expect(
      "Tests/DiagnosticsTests/Golden/code-quality.json",
      toBe: String(decoding: sampleReport().codeQuality, as: UTF8.self))
    #expect(report([]).codeQuality == Array("[]\n".utf8))
  }

  @Test func aSARIFFileHasNoMoreResultsThanGitHubAccepts() {
    let errors = (1...25_100).map {
      Diagnostic.error(.pattern, at: Self.place("f", $0), message: "error \($0)")
    }
    let bytes = report(errors).sarif(version: "1")
    let results = bytes.split(separator: UInt8(ascii: "\n")).count {
      $0.drop { $0 == UInt8(ascii: " ") }.starts(with: #""ruleIndex""#.utf8)
    }
    #expect(results == 25_000)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("not all mistakes are listed; mend these first (100 errors more)"))
  }

  @Test func fingerprintsStayTheSameIfLinesMove() {
    func prints(_ source: String, lines: [Int], rule: Rule = .pattern) -> [String] {
      let found = lines.map { Diagnostic.error(rule, at: Self.place("f", $0), message: "at \($0)") }
      return report(found, source: source).fingerprints(of: found)
    }
    let before = prints("a: x\nb: y\n", lines: [1, 2])
    #expect(prints("\n\n  a: x\n\nb: y \n", lines: [3, 5]) == before)
    #expect(Set(before).count == 2)
    #expect(Set(before).isDisjoint(with: prints("a: z\n", lines: [1])))
    #expect(Set(before).isDisjoint(with: prints("a: x\nb: y\n", lines: [1, 2], rule: .prune)))
    let equal = prints(String(repeating: "same\n", count: 100), lines: Array(1...100))
    #expect(Set(equal).count == 100)
    #expect(Array(equal.prefix(3)) == prints("same\nsame\nsame\n", lines: [1, 2, 3]))
  }

  @Test func aFingerprintDoesNotDependOnAHiddenLine() {
    var hidden = Diagnostic.error(.literalCredential, at: Self.place("f"), message: "m")
    hidden.hidesSource = true
    let prints = ["key: 1", "key: 2"].map {
      report([hidden], source: $0).fingerprints(of: [hidden])
    }
    #expect(prints[0] == prints[1])
  }

  /// A line is hashed once, so many mistakes in a long line take no longer than in a short one.
  @Test func fingerprintsManyMistakesInALineOfAMegabyte() {
    let source = String(repeating: "é", count: 1 << 19)
    let found = (1...5_000).map {
      Diagnostic.error(.pattern, at: Self.place("f", 1, $0..<$0 + 1), message: "m")
    }
    let time = ContinuousClock().measure {
      let report = ServiceReport(found, source: { _ in Array(source.utf8) }, relative: \.text)
      #expect(Set(report.fingerprints(of: found)).count == 5_000)
    }
    #expect(time < .seconds(20))
  }
}
