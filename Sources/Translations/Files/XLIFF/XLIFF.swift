extension TranslationFormat {
  /// XLIFF 1.2, as Xcode writes it.
  package static let xliff = TranslationFormat(
    name: "xliff", title: "XLIFF 1.2", readers: "translation services and tools",
    otherExtensions: ["xlf"], mediaType: "application/xliff+xml",
    onlyXMLCharactersIn: "XML files",
    states: [
      ("new", .new), ("needs-translation", .new),
      ("needs-review-translation", .needsReview), ("needs-review-l10n", .needsReview),
      ("needs-review-adaptation", .needsReview), ("needs-l10n", .needsReview),
      ("needs-adaptation", .needsReview), ("translated", .translated),
      ("final", .final), ("signed-off", .final),
    ],
    forms: Forms(
      states: "yes", notes: "`<note>`", maximumLength: "`maxwidth`, in characters",
      whereUsed: "`<context>`", plurals: "a unit for each category", hasSeveralLocales: true),
    recognizes: { $0.first == UInt8(ascii: "<") }, read: XLIFFReader.read(_:locales:),
    write: { file in
      var writer = XLIFFWriter()
      return writer.write(file)
    })
}
