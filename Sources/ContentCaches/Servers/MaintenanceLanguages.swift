/// The rules by which `Accept-Language` selects a locale's payload during maintenance.
///
/// As in apps, the first tag with a match decides, by the longest prefix of its subtags that is a
/// known request.
package struct MaintenanceLanguages: Sendable {
  /// The prefixes of tags in lower case and their locales, longest first.
  let rules: [(tag: String, locale: String)]
  /// The locale for all other readers.
  let source: String

  /// Creates rules from the project's declared locales, and from requests whose match is none of
  /// their prefixes.
  package init(
    source: String, declared: [String], matches: [(requested: String, declared: String)] = []
  ) {
    self.source = source
    var known: [String: String] = [:]
    for locale in declared { known[locale.lowercased()] = locale }
    for match in matches { known[match.requested.lowercased()] = match.declared }
    rules = known.map { (tag: $0.key, locale: $0.value) }.sorted { a, b in
      a.tag.utf8.count != b.tag.utf8.count ? a.tag.utf8.count > b.tag.utf8.count : a.tag < b.tag
    }
  }

  /// The tags as alternatives of a regular expression, longest first.
  var alternatives: String { rules.map(\.tag).joined(separator: "|") }

  /// The pattern whose only group is the first known tag of a header; servers must ignore case.
  var pattern: String { "(?:^|,)\\s*(\(alternatives))(?:[-,;\\s]|$)" }
}
