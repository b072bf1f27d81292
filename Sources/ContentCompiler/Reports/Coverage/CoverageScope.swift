package import ContentModel
package import ContentSource
package import Diagnostics

/// The locale and the datatype that a coverage is limited to.
package struct CoverageScope: Sendable {
  /// The locale; `nil` for all declared locales.
  package var locale: LocaleTag?
  /// The datatype; `nil` for all datatypes.
  package var datatype: String?

  /// The scope of a whole tree.
  package init() {}

  /// `true` if the coverage lists each text that is not translated.
  package var listsGaps: Bool { locale != nil || datatype != nil }

  /// An error for a name that the content does not have.
  package struct UnknownName: Error {
    package var rule: Rule
    package var name: String
    package var known: [String]
  }

  /// The scope of one locale, one datatype or both, by their names.
  package init(locale: String?, datatype: String?, in tree: ContentTree) throws(UnknownName) {
    if let locale {
      let declared = tree.project.locales.declared
      guard let tag = LocaleTag(locale), declared.contains(tag) else {
        throw UnknownName(rule: .unknownLocale, name: locale, known: declared.map(\.identifier))
      }
      self.locale = tag
    }
    if let datatype {
      let known = Set(names: tree.datatypes.map(\.name) + tree.entries.map(\.id.datatype)).names
      guard known.contains(datatype) else {
        throw UnknownName(rule: .unknownDatatype, name: datatype, known: known)
      }
      self.datatype = datatype
    }
  }
}
