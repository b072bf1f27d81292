package import YAML

/// A type of fields: what the reader of datatypes, the checks and the reference know about it.
package protocol FieldType: Sendable {
  /// The name in a datatype.
  static var name: String { get }
  /// The names in programming languages and other content systems, in small letters.
  static var namesElsewhere: [String] { get }
  /// The attributes that only some types have.
  static var attributes: [FieldAttribute] { get }
  /// The accepted values, as the reference describes them in Markdown.
  static var accepts: String { get }
  /// The form of values in bundles, as the reference describes it in Markdown.
  static var readersGet: String { get }
  /// A valid value, as YAML.
  static var example: String { get }
  /// `true` if values are text for people.
  static var isText: Bool { get }
  /// The rule that a node of another shape breaks, as a clause after "must".
  static var rule: String { get }

  /// Reads the attributes that decide on the kind of values; `nil` if one of them cannot be read.
  ///
  /// A definition that consists of a type's name has no attributes.
  static func kind(of definition: inout FieldDefinition) -> Field.Kind?
}

extension FieldType {
  package static var namesElsewhere: [String] { [] }
  package static var attributes: [FieldAttribute] { [] }
  package static var isText: Bool { false }
  package static var rule: String { "be a single value of type \(name)" }
}

/// A type of single values.
///
/// Checks call a type's functions once for each value. The functions are static, since a call
/// through a metatype copies and retains nothing.
package protocol ScalarType: FieldType {
  /// `true` if each value is the id of an entry.
  static var isReference: Bool { get }

  /// Returns the form of values, for a quick check of their bytes.
  static func form(within limits: Field.Limits) -> ScalarForm
  /// Converts a scalar; the caller checks the limits of its number or text.
  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar
  /// Returns a limit of numbers as an author writes it.
  static func written(_ limit: Double) -> String
}

extension ScalarType {
  package static var isReference: Bool { false }

  package static func kind(of definition: inout FieldDefinition) -> Field.Kind? {
    .scalar(Self.self)
  }

  package static func form(within limits: Field.Limits) -> ScalarForm { .other }
  package static func written(_ limit: Double) -> String { limit.short }
}

extension Field {
  /// The types that a datatype may use, in the order of the reference.
  static let types: [any FieldType.Type] = [
    StringType.self,
    TextType.self,
    IntegerType.self,
    NumberType.self,
    PercentType.self,
    BooleanType.self,
    DateType.self,
    DurationType.self,
    DataType.self,
    URLType.self,
    ColorType.self,
    AssetType.self,
    AnyType.self,
    ReferenceType.self,
    ObjectType.self,
    PlaceType.self,
    MarkdownType.self,
    PluralType.self,
    ChoiceType.self,
    ListType.self,
    MapType.self,
  ]

  /// Returns the type of this name.
  static func type(named name: String) -> (any FieldType.Type)? {
    types.first { $0.name == name }
  }
}

extension Double {
  /// The number without `.0` if it is whole.
  var short: String {
    self == rounded() && abs(self) < 1e15 ? String(Int64(self)) : description
  }
}
