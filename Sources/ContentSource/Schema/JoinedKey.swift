import ContentModel
import Diagnostics
import YAML

extension String {
  /// Returns the known key that an unknown key means: the nearest, or the one before a value.
  func meantKey(among known: [String]) -> String? {
    nearest(among: known)
      ?? [MissingSpace(self)?.key, MissingColon(self)?.key].compactMap(\.self).first {
        key in known.contains { $0.hasSameBytes(as: key) }
      }
  }
}

/// A key without a colon, so that YAML reads it and its value as one key.
struct MissingColon {
  let key: String
  let value: Substring

  /// Finds the slip in a key; returns `nil` if it has no second word.
  init?(_ text: String) {
    guard let space = text.firstIndex(of: " ") else { return nil }
    (key, value) = (String(text[..<space]), text[space...].drop { $0 == " " })
  }

  /// `true` if the value begins a mapping or a list, as no name does.
  var beginsCollection: Bool { value.first.map { $0 == "{" || $0 == "[" } ?? false }

  /// The error for the key; the fix only adds the colon.
  func diagnostic(at location: SourceLocation) -> Diagnostic {
    let fixIt =
      beginsCollection
      ? nil
      : location.range.map {
        Diagnostic.FixIt($0, replacement: "\(key): \(value)")
      }
    let advice = fixIt.map { "; write \($0.replacement)" } ?? ""
    return .error(
      .yamlSyntax, at: location, message: "':' must follow the key '\(key)'\(advice)",
      fixIt: fixIt)
  }
}

extension Diagnostic {
  /// Returns the error for a key that YAML reads together with the beginning of its value, as in
  /// `size {type: object}` and `size:{type: object}`.
  static func joinedValue(of key: YAMLNode) -> Diagnostic? {
    if let missing = MissingColon(key.text), missing.beginsCollection {
      return missing.diagnostic(at: key.location)
    }
    guard let missing = MissingSpace(key.text) else { return nil }
    return .error(
      .yamlSyntax, at: key.location, message: missing.message,
      fixIt: FixIt(key.range, replacement: missing.replacement))
  }
}
