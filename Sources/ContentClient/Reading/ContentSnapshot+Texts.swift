import ContentModel
import PropertyLists

extension ContentSnapshot {
  /// Returns a text of a string catalog, with its placeholders `%{name}` replaced.
  ///
  /// With `count`, a text with plural categories is taken in that of the number, by CLDR's rules
  /// for the language of the text; `zero` is used for 0 in every language, as in Rails. `%{count}` is
  /// the number.
  ///
  /// ```swift
  /// let text = snapshot.text("cart.items", in: "strings/app", count: 3, ["shop": "Rose & Co."])
  /// ```
  public func text(
    _ key: String, in catalog: String = "strings/app", count: Int? = nil,
    _ arguments: KeyValuePairs<String, String> = [:]  // String keys: a list, without lookup
  ) -> String? {
    guard let value = entry(catalog)?[FieldPath(key)] else { return nil }
    guard let pattern = value.text ?? count.flatMap({ plural(value, count: $0) }) else {
      return nil
    }
    var values = arguments.map { (name: $0.key, text: $0.value) }
    if let count { values.append((name: "count", text: "\(count)")) }
    return pattern.replacingPlaceholders(by: values)
  }

  /// Returns the text for a number from a mapping of plural categories.
  private func plural(_ value: Value, count: Int) -> String? {
    if count == 0, let zero = value["zero"]?.text { return zero }
    let tag = (value["locale"]?.text ?? locale).flatMap { LocaleTag($0) }
    let category = tag.map { PluralRules($0).category(of: count) } ?? .other
    return value[category.rawValue]?.text ?? value["other"]?.text
  }
}
