package import Diagnostics
package import Markdown
package import YAML

/// One field: its type and its rules.
///
/// A class, since the check of each value refers to one.
package final class Field: Sendable {
  package let name: String
  package let kind: Kind
  package let isLocalized: Bool
  package let isRequired: Bool
  package let defaultValue: YAMLNode?
  package let limits: Limits
  package let location: SourceLocation?
  /// The description for translators; not empty.
  package let description: String?
  /// The names of datatypes in `to`, as written.
  let targets: [YAMLNode]
  /// `true` if a part of the value is localized; for a type without declared parts, the same as
  /// `isLocalized`.
  let hasLocalizedParts: Bool
  /// `true` if the value is a plural, or contains one.
  let hasPlurals: Bool
  /// The form of values, for a quick check of their bytes.
  let form: ScalarForm

  package init(
    name: String, kind: Kind, isLocalized: Bool = false, isRequired: Bool = false,
    defaultValue: YAMLNode? = nil,
    limits: Limits = Limits(), location: SourceLocation? = nil, description: String? = nil,
    targets: [YAMLNode] = []
  ) {
    (self.name, self.kind, self.isLocalized, self.isRequired) = (
      name, kind, isLocalized, isRequired
    )
    (self.defaultValue, self.limits, self.location, self.targets) = (
      defaultValue, limits, location, targets
    )
    self.description = description
    form = ScalarForm(kind, limits: limits)
    hasLocalizedParts =
      switch kind {
      case .object(let shape): shape.hasLocalizedParts
      case .list(let item), .map(let item): item.isLocalized || item.hasLocalizedParts
      default: isLocalized
      }
    hasPlurals =
      switch kind {
      case .plural: true
      case .object(let shape): shape.hasPlurals
      case .list(let item), .map(let item): item.hasPlurals
      default: false
      }
  }

  /// `true` if the value, or a part of it, is also written as a page.
  var hasPages: Bool {
    switch kind {
    case .markdown(let rules): rules.hasPage
    case .object(let shape): shape.hasPages
    case .list(let item), .map(let item): item.hasPages
    default: false
    }
  }

  /// Returns the field under another name.
  func named(_ name: String) -> Field {
    Field(
      name: name, kind: kind, isLocalized: isLocalized, isRequired: isRequired,
      defaultValue: defaultValue,
      limits: limits, location: location, description: description, targets: targets)
  }

  /// The field of the text of each category of a plural, which has the same limits.
  var pluralText: Field { Field(name: name, kind: .text, limits: limits, location: location) }

  /// The type of a field's values.
  package indirect enum Kind: Sendable {
    case string, text, integer, number, boolean, date, data, url, color, asset, any
    case choice([String])
    /// An entry of one of these datatypes, or of any datatype if the list is empty.
    case reference(to: [String])
    case object(ObjectShape)
    case list(Field)
    /// CommonMark, which the compiler parses.
    case markdown(MarkdownRules)
    /// A text for each plural category of a language.
    case plural
    /// Any keys, with values of one type.
    case map(Field)
    /// Text as written, in mappings and lists of any depth, as in a string catalog.
    case catalog
  }

  /// The choices of a field of type `markdown`.
  package struct MarkdownRules: Sendable {
    /// The syntax beyond CommonMark.
    package var options = MarkdownOptions()
    /// `true` if each text is also written as a web page.
    package var hasPage = false
  }

  /// Bounds on a single value.
  package struct Limits: Sendable {
    package var minimum: Double?
    package var maximum: Double?
    /// The minimum, in Unicode scalars.
    package var minimumLength: Int?
    /// The maximum, in Unicode scalars.
    package var maximumLength: Int?
    /// A regular expression that the whole value must match.
    package var pattern: Pattern?
    /// `true` if a number is an angle, of which six decimals are kept.
    package var isAngle = false
    /// `true` if translations may have other placeholders than the source locale's text.
    package var allowsOtherPlaceholders = false

    package init(minimum: Double? = nil, maximum: Double? = nil) {
      (self.minimum, self.maximum) = (minimum, maximum)
    }

    /// The bounds of an angle in degrees.
    static func angle(upTo most: Double) -> Limits {
      var limits = Limits(minimum: -most, maximum: most)
      limits.isAngle = true
      return limits
    }
  }
}

extension Field.Kind {
  /// The type's name in a datatype.
  package var name: String {
    switch self {
    case .string: "string"
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .data: "data"
    case .url: "url"
    case .color: "color"
    case .asset: "asset"
    case .any: "any"
    case .choice: "choice"
    case .reference: "reference"
    case .object(let shape): shape.isPlace ? "place" : "object"
    case .list: "list"
    case .map: "map"
    case .markdown: "markdown"
    case .plural: "plural"
    case .catalog: "catalog"
    }
  }

  /// `true` if the type's values are text for people; those of `any` may be.
  package var isText: Bool {
    switch self {
    case .string, .text, .catalog, .markdown, .plural: true
    case .integer, .number, .boolean, .date, .data, .url, .color, .asset, .any, .choice,
      .reference, .object, .list, .map:
      false
    }
  }

  /// The types that a datatype may use without attributes.
  static let simple: [Field.Kind] = [
    .string, .text, .integer, .number, .boolean, .date, .data, .url, .color, .asset, .any,
    .reference(to: []), .object(ObjectShape(fields: [], isOpen: true)), .object(.place),
    .markdown(Field.MarkdownRules()), .plural,
  ]

  /// The rule for values of a type that is a mapping, as in "must be a mapping".
  var mappingRule: String {
    if case .plural = self {
      return "be a mapping of plural categories, such as {one: A rose, other: \"{count} roses\"}"
    }
    return isPlace
      ? "be a mapping such as {latitude: 48.8566, longitude: 2.3522}" : "be a mapping"
  }

  /// `true` for a place on the Earth.
  package var isPlace: Bool { if case .object(let shape) = self { shape.isPlace } else { false } }

  /// The names of all types that a datatype may use.
  static let names = simple.map(\.name) + ["choice", "list", "map"]

  /// The type of this name that needs no attributes; `nil` if there is none.
  init?(simple name: String) {
    guard let kind = Self.simple.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
