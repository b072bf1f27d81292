/// A line as a terminal shows it: scalars with their widths in columns.
struct DisplayLine {
  private var cells: [(scalar: Unicode.Scalar, width: Int)]
  /// The number of the line's scalars before the first cell.
  private let skipped: Int
  /// `true` if the line continues after the last cell.
  private let isCut: Bool
  /// The width of the cells in columns.
  let width: Int

  init(_ part: SourceLines.Part) {
    cells = part.scalars.map(\.shown).map { ($0, $0.terminalWidth) }
    (skipped, isCut) = (part.skipped, part.isCut)
    width = cells.reduce(0) { $0 + $1.width }
  }

  /// The width without trailing spaces.
  var textWidth: Int { width - cells.reversed().prefix { $0.scalar == " " }.count }

  /// Returns the display column, counted from 0, of a source column, counted from 1.
  func column(of sourceColumn: Int) -> Int {
    cells.prefix(max(0, sourceColumn - 1 - skipped)).reduce(0) { $0 + $1.width }
  }

  /// Returns the part of the line in a window of columns, with `…` in the first and last column
  /// where the line is cut.
  func cut(to window: Range<Int>) -> String {
    let isCutBefore = window.lowerBound > 0 || skipped > 0
    let isCutAfter = width > window.upperBound || (isCut && width == window.upperBound)
    let kept = window.lowerBound + (isCutBefore ? 1 : 0)..<window.upperBound - (isCutAfter ? 1 : 0)
    var text = String.UnicodeScalarView()
    var column = 0
    /// The column after the last cell in `text`.
    var filled = kept.lowerBound
    for cell in cells {
      let next = column + cell.width
      if column >= kept.lowerBound, next <= kept.upperBound,
        cell.width > 0 || !text.isEmpty || !isCutBefore
      {
        text += String(repeating: " ", count: column - filled).unicodeScalars
        text.append(cell.scalar)
        filled = next
      }
      column = next
    }
    while !isCutAfter, text.last == " " { text.removeLast() }
    guard !text.isEmpty || isCutAfter else {
      return isCutBefore && width > window.lowerBound ? "…" : ""
    }
    let padding =
      isCutAfter ? String(repeating: " ", count: max(0, kept.upperBound - filled)) + "…" : ""
    return (isCutBefore ? "…" : "") + String(text) + padding
  }
}
