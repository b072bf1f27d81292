extension Int64 {
  /// The number that decimal digits, after a minus at most, stand for; `nil` if it is out of range,
  /// or these are none.
  init?(decimal text: UnsafeBufferPointer<UInt8>) {
    let start = text.first == UInt8(ascii: "-") ? 1 : 0
    guard text.count > start else { return nil }
    var number: Int64 = 0
    for index in start..<text.count {
      guard text[index].isDigit else { return nil }
      let digit = Int64(text[index] & 15)
      // Below zero there is room for one more.
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
  /// Powers of ten that are exact in binary.
  private static let exactPowersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]

  /// The nearest number to a decimal one, as `Double.init(_: String)` reads it; `nil` if that reads
  /// none.
  ///
  /// Up to fifteen digits and a point, as prices have them, are one exact division (W. D. Clinger,
  /// "How to read floating point numbers accurately", section 3).
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
