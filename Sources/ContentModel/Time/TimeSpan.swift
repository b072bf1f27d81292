/// A length of time in whole seconds, such as a lifetime, a limit or a delay.
///
/// ```swift
/// let span = TimeSpan("1h30m")
/// let seconds = span?.seconds  // 5400
/// ```
public struct TimeSpan: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number of seconds, from 0 to 2^31 - 1.
  public let seconds: Int

  /// Creates a span; `nil` if it is negative or longer than 2^31 - 1 s, the greatest lifetime that
  /// every cache supports (RFC 9111, section 1.2.2).
  public init?(seconds: Int) {
    guard (0...Int(Int32.max)).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  private static let units: [(letter: Character, seconds: Int)] = [
    ("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// Creates a span from numbers with the units `w d h m s`, larger units first, such as `1h30m`;
  /// `nil` for any other form.
  public init?(_ text: String) {
    var rest = text[...]
    var total = 0
    var smallest = Self.units.count
    var unitsUsed = 0
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      guard let number = Int(digits), let letter = rest.popFirst(),
        let unit = Self.units.firstIndex(where: { $0.letter == letter }),
        unitsUsed == 0 || unit > smallest
      else { return nil }
      let (product, overflows) = number.multipliedReportingOverflow(by: Self.units[unit].seconds)
      guard !overflows, product <= Int(Int32.max) else { return nil }
      smallest = unit
      unitsUsed += 1
      total += product
    }
    guard unitsUsed > 0 else { return nil }
    self.init(seconds: total)
  }

  /// The span with the units `d h m s`: `15m30s`, `1d`, `0s`.
  public var description: String {
    var left = seconds
    var text = ""
    for unit in Self.units.dropFirst() where left >= unit.seconds {
      text += "\(left / unit.seconds)\(unit.letter)"
      left %= unit.seconds
    }
    return text.isEmpty ? "0s" : text
  }

  /// Returns `true` if the first span is shorter.
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.seconds < b.seconds }

  /// Returns the sum, at most 2^31 - 1 s.
  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(seconds: min(a.seconds + b.seconds, Int(Int32.max))) ?? a
  }

  /// The span of zero seconds.
  public static let zero = TimeSpan(knownSeconds: 0)

  private init(knownSeconds: Int) { seconds = knownSeconds }

  /// Returns a span of minutes, for constants.
  public static func minutes(_ count: UInt16) -> TimeSpan {
    TimeSpan(knownSeconds: Int(count) * 60)
  }
  /// Returns a span of seconds, for constants.
  public static func seconds(_ count: UInt16) -> TimeSpan { TimeSpan(knownSeconds: Int(count)) }
  /// Returns a span of days, for constants.
  public static func days(_ count: UInt8) -> TimeSpan {
    TimeSpan(knownSeconds: Int(count) * 86_400)
  }
}
