import ContentModel
import Testing

@testable import Diagnostics

@Suite struct DiagnosticPrinterTests {
  @Test func printsTheLineTheMarkTheFixAndTheNotes() {
    let range = range(2, 3..<9)
    let note = Diagnostic.Note(
      "'screen' has the fields title, layout, body",
      at: Diagnostics.SourceLocation(path: "datatypes/screen.yaml", range: self.range(3, 1..<7)))
    let diagnostic = Diagnostic.error(
      .unknownField, at: Diagnostics.SourceLocation(path: "home.yaml", range: range),
      message: "unknown field 'tittle' in 'screen'; did you mean 'title'?", notes: [note],
      fixIt: .init(range, replacement: "title"))
    #expect(
      human([diagnostic], source: "  layout: hero\n  tittle: Welcome\n") == """
        home.yaml:2:3: error: \(diagnostic.message) [unknown-field]
        1 |   layout: hero
        2 |   tittle: Welcome
          |   ^~~~~~
          |   title
          = note: 'screen' has the fields title, layout, body (datatypes/screen.yaml:3:1)

        """)
  }

  @Test func showsTenOfManyNotesAndWritesAllAsJSON() {
    let notes = (1...25).map { Diagnostic.Note("place \($0)") }
    let diagnostic = Diagnostic.error(.wrongType, at: nil, message: "25 values", notes: notes)
    let text = human([diagnostic], source: "")
    #expect(text.contains("note: place 10\n") && !text.contains("place 11"), "\(text)")
    #expect(text.hasSuffix(" = note: and 15 more\n"), "\(text)")
    let json = DiagnosticPrinter(format: .json, color: false) { _ in nil }.print([diagnostic])
    #expect(json.contains(#""place 25""#) && !json.contains("more"), "\(json)")
  }

  /// The names are canonically equivalent: `é` as one scalar, and as two.
  @Test func distinguishesFilesByNormalization() {
    let names = ["caf\u{E9}.yaml", "cafe\u{301}.yaml"]
    let twins = names.map {
      Diagnostic.error(
        .unknownField, at: Diagnostics.SourceLocation(path: $0, range: range(1, 1..<2)),
        message: "wrong")
    }
    let printer = DiagnosticPrinter(format: .human, color: false) { path in
      Array((path.text.utf8.elementsEqual(names[0].utf8) ? "composed\n" : "decomposed\n").utf8)
    }
    let sorted = (twins + twins).inStableOrder()
    #expect(sorted.count == 2)
    let text = printer.print(sorted)
    #expect(text.contains("1 | composed") && text.contains("1 | decomposed"), "\(text)")
  }

  @Test func alignsTheGutterIfTheNumberOfDigitsGrows() {
    let text = String(repeating: "\n", count: 8) + "a\nb\n"
    #expect(lines(of: text, range(10, 1..<2)) == [" 9 | a", "10 | b", "   | ^"])
  }

  /// In each text, `⟦` and `⟧` enclose the marked range.
  @Test(arguments: [
    ("x: ⟦y⟧", "1 | x: y", "  |    ^"),
    ("\tx: ⟦yy⟧", "1 |  x: yy", "  |     ^~"),
    ("花: ⟦花束⟧", "1 | 花: 花束", "  |     ^~~~"),
    ("e\u{301}: ⟦y⟧", "1 | e\u{301}: y", "  |    ^"),
    ("\u{1F337}⟦x⟧", "1 | \u{1F337}x", "  |   ^"),
    ("한: ⟦글⟧", "1 | 한: 글", "  |     ^~"),
    ("x:⟦⟧", "1 | x:", "  |   ^"),
    ("\u{FEFF}x: ⟦y⟧", "1 | x: y", "  |    ^"),
    ("x: \u{1B}[31m⟦y⟧", "1 | x: \u{FFFD}[31my", "  |         ^"),
    ("x: \u{202E}⟦y⟧", "1 | x: \u{FFFD}y", "  |     ^"),
    ("x: ⟦y\n  z⟧\n", "1 | x: y", "  |    ^"),
    ("x: ⟦|  \n  z⟧\n", "1 | x: |", "  |    ^"),
    ("x: ⟦y⟧\rz", "1 | x: y", "  |    ^"),
    ("x: ⟦y⟧\r\nz", "1 | x: y", "  |    ^"),
  ])
  func alignsTheMark(text: String, line: String, mark: String) {
    var (plain, ends) = ("", [SourcePosition]())
    var position = SourcePosition(line: 1, column: 1)
    for scalar in text.unicodeScalars {
      if scalar == "⟦" || scalar == "⟧" {
        ends.append(position)
        continue
      }
      plain.unicodeScalars.append(scalar)
      if scalar != "\u{FEFF}" { position.column += 1 }
      if scalar == "\n" { position = SourcePosition(line: position.line + 1, column: 1) }
    }
    #expect(lines(of: plain, SourceRange(from: ends[0], to: ends[1])) == [line, mark])
  }

  @Test(arguments: [1, 100, 1_000, 4_990])
  func cutsLongLinesAroundTheRange(place: Int) throws {
    let text =
      String(repeating: "x", count: place - 1) + "HERE"
      + String(repeating: "y", count: 5_000 - place)
    let shown = lines(of: text, range(1, place..<place + 4))
    #expect(shown.count == 2)
    let (line, mark) = (Array(shown[0]), Array(shown[1]))
    #expect(line.count <= 4 + SourceExcerpt.widest)
    let start = try #require(mark.firstIndex(of: "^"))
    #expect(String(line[start..<start + 4]) == "HERE")
    #expect(String(mark[start...]) == "^~~~")
    #expect((line[4] == "…") == (place > 40))
    #expect((line.last == "…") == (place < 4_900))
  }

  @Test(arguments: [1, 40_000, 199_996])
  func cutsLongLinesOfWideCharactersAroundTheRange(place: Int) throws {
    let text =
      String(repeating: "花", count: place - 1) + "HERE"
      + String(repeating: "束", count: 200_000 - place)
    let shown = lines(of: text, range(1, place..<place + 4))
    let columns = shown.map {
      $0.unicodeScalars.reduce(into: [Unicode.Scalar]()) { columns, scalar in
        columns += Array(repeating: scalar, count: scalar.terminalWidth)
      }
    }
    let start = try #require(columns[1].firstIndex(of: "^"))
    #expect(columns[0][start..<start + 4].elementsEqual("HERE".unicodeScalars))
    #expect(columns[0].count <= 4 + SourceExcerpt.widest)
    #expect((columns[0][4] == "…") == (place > 20))
    #expect((columns[0].last == "…") == (place < 199_900))
  }

  @Test func printsAHundredErrorsInALineOfAMegabyteInLinearTime() {
    let text = String(repeating: "é", count: 1 << 20)
    func time(_ count: Int) -> Duration {
      let diagnostics = (1...count).map { place in
        Diagnostic.error(
          .pattern,
          at: Diagnostics.SourceLocation(
            path: "a", range: range(1, place * 10_000..<place * 10_000 + 1)), message: "m")
      }
      return ContinuousClock().measure { #expect(!human(diagnostics, source: text).isEmpty) }
    }
    let one = time(1)
    #expect(time(100) < max(one * 20, .seconds(1)))
  }

  @Test func listsErrorsFirstAndCountsTheRest() {
    let warnings = (1...80).map { Diagnostic.warning(.prune, at: nil, message: "warning \($0)") }
    let errors = (1...80).map { Diagnostic.error(.pattern, at: nil, message: "error \($0)") }
    let shown = human(warnings + errors).split(separator: "\n")
    #expect(shown.count == 101)
    #expect(shown.count { $0.hasPrefix("error: error") } == 80)
    #expect(shown[20].hasPrefix("error: error 1 "))
    let last = "not all mistakes are listed; mend these first (60 warnings more)"
    #expect(shown.last == "warning: \(last) [more-mistakes]")
    let all = DiagnosticPrinter(format: .short, color: false) { _ in nil }.print(warnings + errors)
    #expect(all.split(separator: "\n").count == 160)
  }

  @Test func cutsAMarkThatIsLongerThanTheLine() {
    let shown = lines(of: String(repeating: "花", count: 500), range(1, 2..<400))
    #expect(
      shown.allSatisfy {
        $0.unicodeScalars.reduce(0) { $0 + $1.terminalWidth } <= 4 + SourceExcerpt.widest
      })
  }

  @Test func printsNoLineBeyondTheEndOfTheFile() {
    let location = Diagnostics.SourceLocation(path: "a", range: range(7, 1..<2))
    let diagnostic = Diagnostic.warning(.prune, at: location, message: "m", notes: [.init("n")])
    #expect(human([diagnostic], source: "one line") == "a:7:1: warning: m [prune]\n  = note: n\n")
    #expect(
      human([
        .error(.pattern, at: nil, message: "m"),
        .error(.pattern, at: .init(path: "a"), message: "m"),
      ])
        == "error: m [pattern]\n\na: error: m [pattern]\n")
  }

  @Test func describesAFixOutsideTheShownLine() {
    let location = Diagnostics.SourceLocation(path: "a", range: range(1, 1..<2))
    let fix = Diagnostic.FixIt(range(2, 1..<1), replacement: "x: 1")
    #expect(
      human([.error(.pattern, at: location, message: "m", fixIt: fix)], source: "a\n").hasSuffix(
        "  = fix: write 'x: 1' (at 2:1)\n"))
    let removal = Diagnostic.FixIt(range(1, 1..<2), replacement: "")
    #expect(
      human([.error(.pattern, at: location, message: "m", fixIt: removal)], source: "a\n").contains(
        "= fix: remove what is marked (at 1:1)"))
  }

  @Test func usesColorsOnlyOnRequest() {
    let diagnostic = Diagnostic.error(
      .pattern, at: Diagnostics.SourceLocation(path: "a", range: range(1, 1..<2)), message: "m")
    let printer = DiagnosticPrinter(format: .human, color: true) { _ in Array("a".utf8) }
    let colored = printer.print([diagnostic])
    #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    #expect(colored.contains("\u{1B}[1;31m^\u{1B}[0m"))
    #expect(!human([diagnostic], source: "a").contains("\u{1B}"))
  }

  @Test func printsOneLineForEachDiagnosticInShortForm() {
    let printer = DiagnosticPrinter(format: .short, color: false) { _ in nil }
    let location = Diagnostics.SourceLocation(path: "a\u{1B}b", range: range(1, 2..<3))
    let shown = printer.print([
      .error(.pattern, at: location, message: "x\ny", notes: [.init("n")]),
      .warning(.prune, at: nil, message: "z"),
    ])
    #expect(shown == "a\u{FFFD}b:1:2: error: x\u{FFFD}y [pattern]\nwarning: z [prune]\n")
  }

  @Test func printsJSONInAFixedOrder() {
    let printer = DiagnosticPrinter(format: .json, color: true) { _ in nil }
    #expect(printer.print([]) == "[]\n")
    let location = Diagnostics.SourceLocation(
      path: "a",
      range: SourceRange(
        from: SourcePosition(line: 1, column: 2), to: SourcePosition(line: 3, column: 4)))
    let diagnostic = Diagnostic.error(
      .pattern, at: location, message: "\"\\\n\u{1B}é\u{E0001}",
      notes: [.init("n", at: .init(path: "b"))],
      fixIt: .init(range(1, 1..<1), replacement: "x"))
    #expect(
      printer.print([diagnostic]) == #"""
        [
          {"severity": "error", "id": "pattern", "message": "\"\\\n\u001bé\udb40\udc01", "path": "a", \#
        "range": {"start": {"line": 1, "column": 2}, "end": {"line": 3, "column": 4}}, \#
        "notes": [{"message": "n", "path": "b"}], "fixIt": {"range": \#
        {"start": {"line": 1, "column": 1}, "end": {"line": 1, "column": 1}}, "replacement": "x"}}
        ]

        """#)
  }

  private func range(_ line: Int, _ columns: Range<Int>) -> SourceRange {
    SourceRange(
      from: SourcePosition(line: line, column: columns.lowerBound),
      to: SourcePosition(line: line, column: columns.upperBound))
  }

  private func human(_ diagnostics: [Diagnostic], source: String = "") -> String {
    DiagnosticPrinter(format: .human, color: false) { _ in Array(source.utf8) }.print(diagnostics)
  }

  /// Returns the source lines and the mark of an error in `source`.
  private func lines(of source: String, _ range: SourceRange) -> [String] {
    let location = Diagnostics.SourceLocation(path: "a", range: range)
    return human([.error(.pattern, at: location, message: "m")], source: source).split(
      separator: "\n"
    )
    .dropFirst().map(String.init)
  }
}
