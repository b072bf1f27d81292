import ContentModel
import PropertyLists

extension ContentSnapshot {
  /// Returns a text of a string catalog, or of a field of another entry, with its placeholders
  /// replaced.
  ///
  /// A placeholder is `{name}` or `%{name}`, which has the value of the argument of its name; or an
  /// argument as in `printf`, such as `%@` and `%2$d`, which has the value of the argument named by
  /// its number: `["1": "Rose & Co."]`. One without a value stays as it is.
  ///
  /// With `count`, a text with plural categories is taken in that of the number, by CLDR's rules
  /// for the language of the text; `zero` is used for 0 in every language, as in Rails. The number
  /// replaces the placeholder that is named `count`, else the first whole number such as `%d`, else
  /// the only placeholder. It is written as the reader does who speaks that language: `1,234` or
  /// `1.234`.
  ///
  /// ```swift
  /// let text = snapshot.text("cart.items", in: "strings/app", count: 3, ["shop": "Rose & Co."])
  /// ```
  public func text(
    _ key: String, in catalog: String = "strings/app", count: Int? = nil,
    _ arguments: KeyValuePairs<String, String> = [:]
  ) -> String? {
    guard let value = entry(catalog)?[FieldPath(key)] else { return nil }
    let language = value["locale"]?.text ?? locale
    guard
      let pattern = value.text ?? count.flatMap({ plural(value, count: $0, language: language) })
    else { return nil }
    let number = count.map { $0.written(in: numberLocale(for: language)) }
    return Self.filled(pattern, count: number) { name in
      arguments.first { $0.key.hasSameBytes(as: name) }?.value
    }
  }

  /// Returns the text for a number from a mapping of plural categories.
  private func plural(_ value: Value, count: Int, language: String?) -> String? {
    if count == 0, let zero = value["zero"]?.text { return zero }
    let tag = language.flatMap { LocaleTag($0) }
    let category = tag.map { PluralRules($0).category(of: count) } ?? .other
    return value[category.rawValue]?.text ?? value["other"]?.text
  }

  /// Returns the locale by whose rules a number in a text of a language is written: the reader's
  /// own if it is of this language, with its region.
  private func numberLocale(for language: String?) -> String {
    let text = language.flatMap { LocaleTag($0) }
    let readers = (content?.reader.locales ?? []).compactMap { LocaleTag(requested: $0) }
    let own = readers.first { $0.language == text?.language && $0.script == text?.script }
    return (own ?? text)?.identifier ?? "en"
  }

  /// Returns a text with values in its placeholders, in one pass: a value is not searched again.
  private static func filled(
    _ pattern: String, count: String?, argument: (_ name: String) -> String?
  ) -> String {
    let number = count == nil ? nil : Placeholders(in: pattern).count
    return Placeholders.pieces(of: pattern).map { piece in
      switch piece {
      case .text(let text): text
      case .placeholder(let placeholder):
        argument(placeholder.name ?? "\(placeholder.argument ?? 0)")
          ?? (placeholder == number ? count : nil) ?? placeholder.spelling
      }
    }.joined()
  }
}
