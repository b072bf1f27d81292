import ContentModel
import YAML

/// Bytes.
enum DataType: ScalarType {
  static let name = "data"
  static let namesElsewhere = ["bytes"]
  static let accepts = "base64"
  static let readersGet = "data"
  static let example = "aGVsbG8="

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    if case .binary(let bytes) = node.scalar { return .value(.data(bytes)) }
    guard let bytes = node.withTextBytes(Base64.decode(canonical:)) else {
      throw node.misfit(field, must: "be base64 (RFC 4648)")
    }
    return .value(.data(bytes))
  }
}
