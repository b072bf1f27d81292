import ContentModel
package import Diagnostics

// Problems of texts in cells, which spreadsheets and their users cause.
extension TranslationUnit {
  /// Returns the problem of a translation that a spreadsheet or its user has changed.
  ///
  /// A spreadsheet's error value in place of the translation is an error. A formula or a leading
  /// apostrophe, which readers would see, is a warning. There is no problem if the source text has
  /// the same.
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

  /// Returns `true` if the apostrophe before the rest of a text is not a part of the text.
  ///
  /// Dutch and Afrikaans have words such as `'s` and `'n`. Elsewhere, a second apostrophe shows
  /// that the first one opens a quotation.
  private static func isStray(_ rest: Substring) -> Bool {
    let word = rest.unicodeScalars.prefix { $0.properties.isAlphabetic }
    let isShortWord = word.count == 1 && word.endIndex < rest.unicodeScalars.endIndex
    return !isShortWord && !rest.unicodeScalars.contains { $0 == "'" }
  }
}
