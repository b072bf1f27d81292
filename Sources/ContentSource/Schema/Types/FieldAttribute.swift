import YAML

/// An attribute of fields, or a group of attributes such as `min` and `max`.
package struct FieldAttribute: Sendable {
  /// The keys in a definition, each with a valid value.
  let keys: Keys
  /// The description in the reference, in Markdown.
  let meaning: String
  /// `true` if the reference shows the keys with their values, such as `page: true`.
  var showsValue = false
  /// `true` if a definition must have the keys.
  var isRequired = false
  /// Reads limits, and reports invalid limits.
  ///
  /// It is `nil` if `FieldType.kind` or `FieldReader` reads the attribute.
  var read: (@Sendable (inout FieldDefinition) -> Void)?

  typealias Keys = KeyValuePairs<String, String>

  /// The attributes of all types.
  static let common = [
    FieldAttribute(
      keys: ["required": "true"],
      meaning: "a missing value in some context is an error, and so is `null`", showsValue: true),
    FieldAttribute(keys: ["default": "1"], meaning: "the value if there is none"),
    FieldAttribute(
      keys: ["localized": "true"],
      meaning: "may differ by locale, and so may everything below it", showsValue: true),
    FieldAttribute(
      keys: ["description": "Name"],
      meaning: "the text for [translators](../guides/translating.md); readers do not get it"),
  ]

  /// Returns the attribute for limits of numbers, in the notation of `keys`.
  static func range(
    _ keys: Keys = ["min": "1", "max": "2"], must rule: String,
    as convert: @escaping @Sendable (YAMLNode) -> Double?
  ) -> FieldAttribute {
    FieldAttribute(keys: keys, meaning: "the smallest and the greatest value") { definition in
      let least = definition.reader.optional("min", must: rule, as: convert)
      let most = definition.reader.optional("max", must: rule, as: convert)
      if let least, let most, most < least {
        return definition.reader.refuse("max", below: "min")
      }
      (definition.limits.minimum, definition.limits.maximum) = (least, most)
    }
  }

  static let lengths = FieldAttribute(
    keys: ["minLength": "1", "maxLength": "2"],
    meaning:
      "in Unicode scalars; of Markdown, those of the text without markup; of a plural, for each category"
  ) { definition in
    let rule = "be a count of Unicode scalars, 0 or more"
    let least = definition.reader.optional("minLength", must: rule, as: \.count)
    let most = definition.reader.optional("maxLength", must: rule, as: \.count)
    if let least, let most, most < least {
      return definition.reader.refuse("maxLength", below: "minLength")
    }
    (definition.limits.minimumLength, definition.limits.maximumLength) = (least, most)
  }

  static let pattern = FieldAttribute(
    keys: ["pattern": "a"], meaning: "a [regular expression](#patterns) for the whole value"
  ) { definition in
    let node = definition.reader.optional("pattern", must: "be a regular expression") {
      $0.scalarText == nil ? nil : $0
    }
    guard let node else { return }
    do throws(PatternError) { definition.limits.pattern = try Pattern(node.text) } catch {
      definition.reader.report(
        .wrongType("'pattern'", must: error.rule, at: node.location(ofUnicodeScalars: error.place)))
    }
  }

  static let placeholders = FieldAttribute(
    keys: ["placeholders": "off"],
    meaning: "translations may have other [placeholders](#placeholders)", showsValue: true
  ) { definition in
    let isOff = definition.reader.optionalIsOff("placeholders")
    definition.limits.allowsOtherPlaceholders = isOff ?? false
  }

  static let itemDefinition = FieldAttribute(keys: ["of": "string"], meaning: "a definition")
}

extension RecordReader {
  /// Reports limits that would reject every value.
  fileprivate mutating func refuse(_ most: String, below least: String) {
    let place = (node[most] ?? node).place
    report(.wrongType("'\(most)'", must: "be at least '\(least)'", at: place))
  }
}

extension YAMLNode {
  /// A finite number of the core schema, with or without a fraction.
  var double: Double? {
    switch scalar {
    case .integer(let number): Double(number)
    case .number(let number): number.isFinite ? number : nil
    default: nil
    }
  }

  /// An integer of the core schema that is not negative.
  var count: Int? {
    if case .integer(let number) = scalar, number >= 0 { Int(number) } else { nil }
  }
}
