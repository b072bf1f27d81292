import YAML

/// A text of any number of lines; the compiler treats it as a `string`.
enum TextType: ScalarType {
  static let name = "text"
  static let attributes = StringType.attributes
  static let accepts = StringType.accepts
  static let readersGet = StringType.readersGet
  static let example = "A bouquet in pink and white."
  static let isText = true

  static func form(within limits: Field.Limits) -> ScalarForm { StringType.form(within: limits) }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    try StringType.convert(node, of: field)
  }
}
