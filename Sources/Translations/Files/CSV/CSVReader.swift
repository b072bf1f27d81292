import ContentModel
import Diagnostics

/// A reader of tables of translations, whose first row names the columns.
///
/// The reader takes the separator with which the first row has the required columns. Excel writes
/// semicolons in many countries, and tabs as “Unicode text”.
struct CSVReader {
  /// The index of each column; columns with other names are ignored.
  private struct Header {
    var columns: [(column: CSVColumn, index: Int)] = []
    /// The languages in parentheses, with their places.
    var source: CSVCell?
    var target: CSVCell?

    func index(of column: CSVColumn) -> Int? { columns.first { $0.column == column }?.index }
  }

  private var collection: TranslationCollection
  private let header: Header
  private let width: Int

  static func read(_ input: TextInput, locales: TranslationLocales) throws(TranslationProblem)
    -> Diagnosed<[TranslationFile]>
  {
    var records = try openRecords(of: input)
    guard let first = try records.next(), let header = Self.header(in: first) else {
      throw notATable(input)
    }
    if let twice = header.columns.first(where: { column in
      header.columns.contains { $0.column == column.column && $0.index < column.index }
    }) {
      throw TranslationProblem(
        "column '\(twice.column.rawValue)' must occur once", at: first[twice.index].place)
    }
    let collection = TranslationCollection(.csv, locales: locales)
    var reader = CSVReader(collection: collection, header: header, width: first.count)
    guard let locale = try reader.openLocale(at: first[0].place) else {
      return reader.collection.finished(path: input.path)
    }
    try reader.readRows(of: &records, into: locale)
    return reader.collection.finished(path: input.path)
  }

  /// Reads all rows; a damaged row is left out, and reading goes on after it.
  private mutating func readRows(
    of records: inout CSVRecords, into locale: LocaleTag
  ) throws(TranslationProblem) {
    var firstProblem: TranslationProblem?
    var damaged = 0
    while !collection.isFull {
      let start = records.offset
      do throws(TranslationProblem) {
        guard let cells = try records.next() else { return }
        readRow(cells, of: locale)
      } catch {
        firstProblem = firstProblem ?? error
        damaged += 1
        guard damaged <= records.input.mostDamagedUnits,
          records.skipDamagedRecord(from: start, isRecord: isRecord)
        else { throw firstProblem ?? error }
        var diagnostic = error.diagnostic
        if let note = records.noteOnSkippedLines(from: start) { diagnostic.notes.append(note) }
        collection.reportDamage(
          diagnostic, of: cell(.id, of: records.readableCells(from: start))?.text)
        reportLostRows(in: records.skippedLines(from: start))
      }
    }
  }

  /// Reports the rows among skipped lines.
  ///
  /// A row is recognized by its id, which has a `#` and no white space.
  private mutating func reportLostRows(in lines: [[CSVCell]]) {
    for cells in lines {
      guard let id = cell(.id, of: cells), id.text.utf8.contains(UInt8(ascii: "#")),
        !id.text.utf8.contains(where: \.isWhitespace)
      else { continue }
      collection.report(
        "the rows around this one must be well-formed CSV", of: id.text, at: id.place)
    }
  }

  /// Returns `true` for cells that are surely a row, and not a part of a text with separators.
  private func isRecord(_ cells: [CSVCell]) -> Bool {
    let id = text(.id, of: cells)
    return cells.count == width && !id.isEmpty && !id.utf8.contains { $0 == 0x0A || $0 == 0x0D }
  }

  private init(collection: TranslationCollection, header: Header, width: Int) {
    (self.collection, self.header, self.width) = (collection, header, width)
  }

  // MARK: The first row

  /// Returns the records with the separator of the first row.
  private static func openRecords(of input: TextInput) throws(TranslationProblem) -> CSVRecords {
    var start = 0
    // Excel reads a separator from such a line, and some tools write it.
    if input.bytes.starts(with: "sep=".utf8) {
      let end = input.bytes.firstIndex { $0 == 0x0A } ?? input.bytes.count - 1
      start = end + 1
    }
    for separator in [",", ";", "\t"] as [Character] {
      let records = CSVRecords(input, from: start, separator: separator)
      var copy = records
      if let first = try? copy.next(), header(in: first) != nil { return records }
    }
    throw notATable(input)
  }

  private static func notATable(_ input: TextInput) -> TranslationProblem {
    var input = input
    return TranslationProblem(
      "the file must be XLIFF 1.2, a string catalog, or CSV whose first row has the columns"
        + " 'id', 'source' and 'target'", at: input.location(0..<0),
      advice: "keep the first row that 'contentc translations export' writes")
  }

