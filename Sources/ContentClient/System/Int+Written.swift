import Foundation

extension Int {
  /// Returns the number as people write it who use a locale, such as `1,234` in English and `1.234`
  /// in German.
  func written(in locale: String) -> String {
    formatted(.number.locale(Locale(identifier: locale)))
  }
}
