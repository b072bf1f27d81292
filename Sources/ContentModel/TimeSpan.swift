/// A length of time in whole seconds, not negative: a time to live, a limit, a delay.
public struct TimeSpan: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// From 0 to 2^31 - 1.
  public let seconds: Int

  /// A span; `nil` if it is negative or longer than 2^31 - 1 s, the most a cache must understand
  /// (RFC 9111, 1.2.2).
  public init?(seconds: Int) {
    guard (0...Int(Int32.max)).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  private static let units: [(letter: Character, seconds: Int)] = [
    ("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// A span as it is written in content: numbers with the units `w d h m s`, the larger first, such
  /// as `1h30m`.
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
      (smallest, unitsUsed, total) = (unit, unitsUsed + 1, total + product)
    }
    guard unitsUsed > 0 else { return nil }
    self.init(seconds: total)
  }

  /// The shortest way to write it: `15m30s`, `1d`, `0s`.
  public var description: String {
    var left = seconds
    var text = ""
    for unit in Self.units.dropFirst() where left >= unit.seconds {
      text += "\(left / unit.seconds)\(unit.letter)"
      left %= unit.seconds
    }
    return text.isEmpty ? "0s" : text
  }

  /// Whether the first is shorter.
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.seconds < b.seconds }

  /// The sum, at most 2^31 - 1 s.
  public static func + (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    TimeSpan(seconds: min(a.seconds + b.seconds, Int(Int32.max))) ?? a
  }

  /// No time at all.
  public static let zero = TimeSpan(knownSeconds: 0)

  private init(knownSeconds: Int) { seconds = knownSeconds }

  /// Whole minutes, for spans that are written in source code.
  public static func minutes(_ count: UInt16) -> TimeSpan {
    TimeSpan(knownSeconds: Int(count) * 60)
  }
  /// Whole seconds, for spans that are written in source code.
  public static func seconds(_ count: UInt16) -> TimeSpan { TimeSpan(knownSeconds: Int(count)) }
  /// Whole days, for spans that are written in source code.
  public static func days(_ count: UInt8) -> TimeSpan {
    TimeSpan(knownSeconds: Int(count) * 86_400)
  }
}
