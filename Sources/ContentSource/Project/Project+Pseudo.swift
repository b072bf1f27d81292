import ContentModel
package import Diagnostics

extension Project {
  /// Adds the pseudo-locales, whose texts are made from those of the source locale.
  ///
  /// A pseudo-locale that the project declares stays a locale like any other, which is an error.
  package mutating func addPseudoLocales() -> [Diagnostic] {
    let declared = locales.declared.filter(\.isPseudo)
    locales = locales.addingPseudoLocales()
    return declared.map { locale in
      .error(
        "declared-pseudo-locale", at: places.locales,
        message:
          "'locales' must not have '\(locale)' in a build with pseudo-locales; delete it there",
        notes: [Diagnostic.Note("the build makes its texts, and needs no files for it")])
    }
  }
}
