import ContentModel
import YAML

/// `true` or `false`.
enum BooleanType: ScalarType {
  static let name = "boolean"
  static let namesElsewhere = ["bool"]
  static let accepts = "`true`, `false`"
  static let readersGet = "a boolean"
  static let example = "true"

  static func form(within limits: Field.Limits) -> ScalarForm { .boolean }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    if let flag = node.flag { return .value(.boolean(flag)) }
    let fix = node.meantFlag
    let isQuoted = fix.map { !node.isPlain && node.text.lowercased() == $0 } ?? false
    throw node.misfit(
      field,
      must: "be true or false" + (isQuoted ? " without quotes" : "")
        + (fix.map { "; write \($0)" } ?? ""),
      fix: fix)
  }
}
