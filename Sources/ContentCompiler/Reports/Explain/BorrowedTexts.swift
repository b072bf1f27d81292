package import ContentModel
package import ContentSource
import System

/// The texts of one entry that a context takes from another locale.
package struct BorrowedTexts: Sendable {
  package var id: EntryID
  /// The path of each text, in the form of `explain`, and the locale that it was written for.
  package var texts: [(path: String, locale: LocaleTag)]
}

/// Returns the localized texts that a context takes from another locale, by entry.
///
/// Items of lists without ids have the numbers that a reader in these circumstances gets.
package func borrowedTexts(
  in tree: ContentTree, context: Context, _ circumstances: Circumstances
) -> [BorrowedTexts] {
  let locales = tree.project.locales
  guard context.locale != locales.source else { return [] }
  let rules = ResolutionRules(of: tree.project)
  guard let index = rules.contexts.firstIndex(of: context) else { return [] }
  return tree.entries.chunks(of: 64).concurrentValues { entries in
    entries.compactMap { entry in
      guard let resolved = rules.resolve(entry, in: index) else { return nil }
      let texts = LocalizedTexts(
        of: resolved.members, shape: entry.datatype.shape,
        locales: LayerLocales(of: entry, source: locales.source), includesFree: true,
        as: circumstances)
      let borrowed = texts.all.flatMap { text -> [(path: String, locale: LocaleTag)] in
        guard let locale = text.locale, locale != context.locale else { return [] }
        return text.leafPaths.map { (path: $0, locale: locale) }
      }
      return borrowed.isEmpty ? nil : BorrowedTexts(id: entry.id, texts: borrowed)
    }
  }.flatMap(\.self)
}

extension LocalizedTexts.Text {
  /// The paths of the strings that readers get: one for each category of a plural.
  fileprivate var leafPaths: [String] {
    categories.isEmpty ? [path] : categories.map { "\(path).\($0.rawValue)" }
  }
}
