/// The rules by which the header `Accept-Language` selects a locale's payload while the service is
/// down.
///
/// As readers of config do it, for the first tag that leads anywhere: the longest beginning of it,
/// cut between subtags, that is a known request.
package struct MaintenanceLanguages: Sendable {
  /// A beginning of a tag in lower case, and the locale it gets; longer ones first.
  let rules: [(tag: String, locale: String)]
  /// The locale for all other readers.
  let source: String

  /// The project's declared locales, and the requests for which cutting subtags off would go wrong.
  package init(
    source: String, declared: [String], matches: [(requested: String, declared: String)] = []
  ) {
    self.source = source
    var known: [String: String] = [:]  // String keys: locales are ASCII
    for locale in declared { known[locale.lowercased()] = locale }
    for match in matches { known[match.requested.lowercased()] = match.declared }
    rules = known.map { (tag: $0.key, locale: $0.value) }.sorted { a, b in
      a.tag.utf8.count != b.tag.utf8.count ? a.tag.utf8.count > b.tag.utf8.count : a.tag < b.tag
    }
  }

  /// The tags as alternatives of a regular expression, longer ones first.
  var alternatives: String { rules.map(\.tag).joined(separator: "|") }

  /// Finds the first known tag of a header, its one group; not case-sensitive where the server is
  /// told so.
  var pattern: String { "(?:^|,)\\s*(\(alternatives))(?:[-,;\\s]|$)" }
}
