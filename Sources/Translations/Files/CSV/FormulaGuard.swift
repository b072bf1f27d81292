/// The protection of a cell against spreadsheets that run a text as a formula.
///
/// OWASP advises an apostrophe before a text that begins with `=`, `+`, `-`, `@`, a tab or CR. A
/// spreadsheet shows the apostrophe, and writes it again. The reader removes an apostrophe only if
/// the writer would have added it. To make this exact, the writer also adds one before apostrophes
/// that such a character follows. `'s morgens` is not changed. An empty translation is written as
/// an apostrophe, since an empty cell means no translation.
enum FormulaGuard {
  private static let apostrophe: Unicode.Scalar = "'"
  /// The characters that begin formulas, also in the wide forms that some spreadsheets accept.
  private static let dangerous: [Unicode.Scalar] = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  /// Returns the cell for a text.
  static func cell(for text: String) -> String { needsGuard(text) ? "'" + text : text }

  /// Returns the text of a cell.
  static func text(ofCell cell: String) -> String {
    guard cell.unicodeScalars.first == apostrophe else { return cell }
    let rest = String(cell.unicodeScalars.dropFirst())
    return rest.isEmpty || needsGuard(rest) ? rest : cell
  }

  /// Returns `true` for a formula after any number of apostrophes, and for apostrophes alone.
  ///
  /// Spaces before the formula's first character are ignored, as some spreadsheets do.
  private static func needsGuard(_ text: String) -> Bool {
    let rest = text.unicodeScalars.drop { $0 == apostrophe }
    guard let first = rest.first(where: { $0 != " " }) else {
      return rest.isEmpty && !text.isEmpty
    }
    return dangerous.contains(first)
  }
}
