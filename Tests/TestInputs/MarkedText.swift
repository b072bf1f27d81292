package import Diagnostics

/// A text in which `⟦` and `⟧` enclose what diagnostics must point at.
package struct MarkedText {
  package private(set) var bytes: [UInt8] = []
  /// The enclosed ranges, in the order in which they begin.
  package private(set) var ranges: [SourceRange] = []

  package init(_ marked: String) {
    var position = SourcePosition(line: 1, column: 1)
    var open: [SourcePosition] = []
    for scalar in marked.unicodeScalars {
      switch scalar {
      case "⟦": open.append(position)
      case "⟧": ranges.append(SourceRange(from: open.removeLast(), to: position))
      default:
        bytes += Array(String(Character(scalar)).utf8)
        position.column += 1
        if scalar == "\n" { position = SourcePosition(line: position.line + 1, column: 1) }
      }
    }
    ranges.sort { $0.start < $1.start }
  }
}

extension Diagnostic.FixIt {
  /// Returns a text with the replacement in place of the range, as an editor applies it.
  package func applied(to text: String) -> String {
    var result = String.UnicodeScalarView()
    var position = SourcePosition(line: 1, column: 1)
    var isWritten = false
    for scalar in text.unicodeScalars {
      if !isWritten, position >= range.start {
        result += replacement.unicodeScalars
        isWritten = true
      }
      if position < range.start || position >= range.end { result.append(scalar) }
      position.column += 1
      if scalar == "\n" { position = SourcePosition(line: position.line + 1, column: 1) }
    }
    if !isWritten { result += replacement.unicodeScalars }
    return String(result)
  }
}
