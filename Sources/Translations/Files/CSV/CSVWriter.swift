import ContentModel
import Diagnostics

/// A writer of CSV (RFC 4180) for spreadsheets.
///
/// The byte-order mark makes Excel read UTF-8; LibreOffice accepts it. Every cell is in quotation
/// marks, so that no text ends its cell, whatever separator a spreadsheet expects.
struct CSVWriter {
  private var output: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns the bytes of a file.
  mutating func write(_ file: TranslationFile) -> [UInt8] {
    row(
      CSVColumn.allCases.map { column in
        switch column {
        case .source: "\(column.rawValue) (\(file.sourceLocale))"
        case .target: "\(column.rawValue) (\(file.targetLocale))"
        default: column.rawValue
        }
      })
    for unit in file.units {
      // An empty translation is written as an apostrophe, because an empty cell means no
      // translation.
      let target = unit.target.map { $0.isEmpty ? "'" : FormulaGuard.cell(for: $0) }
      row([
        FormulaGuard.cell(for: unit.id.text), FormulaGuard.cell(for: unit.source), target ?? "",
        TranslationFormat.csv.name(of: unit.state), FormulaGuard.cell(for: unit.note ?? ""),
        unit.maximumLength.map(String.init) ?? "",
        FormulaGuard.cell(for: unit.whereUsed.joined(separator: "\n")),
      ])
    }
    return output
  }

  private mutating func row(_ cells: [String]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      for byte in cell.utf8 {
        if byte == UInt8(ascii: "\"") { output.append(byte) }
        output.append(byte)
      }
      output.append(UInt8(ascii: "\""))
    }
    output += "\r\n".utf8
  }
}

/// The columns of a table of translations, by the names in its first row.
enum CSVColumn: String, CaseIterable {
  case id
  case source
  case target
  case state
  case note
  case maximumLength = "maximum length"
  case whereUsed = "where used"
}
