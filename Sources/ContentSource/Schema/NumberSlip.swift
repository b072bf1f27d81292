/// A number as people write it outside of YAML: with a comma, a unit, or separators between thousands.
struct NumberSlip {
  /// The mistake, as the end of "must be a number".
  let cause: String
  /// The number as YAML writes it.
  let replacement: String

  /// The number that a text means; `nil` where that is none, or could be one of two.
  init?(_ text: String, isInteger: Bool) {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.firstIndex(where: Self.isDigit), let last = scalars.lastIndex(where: Self.isDigit) else {
      return nil
    }
    let sign = first > 0 && (scalars[first - 1] == "-" || scalars[first - 1] == "+") ? 1 : 0
    let number = scalars[(first - sign)...last]
    let units = [scalars[..<(first - sign)], scalars[(last + 1)...]].map { part in
      String(String.UnicodeScalarView(part)).split { $0.isWhitespace }.joined(separator: " ")
    }.filter { !$0.isEmpty }
    guard units.count <= 1, number.dropFirst(sign).allSatisfy({ Self.isDigit($0) || Self.isSeparator($0) }),
      let plain = Self.plain(number)
    else { return nil }
    guard isInteger ? Int64(plain.text) != nil : Double(plain.text) != nil, plain.text.utf8.count <= 20 else {
      return nil
    }
    if let unit = units.first {
      guard unit.unicodeScalars.count <= 12 else { return nil }
      cause = "without '\(unit)'"
    } else if let separator = plain.separator {
      cause = separator
    } else {
      return nil
    }
    replacement = plain.text
  }

  /// Digits with at most one point, and what had to go for that.
  private static func plain(_ number: ArraySlice<Unicode.Scalar>) -> (text: String, separator: String?)? {
    let marks = number.filter { $0 == "." || $0 == "," }
    let others = number.filter { isSeparator($0) && $0 != "." && $0 != "," }
    var digits = number.filter { !isSeparator($0) || $0 == "." || $0 == "," }
    var cause = others.first.map { "without " + ($0.properties.isWhitespace ? "spaces" : "'\($0)'") }
    if let decimal = marks.last {
      let isAlone = marks.count == 1
      let behind = digits.count - 1 - (digits.lastIndex(of: decimal) ?? 0)
      // `1,300` may be one thousand or one.
      if isAlone, decimal == ",", behind == 3 { return nil }
      if !isAlone, marks.allSatisfy({ $0 == decimal }) {
        digits.removeAll { $0 == decimal }
        cause = cause ?? "without '\(decimal)' between thousands"
      } else if decimal == "," || !isAlone {
        let place = digits.lastIndex(of: decimal) ?? 0
        let fraction = digits[(place + 1)...]
        digits = digits[..<place].filter { $0 != "." && $0 != "," } + ["."] + fraction
        cause = cause ?? (isAlone ? "with a point instead of the comma" : "with one point and no other separator")
      }
    }
    return (String(String.UnicodeScalarView(digits)), cause)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    [".", ",", "_", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"].contains(scalar)
  }
}
