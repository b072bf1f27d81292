import ContentModel
import Diagnostics
import YAML

/// A finite number, with or without a fraction.
enum NumberType: ScalarType {
  static let name = "number"
  static let namesElsewhere = ["float", "double", "decimal"]
  static let attributes = IntegerType.attributes
  static let accepts = "an integer or a fraction, finite"
  static let readersGet = "a real, always"
  static let example = "39.99"

  static func form(within limits: Field.Limits) -> ScalarForm { .number }

  static func convert(_ node: YAMLNode, of field: Field) throws(Misfit) -> Scalar {
    .value(.real(try number(node, of: field)))
  }

  /// Returns the number of a scalar.
  static func number(_ node: YAMLNode, of field: Field) throws(Misfit) -> Double {
    if case .number(let number) = node.scalar, !number.isFinite {
      throw node.misfit(field, must: "be finite", rule: .outOfRange)
    }
    guard let number = node.double else {
      if case .integerOutOfRange = node.scalar { throw node.tooLarge(field) }
      throw node.noNumber(field, isInteger: false, isQuoted: Double(node.text) != nil)
    }
    return number
  }
}

extension YAMLNode {
  /// Returns the error for an integer beyond 64 bits, in a field that accepts fractions.
  fileprivate func tooLarge(_ field: Field) -> Misfit {
    // A number with a decimal point may be larger, but a hexadecimal number cannot have one.
    let fix = Double(text)?.isFinite == true && !text.contains("x") ? "\(text).0" : nil
    return misfit(
      field,
      must: "lie between -2^63 and 2^63 - 1, unless it has a point"
        + (fix.map { "; write \($0)" } ?? ""),
      fix: fix, rule: .outOfRange)
  }

  /// Returns the error for a text in place of a number.
  func noNumber(_ field: Field, isInteger: Bool, isQuoted: Bool) -> Misfit {
    let rule = isInteger ? "be an integer" : "be a number"
    if isQuoted { return misfit(field, must: "\(rule) without quotes; write \(text)", fix: text) }
    guard let slip = NumberSlip(text, isInteger: isInteger) else {
      let plain = text.withoutInvisible
      if let invisible = text.firstInvisible,
        isInteger ? Int64(plain) != nil : Double(plain) != nil
      {
        let cause = "without \(invisible.codeName), which is invisible"
        return misfit(field, must: "\(rule) \(cause); write \(plain)", fix: plain)
      }
      // Only the author knows the meaning of ambiguous digits, so the message has an example
      // instead of a correction.
      let example =
        text.utf8.contains { $0.isDigit }
        ? ", such as 1300" + (isInteger ? "" : " or 1.30") : ""
      return misfit(field, must: rule + example)
    }
    return misfit(
      field, must: "\(rule) \(slip.cause); write \(slip.replacement)", fix: slip.replacement)
  }
}
