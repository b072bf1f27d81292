import ContentModel
import YAML

/// A share in percent, such as a discount.
enum PercentType: ScalarType {
  static let name = "percent"
  static let namesElsewhere = ["percentage"]
  static let attributes: [FieldAttribute] = [
    .range(["min": "10%", "max": "12.5%"], must: valueRule) { $0.scalarText.flatMap(number) }
  ]
  static let accepts = "`12.5%`, `-3%`"
  static let readersGet = "a real without the sign: 12.5"
  static let example = "12.5%"

  private static let valueRule = "be a percentage such as 12.5%"

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    if let number = number(node.text) { return .value(.real(number)) }
    let fix = meant(by: node.text)
    throw node.misfit(
      field, must: valueRule + (fix.map { "; write \($0)" } ?? ""), fix: fix)
  }

  static func written(_ limit: Double) -> String { "\(limit.short)%" }

  /// Returns the number before `%`; `nil` for another form.
  private static func number(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ $0 < 0x80 }), text.hasSuffix("%") else { return nil }
    let digits = text.dropFirst(text.hasPrefix("-") ? 1 : 0).dropLast()
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }),
      let number = Double(text.dropLast()), number.isFinite
    else { return nil }
    return number
  }

  /// Returns the percentage that a text in another notation means, for example a number without
  /// `%`; `nil` if the text is ambiguous.
  private static func meant(by text: String) -> String? {
    var share = trimmed(text[...])
    if share.hasSuffix("%") {
      share.removeLast()
    } else if share.hasPrefix("%") {
      share.removeFirst()
    }
    let digits = String(trimmed(share))
    // `NumberSlip` would also accept another unit, such as `px`, but `%` is the only unit here.
    let isPlain = digits.allSatisfy { character in
      character.isWhitespace || character.utf8.allSatisfy { $0.isDigit || "-.,'".utf8.contains($0) }
    }
    guard isPlain else { return nil }
    let number = NumberSlip(digits, isInteger: false)?.replacement ?? digits
    return Self.number("\(number)%") == nil ? nil : "\(number)%"
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var rest = text.drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
