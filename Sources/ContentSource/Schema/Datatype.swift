package import ContentModel
package import Diagnostics

/// An entry's schema: its fields, how long it may be shown, and the subsets of fields that bundles may ask for.
package struct Datatype: Sendable {
  package var name: String
  package var shape: ObjectShape
  /// How long an entry may be shown after the reader's last successful look at config.
  package var ttl: TimeSpan?
  /// Names to fields.
  package var projections: [Projection]
  /// Whether its entries must be reachable from a startup bundle.
  package var isFlow: Bool
  package var location: SourceLocation
  /// Whether a mistake in its file was reported, so that what seems to be missing from it may only be unread.
  package var isPartial = false

  /// A named subset of fields.
  package struct Projection: Sendable {
    package var name: String
    package var fields: [String]
  }

  /// A datatype whose file could not be read: any fields.
  static func unread(_ name: String) -> Datatype {
    var datatype = open(name)
    datatype.isPartial = true
    return datatype
  }

  /// Any fields, all of them localized: string catalogs and the maintenance entry.
  package static func open(_ name: String, fields: [Field] = [], ttl: TimeSpan? = nil) -> Datatype {
    Datatype(
      name: name, shape: ObjectShape(fields: fields, isOpen: true), ttl: ttl, projections: [], isFlow: false,
      location: SourceLocation(path: ""))
  }
}

/// The fields of an object.
package struct ObjectShape: Sendable {
  /// In declared order.
  package let fields: [Field]
  /// Whether fields that are not declared may stand there, too.
  package let isOpen: Bool
  /// Whether undeclared fields are the texts of a string catalog.
  package let isCatalog: Bool
  /// Where the shape was declared.
  package var location: SourceLocation?
  private let places: [String: Int]

  package init(fields: [Field], isOpen: Bool, isCatalog: Bool = false, location: SourceLocation? = nil) {
    (self.fields, self.isOpen, self.isCatalog, self.location) = (fields, isOpen, isCatalog, location)
    places = Dictionary(fields.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
  }

  /// The declared field of a name, or the field that an open shape makes of it.
  package func field(_ name: String) -> Field? {
    if let place = places[name] { return fields[place] }
    return isOpen ? Field(name: name, kind: isCatalog ? .catalog : .any, isLocalized: true) : nil
  }
}

/// One field: its type and its rules.
package struct Field: Sendable {
  package var name: String
  package var kind: Kind
  package var isLocalized: Bool
  package var isRequired = false
  package var defaultValue: YAMLNode?
  package var limits: Limits
  package var location: SourceLocation?
  /// The names of datatypes in `to`, as they were written.
  var targets: [YAMLNode] = []

  package init(
    name: String, kind: Kind, isLocalized: Bool = false, limits: Limits = Limits(), location: SourceLocation? = nil
  ) {
    (self.name, self.kind, self.isLocalized) = (name, kind, isLocalized)
    (self.limits, self.location) = (limits, location)
  }

  /// What values a field takes.
  package indirect enum Kind: Sendable {
    case string, text, integer, number, boolean, date, data, url, color, asset, any
    case choice([String])
    /// An entry of one of these datatypes, or of any where there are none.
    case reference(to: [String])
    case object(ObjectShape)
    case list(Field)
    /// Keys are free, all values of one kind.
    case map(Field)
    /// Text as written, in mappings and lists of any depth: what a string catalog holds.
    case catalog
  }

  /// Bounds on a single value.
  package struct Limits: Sendable {
    package var minimum: Double?
    package var maximum: Double?
    /// In Unicode scalars.
    package var minimumLength: Int?
    /// In Unicode scalars.
    package var maximumLength: Int?
    /// A regular expression that the whole value must match.
    package var pattern: String?
  }

  /// Whether something below it may differ by locale though it may not itself.
  var hasLocalizedParts: Bool {
    switch kind {
    case .object(let shape): shape.isOpen || shape.fields.contains { $0.isLocalized || $0.hasLocalizedParts }
    case .list(let item), .map(let item): item.isLocalized || item.hasLocalizedParts
    default: isLocalized
    }
  }
}

extension Field.Kind {
  /// The type's name, as it is written in a datatype.
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
    "string", "text", "integer", "number", "boolean", "date", "data", "url", "color", "choice", "asset", "reference",
    "object", "list", "map", "any",
  ]
}
