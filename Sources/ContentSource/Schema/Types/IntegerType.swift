import ContentModel
import Diagnostics
import YAML

/// A whole number of 64 bits.
enum IntegerType: ScalarType {
  static let name = "integer"
  static let namesElsewhere = ["int", "long"]
  static let attributes: [FieldAttribute] = [.range(must: "be a number", as: \.double)]
  static let accepts = "`42`, `0x2A`, from -2⁶³ to 2⁶³ - 1"
  static let readersGet = "an integer"
  static let example = "42"

  static func form(within limits: Field.Limits) -> ScalarForm { .integer }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    switch node.scalar {
    case .integer(let number): return .value(.integer(number))
    case .integerOutOfRange:
      throw node.misfit(field, must: "lie between -2^63 and 2^63 - 1", rule: .outOfRange)
    default: throw node.noNumber(field, isInteger: true, isQuoted: Int64(node.text) != nil)
    }
  }
}
