import ContentModel

/// A text as a block scalar: its header, and the lines below it.
struct BlockText {
  /// The header, from `|` or `>` on.
  var header: String
  /// The lines, each after a line break; no line break follows the last one.
  var body: [UInt8]
  /// A Boolean value that indicates whether a line break must follow the body.
  var needsBreak: Bool

  /// The required style of a block scalar.
  struct Style {
    var isFolded = false
    /// The column of the collection that contains the scalar.
    var parentColumn: Int
    /// The column of the lines.
    var column: Int
    /// The written indentation indicator.
    var indicator: Int?
    /// A Boolean value that indicates whether `+` is written.
    var keeps = false
    /// The greatest number of characters of a folded line; `nil` for lines of any length.
    var width: Int?
    var lineBreak: [UInt8]
  }

  /// A text in a style; `nil` if no block scalar can hold it.
  init?(_ text: String, style: Style) {
    var content = Array(text.utf8)
    guard Self.canHold(text) else { return nil }
    var breaks = 0
    while content.last == 0x0A {
      content.removeLast()
      breaks += 1
    }
    var style = style
    let lines = content.split(separator: 0x0A, omittingEmptySubsequences: false)
    let startsWithSpace = lines.first { !$0.isEmpty }?.first.map(\.isWhitespace) ?? false
    if startsWithSpace, style.indicator == nil {
      if !(1...9).contains(style.column - style.parentColumn) {
        style.column = style.parentColumn + 2
      }
      style.indicator = style.column - style.parentColumn
    }
    // YAML does not fold lines that begin with white space.
    let isFolded = style.isFolded && !lines.contains { $0.first.map(\.isWhitespace) ?? false }
    header =
      (isFolded ? ">" : "|") + (style.indicator.map { String($0) } ?? "")
      + (breaks == 0 ? "-" : breaks == 1 && !style.keeps ? "" : "+")
    body = []
    let margin = [UInt8](repeating: 0x20, count: style.column)
    var isBelowText = false
    for line in lines {
      // YAML reads a single line break between folded lines as a space, so a second one is written.
      if isFolded, isBelowText, !line.isEmpty { body += style.lineBreak }
      if !line.isEmpty { isBelowText = true }
      let parts = isFolded ? Self.folded(line, width: style.width) : [line]
      for part in parts {
        body += style.lineBreak
        if !part.isEmpty { body += margin + part }
      }
    }
    for _ in 0..<max(0, breaks - 1) { body += style.lineBreak }
    needsBreak = breaks > 0
  }

  /// Returns `true` if a block scalar keeps every character, in all versions of YAML.
  private static func canHold(_ text: String) -> Bool {
    guard text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.isPrintable }) else { return false }
    // Parsers disagree on the white space in a last line without text.
    let lastLine = text.utf8.reversed().drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    return lastLine.contains { !$0.isWhitespace }
  }

  /// Divides a line into parts of at most `width` characters, at single spaces.
  private static func folded(_ line: ArraySlice<UInt8>, width: Int?) -> [ArraySlice<UInt8>] {
    guard let width else { return [line] }
    var parts: [ArraySlice<UInt8>] = []
    var start = line.startIndex
    var space: Int?
    var count = 0
    var countAtSpace = 0
    for index in line.indices {
      if line[index] == 0x20, index > start, index + 1 < line.endIndex,
        !line[index - 1].isWhitespace, !line[index + 1].isWhitespace
      {
        (space, countAtSpace) = (index, count)
      }
      count += line[index].isContinuation ? 0 : 1
      if count > width, let end = space {
        parts.append(line[start..<end])
        count -= countAtSpace + 1
        start = end + 1
        space = nil
      }
    }
    return parts + [line[start...]]
  }
}
