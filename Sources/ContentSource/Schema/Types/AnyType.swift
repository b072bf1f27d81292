import ContentModel
import Diagnostics
import YAML

/// Values without a declared type, as the core schema of YAML reads them.
enum AnyType: FieldType {
  static let name = "any"
  static let namesElsewhere = ["json"]
  static let accepts = "any YAML value"
  static let readersGet = "the same"
  static let example = "{a: [1, true, text]}"

  static func kind(of definition: inout FieldDefinition) -> Field.Kind? { .any }

  /// Converts a single value by the core schema.
  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    switch node.scalar {
    case .boolean(let flag): return .value(.boolean(flag))
    case .integer(let number): return .value(.integer(number))
    case .integerOutOfRange:
      throw node.misfit(
        field, must: "lie between -2^63 and 2^63 - 1; quotes make it a text", rule: .outOfRange)
    case .number(let number):
      guard number.isFinite else {
        throw node.misfit(field, must: "be finite; quotes make it a text", rule: .outOfRange)
      }
      return .value(.real(number))
    case .binary(let bytes): return .value(.data(bytes))
    case .null, .text: return .value(.string(node.text))
    }
  }
}
