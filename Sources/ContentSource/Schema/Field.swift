package import ContentModel
package import Diagnostics
package import Markdown
package import YAML

/// One field: its type and its rules.
///
/// A class, because the checks of many values share a field.
package final class Field: Sendable {
  package let name: ExactString
  package let kind: Kind
  package let isLocalized: Bool
  package let isRequired: Bool
  package let defaultValue: YAMLNode?
  package let limits: Limits
  package let location: SourceLocation?
  /// The description for translators; `nil` instead of an empty text.
  package let description: String?
  /// `true` if values are text for people.
  ///
  /// `false` for `any`, because its values can be numbers, too.
  package let isText: Bool
  /// `true` if a declared part of the value is localized.
  ///
  /// Equal to `isLocalized` for types without declared parts.
  package let hasLocalizedParts: Bool
  /// The form of values, by which a quick check of their bytes accepts most values.
  let form: ScalarForm

  package init(
    name: ExactString, kind: Kind, isLocalized: Bool = false, isRequired: Bool = false,
    defaultValue: YAMLNode? = nil,
    limits: Limits = Limits(), location: SourceLocation? = nil, description: String? = nil
  ) {
    (self.name, self.kind, self.isLocalized, self.isRequired) = (
      name, kind, isLocalized, isRequired
    )
    (self.defaultValue, self.limits, self.location) = (defaultValue, limits, location)
    self.description = description
    (isText, form) = (kind.isText, kind.form(within: limits))
    hasLocalizedParts =
      switch kind {
      case .object(let shape): shape.hasLocalizedParts
      case .list(let item), .map(let item): item.isLocalized || item.hasLocalizedParts
      case .scalar, .any, .markdown, .plural, .catalog: isLocalized
      }
  }

  /// `true` if the value is a plural, or contains one.
  var hasPlurals: Bool {
    if case .plural = kind { true } else { kind.children.contains(where: \.hasPlurals) }
  }

  /// `true` if the build also writes the value, or a part of it, as a web page.
  var hasPages: Bool {
    if case .markdown(let rules) = kind, rules.hasPage { return true }
    return kind.children.contains(where: \.hasPages)
  }

  /// The field, and all fields inside it.
  var withInner: [Field] { [self] + kind.children.flatMap(\.withInner) }

  /// The field of a list's items; `nil` if the value cannot be a list.
  ///
  /// A field without a declared type is also the field of its items.
  package var item: Field? {
    switch kind {
    case .list(let item): item
    case .any, .catalog: self
    case .scalar, .markdown, .object, .map, .plural: nil
    }
  }

  /// Returns the field under another name.
  func named(_ name: ExactString) -> Field {
    Field(
      name: name, kind: kind, isLocalized: isLocalized, isRequired: isRequired,
      defaultValue: defaultValue,
      limits: limits, location: location, description: description)
  }

  /// The field for the text of each plural category, with the limits of the plural.
  var pluralText: Field {
    Field(name: name, kind: .scalar(TextType.self), limits: limits, location: location)
  }

  /// The shape of a field's values.
  package enum Kind: Sendable {
    /// A single value of a type that converts the text.
    case scalar(any ScalarType.Type)
    /// A single value, a mapping or a list, without a declared type.
    case any
    /// CommonMark, which the compiler parses.
    case markdown(MarkdownRules)
    case object(ObjectShape)
    case list(Field)
    /// A mapping with any keys. Its values have one type.
    case map(Field)
    /// A text for each plural category of a language.
    case plural
    /// Text as written, in mappings and lists of any depth, as in a string catalog.
    case catalog
  }

  /// The choices of a field of type `markdown`.
  package struct MarkdownRules: Sendable {
    /// The syntax beyond CommonMark.
    package var options = MarkdownOptions()
    /// `true` if the build also writes each text as a web page.
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
    /// The values of a `choice`.
    var choices: [String] = []
    /// The datatypes of the entries that a `reference` may name; empty for all datatypes.
    var targets: [Target] = []
    /// `true` if the placeholders of a translation may differ from those of the source locale's text.
    package var allowsOtherPlaceholders = false

    package init(minimum: Double? = nil, maximum: Double? = nil) {
      (self.minimum, self.maximum) = (minimum, maximum)
    }
  }

  /// A datatype in the `to` of a `reference` field.
  struct Target: Sendable {
    var datatype: String
    var location: SourceLocation
  }
}

extension Field.Kind {
  /// The type that a datatype declares for fields of this kind.
  package var type: any FieldType.Type {
    switch self {
    case .scalar(let type): type
    case .any: AnyType.self
    case .markdown: MarkdownType.self
    case .object(let shape): shape.isPlace ? PlaceType.self : ObjectType.self
    case .list: ListType.self
    case .map: MapType.self
    case .plural: PluralType.self
    case .catalog: CatalogType.self
    }
  }

  /// The fields inside values: the fields of an object, or the field of a list's or map's items.
  package var children: [Field] {
    switch self {
    case .object(let shape): shape.fields
    case .list(let item), .map(let item): [item]
    case .scalar, .any, .markdown, .plural, .catalog: []
    }
  }

  /// `true` if values are text for people.
  fileprivate var isText: Bool {
    switch self {
    case .scalar(let type): type.isText
    case .markdown, .plural, .catalog: true
    case .any, .object, .list, .map: false
    }
  }

  fileprivate func form(within limits: Field.Limits) -> ScalarForm {
    switch self {
    case .scalar(let type): type.form(within: limits)
    case .any: .open
    case .catalog: .freeText
    case .markdown, .object, .list, .map, .plural: .other
    }
  }

  /// The declared fields of an object; `nil` for all other kinds.
  package var shape: ObjectShape? {
    switch self {
    case .object(let shape): shape
    case .scalar, .any, .markdown, .list, .map, .plural, .catalog: nil
    }
  }

  /// `true` for a place on the Earth.
  package var isPlace: Bool { shape?.isPlace ?? false }
}
