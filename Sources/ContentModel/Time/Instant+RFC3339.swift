extension Instant {
  /// Creates an instant from a text in RFC 3339 form (section 5.6), such as
  /// `2026-12-24T18:00:00.5+01:00`.
  ///
  /// The letters may have either case. The result is `nil` without an offset, for a day or time
  /// that does not exist, for a leap second (`:60`) and for years before 1.
  public init?(rfc3339 text: String) {
    var scan = RFC3339Scan(text)
    guard let year = scan.number(digits: 4), scan.take("-"), let month = scan.number(digits: 2),
      scan.take("-"),
      let day = scan.number(digits: 2), scan.take("t"), let hour = scan.number(digits: 2),
      scan.take(":"),
      let minute = scan.number(digits: 2), scan.take(":"), let second = scan.number(digits: 2),
      let civil = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second),
      let fraction = scan.fraction(), let offset = scan.offsetInSeconds(), scan.isAtEnd
    else { return nil }
    let whole = civil.secondsSince1970 - Int64(offset) - Self.referenceDateInUnixTime
    self.init(secondsSinceReferenceDate: Double(whole) + fraction)
  }

  /// `true` if the instant is in the years 1 to 9999, the range of RFC 3339.
  public var hasRFC3339: Bool { Self.range.contains(secondsSinceReferenceDate) }

  /// The instant in RFC 3339 form in UTC, such as `2026-12-24T17:00:00Z`.
  ///
  /// A fraction has at most nine digits and is left out if it is zero. An instant outside the years
  /// 1 to 9999 has the form of the nearest one inside; NaN has that of the first.
  public var rfc3339: String {
    let seconds = min(max(Self.range.lowerBound, secondsSinceReferenceDate), Self.range.upperBound)
    var whole = seconds.rounded(.down)
    var nanoseconds = Int64(((seconds - whole) * 1e9).rounded())
    if nanoseconds == 1_000_000_000 {
      whole += 1
      nanoseconds = 0
    }
    let civil = CivilTime(secondsSince1970: Int64(whole) + Self.referenceDateInUnixTime)
    let day = "\(civil.year.padded(to: 4))-\(civil.month.padded(to: 2))-\(civil.day.padded(to: 2))"
    let time =
      "\(civil.hour.padded(to: 2)):\(civil.minute.padded(to: 2)):\(civil.second.padded(to: 2))"
    return "\(day)T\(time)\(Self.fraction(nanoseconds: Int(nanoseconds)))Z"
  }

  /// The seconds from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
  private static let range = -63_113_904_000.0...252_423_993_599.0

  private static func fraction(nanoseconds: Int) -> String {
    var digits = nanoseconds.padded(to: 9)[...]
    while digits.last == "0" { digits.removeLast() }
    return digits.isEmpty ? "" : ".\(digits)"
  }
}

/// A cursor over the text of an instant.
private struct RFC3339Scan {
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { index == bytes.count }

  /// Advances past a character if it is next; a lower-case letter matches both cases.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count else { return false }
    let byte = bytes[index]
    let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    guard UInt32(isLetter ? byte | 0x20 : byte) == character.value else { return false }
    index += 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var number = 0
    for byte in bytes[index..<index + digits] {
      guard byte.isASCIIDigit else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    index += digits
    return number
  }

  /// Reads the fraction of a second, 0 if there is none; digits past the eighteenth are ignored.
  mutating func fraction() -> Double? {
    guard take(".") else { return 0 }
    var number = 0.0
    var divisor = 1.0
    var count = 0
    while index < bytes.count, bytes[index].isASCIIDigit {
      if count < 18 {
        number = number * 10 + Double(bytes[index] - UInt8(ascii: "0"))
        divisor *= 10
      }
      index += 1
      count += 1
    }
    return count > 0 ? number / divisor : nil
  }

  mutating func offsetInSeconds() -> Int? {
    if take("z") { return 0 }
    let sign = take("-") ? -1 : 1
    guard sign == -1 || take("+"), let hours = number(digits: 2), take(":"),
      let minutes = number(digits: 2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}

extension UInt8 {
  fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension Int {
  /// Returns the decimal digits of a non-negative number with leading zeros.
  fileprivate func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
  }
}
