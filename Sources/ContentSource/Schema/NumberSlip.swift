import ContentModel

/// A number in another notation than YAML's: with a comma, a unit, or separators of thousands.
struct NumberSlip {
  /// The mistake, as the end of "must be a number".
  let cause: String
  /// The number as YAML writes it.
  let replacement: String

  /// Reads the number in a text; returns `nil` if there is none, or if the text is ambiguous.
  init?(_ text: String, isInteger: Bool) {
    let scalars = Array(text.unicodeScalars)
    guard let first = scalars.firstIndex(where: Self.isDigit),
      let last = scalars.lastIndex(where: Self.isDigit)
    else {
      return nil
    }
    let sign = first > 0 && (scalars[first - 1] == "-" || scalars[first - 1] == "+") ? 1 : 0
    let dash = Self.dashForCents(scalars[(last + 1)...])
    let units = [scalars[..<(first - sign)], scalars[(last + 1 + dash.count)...]].map { part in
      String(String.UnicodeScalarView(part)).split { $0.isWhitespace }.joined(separator: " ")
    }.filter { !$0.isEmpty }
    let surplus = units + (dash.isEmpty ? [] : [String(String.UnicodeScalarView(dash))])
    guard units.count <= 1, units.allSatisfy(Self.isUnit),
      let plain = Self.plain(scalars[first...last], dashMark: dash.first),
      let cause = surplus.isEmpty
        ? plain.cause : "without \(surplus.map { "'\($0)'" }.joined(separator: " and "))"
    else { return nil }
    let number = String(String.UnicodeScalarView(scalars[(first - sign)..<first])) + plain.text
    guard isInteger ? Int64(number) != nil : Double(number) != nil, number.utf8.count <= 20 else {
      return nil
    }
    (self.cause, replacement) = (cause, number)
  }

  /// Returns the digits with at most one point, and the mistake, if there is one.
  ///
  /// A mark that occurs once, and last, begins the decimals, unless another mark with a dash
  /// follows. Other marks must be between groups of three digits. Version numbers, dates and lists
  /// of numbers do not have such groups, and `1,300` may be one thousand or one.
  ///
  /// `dashMark` is the mark before a dash for cents.
  private static func plain(
    _ number: ArraySlice<Unicode.Scalar>, dashMark: Unicode.Scalar?
  ) -> (text: String, cause: String?)? {
    let marks = number.filter { !isDigit($0) }
    if let dashMark, marks.contains(dashMark) { return nil }
    let isDecimal =
      dashMark == nil
      && marks.last.map { mark in (mark == "." || mark == ",") && marks.count { $0 == mark } == 1 }
        ?? false
    let point = isDecimal ? number.lastIndex { !isDigit($0) } : nil
    let fraction = point.map { number[($0 + 1)...] } ?? []
    let groups = number[..<(point ?? number.endIndex)].split(
      omittingEmptySubsequences: false, whereSeparator: { !isDigit($0) })
    let separators = isDecimal ? marks.dropLast() : marks[...]
    if let separator = separators.first {
      guard separators.allSatisfy({ $0 == separator }), isSeparator(separator),
        groups[0].first != "0",
        (1...3).contains(groups[0].count), groups.dropFirst().allSatisfy({ $0.count == 3 })
      else { return nil }
    } else if fraction.count == 3 {
      return nil
    }
    let whole = String(String.UnicodeScalarView(groups.joined()))
    let text = isDecimal ? "\(whole).\(String(String.UnicodeScalarView(fraction)))" : whole
    return (text, cause(separator: separators.first, point: point.map { number[$0] }))
  }

  private static func cause(separator: Unicode.Scalar?, point: Unicode.Scalar?) -> String? {
    switch (separator, point) {
    case ("."?, _?), (","?, _?): "with one point and no other separator"
    case ("."?, nil), (","?, nil): "without '\(separator ?? ".")' between thousands"
    case (let separator?, _):
      "without " + (separator.properties.isWhitespace ? "spaces" : "'\(separator)'")
    case (nil, ","?): "with a point instead of the comma"
    default: nil
    }
  }

  /// Returns the mark and the dashes in place of cents that begin a text, as in `82.–`.
  private static func dashForCents(
    _ text: ArraySlice<Unicode.Scalar>
  ) -> ArraySlice<Unicode.Scalar> {
    guard let mark = text.first, mark == "." || mark == "," else { return [] }
    let dashes = text.dropFirst().prefix { ["-", "\u{2013}", "\u{2014}"].contains($0) }
    return dashes.isEmpty ? [] : text[text.startIndex..<dashes.endIndex]
  }

  /// Returns `true` for currencies and measures; `%` and `k` change the number.
  private static func isUnit(_ text: String) -> Bool {
    // A comma at the end is left over from JSON.
    if text == "," { return true }
    let scalars = text.unicodeScalars
    if scalars.count == 1, scalars.first?.properties.generalCategory == .currencySymbol {
      return true
    }
    return currencies.contains(text)
      || ["px", "pt", "dp", "mm", "cm", "km", "mg", "g", "kg", "ml", "cl", "l", "min", "h"]
        .contains(text)
  }

  /// Codes of ISO 4217 that prices are written with; other words of three letters may be months.
  private static let currencies: Set<ExactString> = Set(
    names: """
      AED AUD BGN BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN
      MYR NOK NZD PHP PLN RON RUB SAR SEK SGD THB TRY TWD UAH USD VND ZAR
      """.split(whereSeparator: \.isWhitespace).map(String.init))

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
    [".", ",", "_", "'", "\u{2019}", " ", "\u{A0}", "\u{202F}"].contains(scalar)
  }
}
