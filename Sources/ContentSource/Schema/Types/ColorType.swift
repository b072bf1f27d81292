import ContentModel
import YAML

/// A color in hexadecimal digits.
enum ColorType: ScalarType {
  static let name = "color"
  static let namesElsewhere = ["colour"]
  static let accepts = "`\"#RGB\"`, `\"#RGBA\"`, `\"#RRGGBB\"`, `\"#RRGGBBAA\"`, in quotes"
  static let readersGet = "the same string"
  static let example = "\"#9C6B30\""

  static func form(within limits: Field.Limits) -> ScalarForm { .color }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    let digits = node.text.utf8.dropFirst()
    guard node.text.hasBytePrefix("#"), [3, 4, 6, 8].contains(digits.count),
      Substring(digits).allSatisfy({ $0.isASCII && $0.isHexDigit })
    else {
      let isHexadecimal =
        [3, 4, 6, 8].contains(node.text.utf8.count)
        && node.text.allSatisfy { $0.isASCII && $0.isHexDigit }
      let fix = isHexadecimal ? "\"#\(node.text)\"" : nil
      throw node.misfit(
        field,
        must: "be #RGB, #RGBA, #RRGGBB or #RRGGBBAA, in quotes"
          + (fix.map { "; write \($0)" } ?? ""), fix: fix)
    }
    return .value(.string(node.text))
  }
}
