import ContentModel
import YAML

/// A text of one line, such as a title.
enum StringType: ScalarType {
  static let name = "string"
  static let namesElsewhere = ["str"]
  static let attributes: [FieldAttribute] = [.lengths, .pattern, .placeholders]
  static let accepts = "any single value, as written"
  static let readersGet = "a string"
  static let example = "Country Charm"
  static let isText = true

  static func form(within limits: Field.Limits) -> ScalarForm {
    let isFree = limits.minimumLength == nil && limits.maximumLength == nil
    return limits.pattern != nil ? .other : isFree ? .freeText : .shortText
  }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    .value(.string(node.text))
  }
}
