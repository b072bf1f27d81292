/// The line that a diagnostic points at and the line before it, with marks under the range.
struct SourceExcerpt {
  /// The greatest width of a line in columns; longer lines are cut around the range.
  static let widest = 160

  private let number: Int
  private let before: DisplayLine?
  private let line: DisplayLine
  private let marked: Range<Int>
  private let fix: (column: Int, text: String)?
  private let window: Range<Int>

  var gutterWidth: Int { String(number).count }
  /// `true` if a line under the mark shows the replacement.
  var showsFixIt: Bool { fix != nil }

  init?(of range: SourceRange, in lines: inout SourceLines, fixIt: Diagnostic.FixIt?) {
    guard let part = lines.part(of: range.start.line, around: range.start.column) else {
      return nil
    }
    number = range.start.line
    line = DisplayLine(part)
    let isWhole = lines.isShort(number) && lines.isShort(number - 1)
    before = isWhole ? lines[number - 1].map { DisplayLine(SourceLines.Part(scalars: $0)) } : nil
    let start = line.column(of: range.start.column)
    let end = range.end.line == number ? line.column(of: range.end.column) : line.textWidth
    marked = start..<max(start + 1, end)
    window = Self.window(around: marked, in: line.width)
    fix = fixIt.flatMap { [line, number, window] fixIt in
      guard fixIt.range.start.line == number, !fixIt.replacement.isEmpty else { return nil }
      let column = line.column(of: fixIt.range.start.column)
      return window.contains(column) ? (column, fixIt.replacement) : nil
    }
  }

  private static func window(around marked: Range<Int>, in width: Int) -> Range<Int> {
    guard width > widest else { return 0..<widest }
    let start = max(0, min(marked.lowerBound - widest / 4, width - widest))
    return start..<start + widest
  }

  func lines(_ paint: Paint, severity: Diagnostic.Severity) -> [TerminalText] {
    var shown: [TerminalText] = []
    if let before {
      shown.append(row("\(before.cut(to: window))", label: String(number - 1)))
    }
    shown.append(row("\(line.cut(to: window))", label: String(number)))
    let length = max(1, min(marked.upperBound, window.upperBound) - marked.lowerBound)
    let mark = "^" + String(repeating: "~", count: length - 1)
    shown.append(row("\(indent(to: marked.lowerBound))\(paint.color("\(mark)", for: severity))"))
    if let fix {
      shown.append(row("\(indent(to: fix.column))\(paint.cyan("\(shownFix(fix.text))"))"))
    }
    return shown
  }

  private func indent(to column: Int) -> String {
    String(repeating: " ", count: column - window.lowerBound)
  }

  private func shownFix(_ text: String) -> String {
    let firstLine = text.unicodeScalars.prefix { $0 != "\n" && $0 != "\r" }
    let line = DisplayLine(SourceLines.Part(scalars: String.UnicodeScalarView(firstLine)))
    let isCut = firstLine.count < text.unicodeScalars.count
    return line.cut(to: 0..<Self.widest / 2) + (isCut ? "…" : "")
  }

  private func row(_ text: TerminalText, label: String = "") -> TerminalText {
    let gutter: TerminalText =
      "\(String(repeating: " ", count: max(0, gutterWidth - label.count)))\(label) |"
    return text == "" ? gutter : gutter + " " + text
  }
}
