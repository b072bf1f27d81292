import Diagnostics

/// A cell of a table, and its place.
struct CSVCell {
  var text: String
  var place: SourceLocation
}

/// A strict reader of the records of CSV (RFC 4180), with any separator and any line ends.
struct CSVRecords {
  private(set) var input: TextInput
  private let separator: UInt8
  private var offset: Int

  private static let mostCells = 1_000

  /// Reads records from an offset on.
  init(_ input: TextInput, from offset: Int = 0, separator: Character) {
    (self.input, self.offset) = (input, offset)
    self.separator = separator.asciiValue ?? UInt8(ascii: ",")
  }

  private var current: UInt8? { offset < input.bytes.count ? input.bytes[offset] : nil }

  private var isAtLineEnd: Bool { current == 0x0A || current == 0x0D }

  /// Reads the cells of the next record; `nil` at the end of the file.
  mutating func next() throws(TranslationProblem) -> [CSVCell]? {
    guard current != nil else { return nil }
    var cells: [CSVCell] = []
    repeat {
      guard cells.count < Self.mostCells else {
        throw problem("a row must have at most \(Self.mostCells) cells", at: offset)
      }
      cells.append(try readCell())
    } while take(separator)
    if take(0x0D) {
      _ = take(0x0A)
    } else if !take(0x0A), current != nil {
      throw problem(
        "a cell must end after its closing quotation mark", at: offset,
        advice: #"inside the cell, write '"' as '""'"#)
    }
    return cells
  }

  private mutating func readCell() throws(TranslationProblem) -> CSVCell {
    let start = offset
    if take(UInt8(ascii: "\"")) { return try readQuotedCell(from: start) }
    while let byte = current, byte != separator, !isAtLineEnd {
      guard byte != UInt8(ascii: "\"") else {
        throw problem(
          "a cell with '\"' in it must be in quotation marks", at: offset,
          advice: #"write '"' as '""' in a cell in quotation marks"#)
      }
      offset += 1
    }
    return CSVCell(
      text: input.text(start..<offset), place: input.location(from: start, to: offset))
  }

  private mutating func readQuotedCell(from start: Int) throws(TranslationProblem) -> CSVCell {
    var text: [UInt8] = []
    while let byte = current {
      offset += 1
      if byte == UInt8(ascii: "\""), !take(UInt8(ascii: "\"")) {
        return CSVCell(
          text: String(decoding: text, as: UTF8.self),
          place: input.location(from: start, to: offset))
      }
      text.append(byte)
    }
    throw problem("a quotation mark must be closed", at: start)
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    offset += 1
    return true
  }

  private mutating func problem(_ message: String, at offset: Int, advice: String? = nil)
    -> TranslationProblem
  {
    TranslationProblem(message, at: input.location(from: offset, to: offset), advice: advice)
  }
}
