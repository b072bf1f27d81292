import ContentModel
import YAML

/// A place on the Earth: degrees of latitude and longitude (WGS 84).
enum PlaceType: FieldType {
  static let name = "place"
  static let namesElsewhere = ["location"]
  static let accepts = "`\(example)`, in degrees (WGS 84)"
  static let readersGet = "a dictionary of two reals, rounded to six decimals (11 cm)"
  static let example = "{latitude: 48.8566, longitude: 2.3522}"
  static let rule = "be a mapping such as \(example)"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? { .object(.place) }

  /// A number of degrees, rounded to six decimals.
  private enum Angle: ScalarType {
    static let name = NumberType.name
    static let accepts = NumberType.accepts
    static let readersGet = NumberType.readersGet
    static let example = NumberType.example

    static func form(within limits: Field.Limits) -> ScalarForm {
      NumberType.form(within: limits)
    }

    static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
      .value(.real(Coordinate.rounded(try NumberType.number(node, of: field), decimals: 6)))
    }
  }

  /// Returns the field of an angle from `-most` to `most`.
  fileprivate static func angle(_ name: ExactString, upTo most: Double) -> Field {
    Field(
      name: name, kind: .scalar(Angle.self), isRequired: true,
      limits: Field.Limits(minimum: -most, maximum: most))
  }
}

extension ObjectShape {
  /// The shape of places.
  package static let place = ObjectShape(
    fields: [PlaceType.angle("latitude", upTo: 90), PlaceType.angle("longitude", upTo: 180)],
    isOpen: false)

  /// A Boolean value that indicates whether this is the shape of places.
  package var isPlace: Bool { self === Self.place }
}
