import ContentModel

extension Int64 {
  /// Creates the number of decimal digits after an optional minus; `nil` if the number is out of
  /// range, or the text has another form.
  init?(decimal text: UnsafeBufferPointer<UInt8>) {
    let start = text.first == UInt8(ascii: "-") ? 1 : 0
    guard text.count > start else { return nil }
    var number: Int64 = 0
    for index in start..<text.count {
      guard text[index].isDigit else { return nil }
      let digit = Int64(text[index] & 15)
      // Negative numbers are subtracted, because `Int64.min` has no positive counterpart.
      let (tenfold, overflows) = number.multipliedReportingOverflow(by: 10)
      let (next, exceeds) =
        start == 1
        ? tenfold.subtractingReportingOverflow(digit) : tenfold.addingReportingOverflow(digit)
      if overflows || exceeds { return nil }
      number = next
    }
    self = number
  }
}

extension Double {
  /// The powers of ten that are exact in binary.
  private static let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// Creates the nearest number to a decimal text; `nil` if `Double.init(_: String)` is.
  ///
  /// A number of at most fifteen digits and a point, such as a price, takes one exact division
  /// (W. D. Clinger, “How to Read Floating Point Numbers Accurately”, section 3).
  init?(decimal text: UnsafeBufferPointer<UInt8>) {
    guard let number = Self.exactQuotient(of: text) else {
      self.init(String(decoding: text, as: UTF8.self))
      return
    }
    self = number
  }

  /// Returns the number of at most fifteen digits with an optional minus and point; `nil` for any
  /// other text.
  @inline(__always)
  private static func exactQuotient(of text: UnsafeBufferPointer<UInt8>) -> Double? {
    let isNegative = text.first == UInt8(ascii: "-")
    var number: Int64 = 0
    var digits = 0
    var places = 0
    var hasPoint = false
    for index in (isNegative ? 1 : 0)..<text.count {
      let byte = text[index]
      if byte.isDigit {
        number = number &* 10 &+ Int64(byte & 15)
        digits += 1
        if hasPoint { places += 1 }
        if digits > 15 { return nil }
      } else if byte == UInt8(ascii: "."), !hasPoint {
        hasPoint = true
      } else {
        return nil
      }
    }
    guard digits > 0 else { return nil }
    let magnitude = Double(number) / exactPowersOfTen[places]
    return isNegative ? -magnitude : magnitude
  }
}
