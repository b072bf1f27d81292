package import ContentModel
package import Diagnostics
package import SourceYAML

/// An entry's schema: its fields, its lifetime in apps, and the subsets of fields for bundles.
///
/// A class, since every entry refers to one.
package final class Datatype: Sendable {
  package let name: String
  package let shape: ObjectShape
  /// The time for which an app shows an entry after it last read config.
  package let ttl: TimeSpan?
  /// The subsets of fields, by name.
  package let projections: [Projection]
  /// A Boolean value that indicates whether entries must be reachable from a startup bundle.
  package let isFlow: Bool
  package let location: SourceLocation
  /// `true` if an error in the file was reported, so that a missing part may be one that could not
  /// be read.
  package let isPartial: Bool

  /// A named subset of fields.
  package struct Projection: Sendable {
    package var name: String
    package var fields: [String]
  }

  init(
    name: String, shape: ObjectShape, ttl: TimeSpan? = nil, projections: [Projection] = [],
    isFlow: Bool = false,
    location: SourceLocation = SourceLocation(path: ""), isPartial: Bool = false
  ) {
    (self.name, self.shape, self.ttl, self.projections) = (name, shape, ttl, projections)
    (self.isFlow, self.location, self.isPartial) = (isFlow, location, isPartial)
  }

  /// Returns the datatype for an unreadable file, which allows any field.
  static func unread(_ name: String) -> Datatype {
    Datatype(name: name, shape: ObjectShape(fields: [], isOpen: true), isPartial: true)
  }

  /// Returns a datatype for any localized fields, as of string catalogs and the maintenance entry.
  package static func open(_ name: String, fields: [Field] = [], ttl: TimeSpan? = nil) -> Datatype {
    Datatype(name: name, shape: ObjectShape(fields: fields, isOpen: true), ttl: ttl)
  }
}

/// The fields of an object.
///
/// A class, so that a check retains it once while it reads the members of an object.
package final class ObjectShape: Sendable {
  /// In declared order.
  package let fields: [Field]
  /// A Boolean value that indicates whether undeclared fields are allowed.
  package let isOpen: Bool
  /// A Boolean value that indicates whether undeclared fields are the texts of a string catalog.
  package let isCatalog: Bool
  /// The place of the declaration.
  package let location: SourceLocation?
  /// A Boolean value that indicates whether a field, or one below it, is localized.
  let hasLocalizedParts: Bool
  private let names: FieldNames

  package init(
    fields: [Field], isOpen: Bool, isCatalog: Bool = false, location: SourceLocation? = nil
  ) {
    (self.fields, self.isOpen, self.isCatalog, self.location) = (
      fields, isOpen, isCatalog, location
    )
    hasLocalizedParts = isOpen || fields.contains { $0.isLocalized || $0.hasLocalizedParts }
    names = FieldNames(fields.map(\.name))
  }

  /// Returns the declared field of a name, or the implied field of an open shape.
  package func field(_ name: String) -> Field? {
    if let declared = fields.first(where: { $0.name == name }) { return declared }
    return isOpen ? Field(name: name, kind: isCatalog ? .catalog : .any, isLocalized: true) : nil
  }

  /// Returns the place of a key's declared field.
  package func place(of key: YAMLNode) -> Int? { key.withTextBytes(names.place(of:)) }

  /// Returns the declared field of a key, or the implied field of an open shape.
  package func field(_ key: YAMLNode) -> Field? {
    if let place = place(of: key) { return fields[place] }
    return field(key.text)
  }
}

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
  /// The names of datatypes in `to`, as written.
  let targets: [YAMLNode]
  /// A Boolean value that indicates whether a part of the value is localized though the field is
  /// not.
  let hasLocalizedParts: Bool
  /// The form of values, for a quick check of their bytes.
  let form: ScalarForm

  package init(
    name: String, kind: Kind, isLocalized: Bool = false, isRequired: Bool = false,
    defaultValue: YAMLNode? = nil,
    limits: Limits = Limits(), location: SourceLocation? = nil, targets: [YAMLNode] = []
  ) {
    (self.name, self.kind, self.isLocalized, self.isRequired) = (
      name, kind, isLocalized, isRequired
    )
    (self.defaultValue, self.limits, self.location, self.targets) = (
      defaultValue, limits, location, targets
    )
    form = ScalarForm(kind, limits: limits)
    hasLocalizedParts =
      switch kind {
      case .object(let shape): shape.hasLocalizedParts
      case .list(let item), .map(let item): item.isLocalized || item.hasLocalizedParts
      default: isLocalized
      }
  }

  /// Returns the field under another name.
  func named(_ name: String) -> Field {
    Field(
      name: name, kind: kind, isLocalized: isLocalized, isRequired: isRequired,
      defaultValue: defaultValue,
      limits: limits, location: location, targets: targets)
  }

  /// The type of a field's values.
  package indirect enum Kind: Sendable {
    case string, text, integer, number, boolean, date, data, url, color, asset, any
    case choice([String])
    /// An entry of one of these datatypes, or of any datatype if the list is empty.
    case reference(to: [String])
    case object(ObjectShape)
    case list(Field)
    /// Any keys, with values of one type.
    case map(Field)
    /// Text as written, in mappings and lists of any depth, as in a string catalog.
    case catalog
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

    package init(minimum: Double? = nil, maximum: Double? = nil) {
      (self.minimum, self.maximum) = (minimum, maximum)
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
    case .object: "object"
    case .list: "list"
    case .map: "map"
    case .catalog: "catalog"
    }
  }

  /// The names of all types that a datatype may use.
  static let names = [
    "string", "text", "integer", "number", "boolean", "date", "data", "url", "color", "choice",
    "asset", "reference",
    "object", "list", "map", "any",
  ]
}
