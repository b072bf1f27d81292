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
    var (number, digits, places) = (0 as Int64, 0, -1)
    let isNegative = text.first == UInt8(ascii: "-")
    for index in (isNegative ? 1 : 0)..<text.count {
      let byte = text[index]
      if byte.isDigit {
        (number, digits) = (number &* 10 &+ Int64(byte & 15), digits + 1)
        if places >= 0 { places += 1 }
      } else if byte == UInt8(ascii: "."), places < 0 {
        places = 0
      } else {
        digits = 16
      }
      if digits > 15 { break }
    }
    guard digits > 0, digits <= 15 else {
      self.init(String(decoding: text, as: UTF8.self))
      return
    }
    let magnitude = Double(number) / Self.exactPowersOfTen[max(0, places)]
    self = isNegative ? -magnitude : magnitude
  }
}
