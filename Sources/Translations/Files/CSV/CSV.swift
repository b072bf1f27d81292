extension TranslationFormat {
  /// Comma-separated values (RFC 4180) in UTF-8.
  package static let csv = TranslationFormat(
    name: "csv", title: "CSV", readers: "spreadsheets", mediaType: "text/csv; charset=utf-8",
    onlyXMLCharactersIn: "spreadsheets",
    states: [
      ("new", .new), ("needs-review", .needsReview), ("translated", .translated),
      ("final", .final),
    ], hasUntouchedStates: true,
    forms: Forms(
      states: "a column", notes: "a column", maximumLength: "a column", whereUsed: "a column",
      plurals: "a row for each category", hasSeveralLocales: false),
    recognizes: { _ in true }, read: CSVReader.read(_:locales:),
    write: { file in
      var writer = CSVWriter()
      return writer.write(file)
    }, problem: \.cellProblem)
}
