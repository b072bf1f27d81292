#if canImport(FoundationInternationalization)
  import FoundationEssentials
  import FoundationInternationalization
#else
  import Foundation
#endif

/// The display names of locales.
enum LocaleNames {
  /// Returns a locale's name in a language, such as `français (Canada)`; its tag if CLDR has none.
  static func name(of tag: String, in language: String) -> String {
    Locale(identifier: language).localizedString(forIdentifier: tag) ?? tag
  }
}
