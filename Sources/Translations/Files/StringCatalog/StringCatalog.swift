extension TranslationFormat {
  /// A string catalog of Xcode.
  ///
  /// There is no state `final`. Comments contain the note, the maximum length and the places.
  package static let xcstrings = TranslationFormat(
    name: "xcstrings", title: "String catalog", readers: "Xcode", otherExtensions: ["json"],
    mediaType: "application/json", onlyXMLCharactersIn: nil,
    states: [
      ("new", .new), ("needs_review", .needsReview), ("translated", .translated),
      ("translated", .final), ("stale", .needsReview),
    ],
    forms: Forms(
      states: "yes, but `final` is written as `translated`", notes: "in the comment",
      maximumLength: "in the comment", whereUsed: "in the comment", plurals: "variations",
      hasSeveralLocales: true),
    recognizes: { $0.first == UInt8(ascii: "{") }, read: StringCatalogReader.read(_:locales:),
    write: { StringCatalogWriter($0).encoded() })
}
