#if canImport(FoundationInternationalization)
  import FoundationEssentials
  import FoundationInternationalization
#else
  import Foundation
#endif

/// What people call a locale.
enum LocaleNames {
  /// The name of a locale as its own or another locale has it, such as `français (Canada)`; its tag
  /// where CLDR knows none.
  static func name(of tag: String, in language: String) -> String {
    Locale(identifier: language).localizedString(forIdentifier: tag) ?? tag
  }
}
