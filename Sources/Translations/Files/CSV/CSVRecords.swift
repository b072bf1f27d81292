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
  /// The offset of the next record.
  private(set) var offset: Int
  /// The end of the bytes to read.
  private var end: Int

  private static let mostCells = 1_000

  /// Reads records from an offset on.
  init(_ input: TextInput, from offset: Int = 0, separator: Character) {
    (self.input, self.offset, end) = (input, offset, input.bytes.count)
    self.separator = separator.asciiValue ?? UInt8(ascii: ",")
  }

  private var current: UInt8? { offset < end ? input.bytes[offset] : nil }

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

  // MARK: Damaged records

  /// The limit of lines in the search for the next record, and the limit of its bytes.
  ///
  /// The limits bound the search in hostile files.
  private static let (mostSkippedLines, mostSkippedBytes) = (200, 16 << 10)

  /// Skips a damaged record that begins at an offset.
  ///
  /// A text in a damaged record can have any lines. The next record begins at the first line whose
  /// cells `isRecord` accepts. If no line is accepted, skips the rest of the file.
  ///
  /// - Returns: `false` if the search reached its limit of lines.
  mutating func skipDamagedRecord(
    from start: Int, isRecord: (_ cells: [CSVCell]) -> Bool
  ) -> Bool {
    var line = start
    for _ in 0..<Self.mostSkippedLines {
      guard let lineEnd = input.bytes[line...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D })
      else {
        offset = end
        return true
      }
      line = lineEnd + 1
      var attempt = self
      attempt.offset = line
      attempt.end = min(end, line + Self.mostSkippedBytes)
      if let cells = try? attempt.next(), isRecord(cells) {
        offset = line
        return true
      }
    }
    return false
  }

  /// Returns the cells of a damaged record that precede its mistake.
  func readableCells(from start: Int) -> [CSVCell] {
    var records = self
    records.offset = start
    var cells: [CSVCell] = []
    while cells.count < Self.mostCells, let cell = try? records.readCell() {
      cells.append(cell)
      guard records.take(separator) else { break }
    }
    return cells
  }

  /// Returns the readable cells of each line that was skipped with the record at `start`.
  func skippedLines(from start: Int) -> [[CSVCell]] {
    var lines: [[CSVCell]] = []
    var line = start
    while let lineEnd = input.bytes[line..<offset].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }),
      lineEnd + 1 < offset
    {
      line = lineEnd + 1
      lines.append(readableCells(from: line))
    }
    return lines
  }

  /// Returns the note that names the lines of a damaged record; `nil` if it is in one line.
  mutating func noteOnSkippedLines(from start: Int) -> Diagnostic.Note? {
    let first = input.position(of: start).line
    let last = input.position(of: max(start, offset - 1)).line
    return last > first ? Diagnostic.Note("the lines \(first) to \(last) are left out") : nil
  }

  // MARK: Cells

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
      text: input.text(start..<offset), place: input.location(start..<offset))
  }

  private mutating func readQuotedCell(from start: Int) throws(TranslationProblem) -> CSVCell {
    var text: [UInt8] = []
    while let byte = current {
      offset += 1
      if byte == UInt8(ascii: "\""), !take(UInt8(ascii: "\"")) {
        return CSVCell(
          text: String(decoding: text, as: UTF8.self),
          place: input.location(start..<offset))
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
    TranslationProblem(message, at: input.location(offset..<offset), advice: advice)
  }
}