  /// Returns the columns of a first row; `nil` if the row lacks a required column.
  private static func header(in cells: [CSVCell]) -> Header? {
    var header = Header()
    for (index, cell) in cells.enumerated() {
      let words = cell.text.lowercased().split(separator: " ").joined(separator: " ")
      if let column = CSVColumn(rawValue: words) {
        header.columns.append((column, index))
      } else if let language = language(in: cell, of: .source) {
        header.columns.append((.source, index))
        header.source = header.source ?? language
      } else if let language = language(in: cell, of: .target) {
        header.columns.append((.target, index))
        header.target = header.target ?? language
      }
    }
    let needed: [CSVColumn] = [.id, .source, .target]
    return needed.allSatisfy { header.index(of: $0) != nil } ? header : nil
  }

  /// Returns the language of a name such as `target (fr)`.
  private static func language(in cell: CSVCell, of column: CSVColumn) -> CSVCell? {
    let words = cell.text.split(separator: " ")
    guard words.count == 2, words[0].lowercased() == column.rawValue,
      words[1].hasPrefix("("), words[1].hasSuffix(")")
    else { return nil }
    return CSVCell(text: String(words[1].dropFirst().dropLast()), place: cell.place)
  }

  /// Returns the language of the translations; `nil` if it is not declared.
  private mutating func openLocale(at place: SourceLocation) throws(TranslationProblem)
    -> LocaleTag?
  {
    if let source = header.source,
      !collection.checkSource(source.text, at: source.place)
    {
      return nil
    }
    if let target = header.target { return collection.open(target.text, at: target.place) }
    let targets = collection.locales.targets
    guard targets.count == 1 else {
      throw TranslationProblem(
        "the first row must name the language of the translations", at: place,
        advice: "name the column 'target (\(targets.first?.identifier ?? "fr"))'")
    }
    return collection.open(targets[0].identifier, at: place)
  }

  // MARK: Rows

  private mutating func readRow(_ cells: [CSVCell], of locale: LocaleTag) {
    // Spreadsheets add empty rows and columns, and drop empty cells at the end of a row.
    guard let first = cells.first, cells.contains(where: { !$0.text.isEmpty }) else { return }
    let id = text(.id, of: cells)
    if let extra = cells.dropFirst(width).first(where: { !$0.text.isEmpty }) {
      return collection.report(
        "a row must have at most \(width) cells, as the first row has", of: id, at: extra.place,
        advice: "put a text with separators in quotation marks")
    }
    guard !id.isEmpty else {
      return collection.report("a row must have an id", of: nil, at: first.place)
    }
    let target = cell(.target, of: cells).flatMap { $0.text.isEmpty ? nil : $0 }
    // If a row lacks a separator, its state is in the column of the translation.
    if cells.count < width, let target, collection.format.state(named: target.text) != nil {
      return collection.report(
        "a row must have \(width) cells, as the first row has", of: id, at: target.place,
        advice: "one separator is missing in this row")
    }
    guard let state = readState(of: cells, id: id, hasTarget: target != nil) else { return }
    guard let length = readLength(of: cells, id: id) else { return }
    let whereUsed = text(.whereUsed, of: cells).unicodeScalars.split { $0 == "\n" || $0 == "\r" }
    let source = text(.source, of: cells)
    let translation = target.map { FormulaGuard.text(ofCell: $0.text) }
    // Translators fill in cells and leave the column of states alone.
    let isFilled = state == .new && translation != nil
    var unit = TranslationUnit(
      id: ExactString(id), source: source, target: translation,
      state: isFilled ? .translated : state,
      note: text(.note, of: cells), maximumLength: length.number,
      whereUsed: whereUsed.map { String($0) })
    unit.place = cell(.id, of: cells)?.place
    unit.targetPlace = target?.place ?? unit.place
    collection.add(unit, to: locale)
  }

  private func cell(_ column: CSVColumn, of cells: [CSVCell]) -> CSVCell? {
    guard let index = header.index(of: column), index < cells.count else { return nil }
    return cells[index]
  }

  private func text(_ column: CSVColumn, of cells: [CSVCell]) -> String {
    FormulaGuard.text(ofCell: cell(column, of: cells)?.text ?? "")
  }

  /// Reads the state; without one, a filled cell counts as translated.
  private mutating func readState(
    of cells: [CSVCell], id: String, hasTarget: Bool
  ) -> TranslationUnit.State? {
    guard let cell = cell(.state, of: cells), !cell.text.isEmpty else {
      return hasTarget ? .translated : .new
    }
    let name = cell.text.lowercased().split(separator: " ").joined(separator: "-")
    if let state = collection.format.state(named: name) { return state }
    collection.reportState(cell.text, of: id, at: cell.place)
    return nil
  }

  /// Reads the maximum length, or reports that it is no number and returns `nil`.
  private mutating func readLength(
    of cells: [CSVCell], id: String
  ) -> (number: Int?, Void)? {
    guard let cell = cell(.maximumLength, of: cells), !cell.text.isEmpty else { return (nil, ()) }
    guard let number = Int(cell.text), number >= 0 else {
      collection.report("a maximum length must be a whole number", of: id, at: cell.place)
      return nil
    }
    return (number, ())
  }
}
