import ContentModel
import TestInputs

@testable import TestCommands

/// A random source of values that no program writes.
struct HostileValues {
  var random: SeededGenerator
  /// The last change, for messages.
  private(set) var mutation = ""

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns a hostile value for one node of a value.
  mutating func change(of value: Value) -> (path: [String], new: HostileValue) {
    let paths = value.paths
    let numbers = paths.filter { value.node($0)?.isNumber ?? false }
    // Numbers are few among hashes and texts, so they receive half of the changes.
    let chosen = !numbers.isEmpty && random.below(2) == 0 ? numbers : paths
    let path = chosen[random.below(chosen.count)]
    let new =
      random.below(8) == 0 && !path.isEmpty
      ? HostileValue(value: nil) : hostile(instead: value.node(path))
    mutation = "\(path.joined(separator: ".")) = \(new)"
    return (path, new)
  }

  /// Returns the bytes with a few of them changed or missing.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return [0] }
    switch random.below(3) {
    case 0: return Array(bytes.prefix(random.below(bytes.count)))
    case 1:
      let start = random.below(bytes.count)
      for index in start..<min(start + 8, bytes.count) { bytes[index] = 0xFF }
    default: for _ in 0..<4 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
    }
    return bytes
  }

  /// Returns the bytes with four or eight of them replaced by an extreme or a small number.
  mutating func exchanged(_ bytes: [UInt8]) -> (bytes: [UInt8], mutation: String) {
    var bytes = bytes
    guard bytes.count > 8 else { return (bytes, "nothing") }
    let number =
      random.below(3) == 0
      ? Int64(random.below(300)) : Self.integers[random.below(Self.integers.count)]
    let count = random.below(2) == 0 ? 4 : 8
    let start = random.below(bytes.count - 8)
    withUnsafeBytes(of: number.littleEndian) {
      bytes.replaceSubrange(start..<start + count, with: $0.prefix(count))
    }
    return (bytes, "\(number) in \(count) bytes at \(start)")
  }

  /// Returns the text with one word replaced by a hostile scalar.
  mutating func mutated(yaml text: String) -> String {
    let isSeparator: (Character) -> Bool = { " \n{}[],".contains($0) }
    // Keys change rarely, because most changed keys only give the message about an unknown key.
    let keys = random.below(10) == 0
    let words = text.split(whereSeparator: isSeparator).filter { keys || !$0.hasSuffix(":") }
    guard !words.isEmpty else { return text }
    let word = words[random.below(words.count)]
    let numbers =
      Self.integers.map { "\($0)" } + [
        "-0.0", "1e400", "9e18", ".inf", "-.inf", ".nan", "0x7fffffffffffffff",
      ]
    let units = ["", "", "s", "m", "h", "d", "ms", "%", "px"]
    var new = numbers[random.below(numbers.count)] + units[random.below(units.count)]
    switch random.below(6) {
    case 0: new = ""
    case 1:
      new = "\"\(self.text().prefix(70_000).filter { $0 != "\"" && $0 != "\\" && $0 != "\0" })\""
    case 2: new = "9999-12-31T23:59:59Z"
    default: break
    }
    mutation = "'\(word)' = '\(new.prefix(60))'"
    return text[..<word.startIndex] + new + text[word.endIndex...]
  }

  static let integers: [Int64] = [
    .max, .min, .max - 1, .min + 1, -1, 0, 1, 2, 1 << 31, 1 << 32, 1 << 36, 1 << 40, 1 << 53,
    (1 << 53) + 1,
    (1 << 53) - 1, -(1 << 53), 1 << 62, 1_000_000, 1_000_001, 999_999_999_999,
  ]

  private mutating func hostile(instead old: Value?) -> HostileValue {
    // The kind mostly stays the same, because a value of another kind is refused earlier.
    let kind: Int
    switch old {
    case .integer?: kind = random.below(3) == 0 ? random.below(9) : 0
    case .string?: kind = random.below(3) == 0 ? random.below(9) : 1
    case .date?: kind = random.below(3) == 0 ? random.below(9) : 2
    default: kind = random.below(9)
    }
    switch kind {
    case 0:
      // The first four overflow in the first calculation.
      return HostileValue(
        .integer(Self.integers[random.below(random.below(2) == 0 ? 4 : Self.integers.count)]))
    case 1: return HostileValue(.string(text()))
    case 2: return .date(HostileValue.seconds[random.below(HostileValue.seconds.count)])
    case 3: return .real(Self.reals[random.below(Self.reals.count)])
    case 4: return HostileValue(.boolean(random.below(2) == 0))
    case 5:
      let count = [0, 1, 31, 32, 33, 5_000][random.below(6)]
      return HostileValue(.data([UInt8](repeating: UInt8(random.below(256)), count: count)))
    case 6:
      let count = [0, 1, 3, 70, 5_000][random.below(5)]
      return HostileValue(.array((0..<count).map { .integer(Int64($0)) }))
    case 7: return HostileValue(.dictionary(Members()))
    default: return HostileValue((0..<60).reduce(.integer(1)) { inner, _ in .array([inner]) })
    }
  }

  private static let reals: [Double] = [
    1e300, -1e300, 1e19, 0.5, -0.0, 2.3e-308, .nan, .infinity, -.infinity,
  ]

  private mutating func text() -> String {
    let texts = [
      "", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "-1", "NaN",
      "9007199254740993", "/",
      "..", "../../../etc/passwd", "a\u{0}b", "\u{1B}[2J", String(repeating: "9", count: 400), "é",
      "e\u{301}",
      "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "99999999999999999999.1", "product/", "//",
      "en", "*",
      String(repeating: "x", count: 70_000), String(repeating: "a", count: 64),
    ]
    return texts[random.below(texts.count)]
  }
}
