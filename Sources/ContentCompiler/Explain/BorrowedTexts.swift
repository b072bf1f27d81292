import Parallel
package import ContentModel
package import ContentSource

/// The texts of one entry that another locale lends to a context.
package struct BorrowedTexts: Sendable {
  package var id: EntryID
  /// By path as `explain` writes it, with the locale that each was written for.
  package var texts: [(path: String, locale: LocaleTag)]
}

/// The localized texts that a context shows in another locale's words, by entry; entries without
/// any are left out.
///
/// Items of lists without ids are numbered as a reader in these circumstances gets them.
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
        of: resolved.members, entry.datatype.shape, LayerLocales(of: entry, source: locales.source),
        includesFree: true, as: circumstances)
      let borrowed = texts.all.compactMap { text in
        text.locale.flatMap { $0 == context.locale ? nil : (path: text.path, locale: $0) }
      }
      return borrowed.isEmpty ? nil : BorrowedTexts(id: entry.id, texts: borrowed)
    }
  }.flatMap(\.self)
}
