import ContentModel
package import Diagnostics

// What spreadsheets and their users make of texts in cells.
extension TranslationUnit {
  /// Returns an error for an error value of a spreadsheet, which has replaced the translation, and a
  /// warning for a formula or a leading apostrophe, which readers would see.
  ///
  /// What the source text has, too, is taken for text.
  package var cellProblem: Diagnostic? {
    guard let target else { return nil }
    let place = targetPlace ?? self.place
    if Self.errorValues.contains(target), !source.hasSameBytes(as: target) {
      return .error(
        .translationCell, at: place,
        message:
          "the translation of '\(id)' must be a text; '\(target)' is an error of a spreadsheet",
        notes: [.init("format the column as text, and type the translation again")])
    }
    if target.hasBytePrefix("="), !source.hasBytePrefix("=") {
      return .warning(
        .translationCell, at: place,
        message: "the translation of '\(id)' must be a text; '\(target.shortened)' is a formula",
        notes: [.init("write the result of the formula into the cell")])
    }
    guard target.hasBytePrefix("'"), !source.hasBytePrefix("'"), Self.isStray(target.dropFirst())
    else { return nil }
    return .warning(
      .translationCell, at: place,
      message: "the translation of '\(id)' must not begin with an apostrophe, which readers see",
      notes: [.init("a spreadsheet hides an apostrophe before a text, and may save it")])
  }

  /// The errors of Excel, Google Sheets and LibreOffice, some of them in other languages.
  private static let errorValues = [
    "#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#N/A", "#ERROR!", "#SPILL!",
    "#CALC!", "#NOM?", "#VALEUR!", "#BEZUG!", "#WERT!", "#ZAHL!", "#NV", "Err:508", "Err:509",
    "Err:510",
  ]

  /// Returns `true` for the rest of a text whose apostrophe is no part of its language.
  ///
  /// Dutch and Afrikaans have words such as `'s` and `'n`; another apostrophe closes a quotation.
  private static func isStray(_ rest: Substring) -> Bool {
    let word = rest.unicodeScalars.prefix { $0.properties.isAlphabetic }
    let isShortWord = word.count == 1 && word.endIndex < rest.unicodeScalars.endIndex
    return !isShortWord && !rest.unicodeScalars.contains { $0 == "'" }
  }
}
