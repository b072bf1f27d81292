/// A plural category of CLDR.
///
/// ```swift
/// let category = PluralRules(polish).category(of: 3)  // few
/// ```
public enum PluralCategory: String, CaseIterable, Sendable {
  /// The categories, as CLDR names them; every locale has `other`.
  case zero, one, two, few, many, other
}

/// The cardinal plural rules of a locale (CLDR 48; UTS #35, part 3, “Language Plural Rules”).
///
/// ```swift
/// let rules = PluralRules(french)
/// let none = rules.category(of: 0)  // one
/// ```
public struct PluralRules: Sendable {
  private typealias Rule = (category: PluralCategory, condition: PluralCondition)

  private let rules: [Rule]

  /// The categories that the locale distinguishes, in CLDR's order.
  public var categories: [PluralCategory] {
    PluralCategory.allCases.filter { category in
      category == .other || rules.contains { $0.category == category }
    }
  }

  /// Finds the rules of a locale, else those of its language; a language without rules has only
  /// `other`.
  public init(_ locale: LocaleTag) {
    let locale = locale.canonical
    let names =
      [locale.region, locale.script].compactMap { $0.map { "\(locale.language)-\($0)" } }
      + [locale.language]
    rules = names.lazy.compactMap { Self.table[$0] }.first ?? []
  }

  /// Returns the category of a whole number.
  public func category(of number: Int) -> PluralCategory {
    category(of: PluralOperands(number))
  }

  /// Returns the category of a number as it is shown, such as `1.50`; `nil` for another text.
  ///
  /// The visible digits count: in English, `1` is `one`, but `1.0` is `other`. A compact exponent
  /// follows `c`, as in `1.2c6`.
  public func category(ofDecimal text: String) -> PluralCategory? {
    PluralOperands(text).map { category(of: $0) }
  }

  private func category(of operands: PluralOperands) -> PluralCategory {
    rules.first { $0.condition.isMet(by: operands) }?.category ?? .other
  }

  /// The rules by locale: the table is read once in a process.
  private static let table = Dictionary(firstOf: CLDR.plurals.split(separator: "\n").flatMap(rows))

  /// Reads a line of the table: locales, and the rules that they share.
  private static func rows(of line: Substring) -> [(String, [Rule])] {
    let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return [] }
    let rules = parts[1].split(separator: ";").compactMap(rule)
    return parts[0].split(separator: " ").map { (String($0), rules) }
  }

  private static func rule(_ text: Substring) -> Rule? {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let category = PluralCategory(rawValue: String(parts[0])),
      let condition = PluralCondition(parts[1])
    else { return nil }
    return (category, condition)
  }
}

/// The operands of plural rules.
struct PluralOperands: Sendable {
  /// The value, and its whole part.
  let n: Double
  let i: Double
  /// The number of visible digits after the point, with and without trailing zeros.
  let v: Double
  let w: Double
  /// The visible digits after the point as a number, with and without trailing zeros.
  let f: Double
  let t: Double
  /// The exponent of a compact number.
  let e: Double

  init(_ number: Int) {
    n = Double(number.magnitude)
    (i, v, w, f, t, e) = (n, 0, 0, 0, 0, 0)
  }

  /// Reads digits, with at most one point, and at most 15 digits on either side.
  init?(_ text: String) {
    let parts = text.split(separator: "c", maxSplits: 1, omittingEmptySubsequences: false)
    let exponent = parts.count == 2 ? Int(parts[1]) : 0
    guard let exponent, (0...15).contains(exponent) else { return nil }
    let halves = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.allSatisfy({ $0.utf8.count <= 15 && $0.utf8.allSatisfy(\.isDigit) }),
      !halves[0].isEmpty, halves.count == 1 || !halves[1].isEmpty
    else { return nil }
    // The exponent moves digits from the fraction to the whole part.
    var fraction = halves.count == 2 ? Array(halves[1].utf8) : []
    var whole = Array(halves[0].utf8)
    for _ in 0..<exponent {
      whole.append(fraction.isEmpty ? UInt8(ascii: "0") : fraction.removeFirst())
    }
    let significant = fraction.reversed().drop { $0 == UInt8(ascii: "0") }.reversed()
    i = Self.number(whole)
    (v, w) = (Double(fraction.count), Double(significant.count))
    (f, t) = (Self.number(fraction), Self.number(Array(significant)))
    n =
      fraction.reduce(into: (value: i, unit: 1.0)) { sum, digit in
        sum.unit /= 10
        sum.value += Double(digit - UInt8(ascii: "0")) * sum.unit
      }.value
    e = Double(exponent)
  }

  private static func number(_ digits: [UInt8]) -> Double {
    digits.reduce(0) { $0 * 10 + Double($1 - UInt8(ascii: "0")) }
  }

  /// Returns the value of an operand.
  func value(of operand: PluralCondition.Operand) -> Double {
    switch operand {
    case .n: n
    case .i: i
    case .v: v
    case .w: w
    case .f: f
    case .t: t
    case .c, .e: e
    }
  }
}

/// A condition of plural rules: relations joined by `and`, those by `or`.
struct PluralCondition: Sendable {
  /// The letters of the operands.
  enum Operand: String { case n, i, v, w, f, t, c, e }

  /// An operand, perhaps modulo a number, within some ranges or outside them.
  private struct Relation: Sendable {
    var operand: Operand
    var modulus: Double?
    var isWithin: Bool
    var ranges: [ClosedRange<Double>]

    func isMet(by operands: PluralOperands) -> Bool {
      var value = operands.value(of: operand)
      if let modulus { value = value.truncatingRemainder(dividingBy: modulus) }
      // Ranges have whole numbers only: 1.5 is not within 1..2.
      return isWithin == (value == value.rounded() && ranges.contains { $0.contains(value) })
    }
  }

  private let alternatives: [[Relation]]

  /// Reads a condition such as `n % 10 = 2..4 and n % 100 != 12..14`; `nil` for another text.
  init?(_ text: Substring) {
    var alternatives: [[Relation]] = [[]]
    var words = text.split(separator: " ")[...]
    while let word = words.popFirst() {
      if word == "or" {
        alternatives.append([])
      } else if word != "and" {
        guard let relation = Self.relation(beginning: word, in: &words) else { return nil }
        alternatives[alternatives.count - 1].append(relation)
      }
    }
    self.alternatives = alternatives
  }

  /// Returns whether the digits of a number meet the condition.
  func isMet(by operands: PluralOperands) -> Bool {
    alternatives.contains { $0.allSatisfy { $0.isMet(by: operands) } }
  }

  private static func relation(
    beginning word: Substring, in words: inout ArraySlice<Substring>
  ) -> Relation? {
    guard let operand = Operand(rawValue: String(word)) else { return nil }
    var modulus: Double?
    if words.first == "%" {
      words.removeFirst()
      modulus = words.popFirst().flatMap { Double($0) }
      if modulus == nil { return nil }
    }
    guard let comparison = words.popFirst(), ["=", "!="].contains(comparison),
      let list = words.popFirst()
    else { return nil }
    let ranges = list.split(separator: ",").compactMap { range(String($0)) }
    return Relation(
      operand: operand, modulus: modulus, isWithin: comparison == "=", ranges: ranges)
  }

  private static func range(_ text: String) -> ClosedRange<Double>? {
    let ends = text.split(separator: ".").compactMap { Double($0) }
    guard let first = ends.first, let last = ends.last, first <= last else { return nil }
    return first...last
  }
}
