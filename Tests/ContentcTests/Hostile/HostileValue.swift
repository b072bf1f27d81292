import ContentModel
import PropertyLists

@testable import TestCommands

/// A value that no program writes, for one node of a file.
struct HostileValue: CustomStringConvertible {
  /// The new value; `nil` removes the node.
  var value: Value?
  /// The number that replaces the marker in the file's bytes, because no encoder writes it.
  private var unreal: Double?

  init(_ value: Value) { self.value = value }

  init(value: Value?, unreal: Double? = nil) { (self.value, self.unreal) = (value, unreal) }

  static func date(_ seconds: Double) -> HostileValue {
    HostileValue(value: .date(Instant(secondsSinceReferenceDate: marker)), unreal: seconds)
  }

  static func real(_ number: Double) -> HostileValue {
    HostileValue(value: .real(marker), unreal: number)
  }

  private static let marker = 123_456_789.25

  var description: String {
    switch (value, unreal) {
    case (.date?, let seconds?): "date(\(seconds))"
    case (_, let number?): "real(\(number))"
    case (let value?, nil): String("\(value)".prefix(60))
    case (nil, nil): "nothing"
    }
  }

  /// Returns the encoded bytes of a whole value that contains this one.
  func bytes(of whole: Value, as format: PropertyListFormat) -> [UInt8]? {
    guard var bytes = try? PropertyList.encode(whole, as: format) else { return nil }
    guard let unreal, bytes.count > 8 else { return bytes }
    let wanted = withUnsafeBytes(of: Self.marker.bitPattern.bigEndian) { Array($0) }
    for start in 0..<bytes.count - 8 where bytes[start..<start + 8].elementsEqual(wanted) {
      withUnsafeBytes(of: unreal.bitPattern.bigEndian) {
        bytes.replaceSubrange(start..<start + 8, with: $0)
      }
    }
    return bytes
  }
}

// The values that replace each number in turn.
extension HostileValue {
  /// Returns the values that replace a number, a date or a text that begins with a digit.
  static func extremes(of old: Value) -> [HostileValue] {
    switch old {
    case .date: dates
    case .string: texts
    default: numbers
    }
  }

  /// Dates outside any calendar, and dates at both limits of the years that RFC 3339 can express.
  static let seconds: [Double] = [
    .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300, -1e300, 9.3e18,
    -9.3e18, 252_423_993_599, 252_423_993_600, -63_113_904_001, 0,
  ]

  private static let numbers: [HostileValue] =
    [.max, .max - 1, .min, -1, 0, 1 << 31, 1 << 53, (1 << 53) + 1].map {
      HostileValue(.integer($0))
    } + [1e300, 0.5, .nan, -.infinity].map(real) + [
      HostileValue("9223372036854775807"), date(.nan), HostileValue(.boolean(true)),
      HostileValue([]), HostileValue(value: nil),
    ]

  private static let dates: [HostileValue] =
    seconds.map(date) + [
      HostileValue(.integer(.max)), HostileValue("9999-12-31T23:59:59Z"), HostileValue(""),
      HostileValue(value: nil),
    ]

  private static let texts: [HostileValue] =
    [
      "9223372036854775807", "18446744073709551616", "1.9223372036854775808.3", "-1", "",
      "9999-12-31T23:59:59Z", "10000-01-01T00:00:00Z", .string(String(repeating: "9", count: 400)),
      .integer(.max), .integer(.min), [:],
    ].map(HostileValue.init(_:)) + [date(.nan), HostileValue(value: nil)]
}

// A path to a node has keys and, for each item of an array, `#` with its index.
extension Value {
  /// The paths of all nodes, each before its descendants, up to a limit.
  var paths: [[String]] {
    var found: [[String]] = []
    func walk(_ value: Value, _ path: [String]) {
      guard found.count < 3_000 else { return }
      found.append(path)
      if case .dictionary(let members) = value {
        for (key, value) in members { walk(value, path + [key]) }
      } else if case .array(let items) = value {
        for (index, item) in items.enumerated().prefix(40) { walk(item, path + ["#\(index)"]) }
      }
    }
    walk(self, [])
    return found
  }

  var isNumber: Bool {
    switch self {
    case .integer, .real, .date: true
    default: false
    }
  }

  /// `true` for a number, or a short text that begins with one, such as a version or a date.
  var isNumeral: Bool {
    guard case .string(let text) = self else { return isNumber }
    return text.utf8.count <= 40 && text.utf8.first.map { (48...57).contains($0) } ?? false
  }

  func node(_ path: [String]) -> Value? {
    path.reduce(Optional(self)) { value, key in
      switch value {
      case .dictionary(let members)?: members[key]
      case .array(let items)?:
        Int(key.dropFirst()).flatMap { items.indices.contains($0) ? items[$0] : nil }
      default: nil
      }
    }
  }

  func setting(_ path: [String], to new: Value?) -> Value? {
    guard let key = path.first else { return new }
    let rest = Array(path.dropFirst())
    switch self {
    case .dictionary(var members):
      members[key] = members[key].flatMap { $0.setting(rest, to: new) }
      return .dictionary(members)
    case .array(var items):
      guard let index = Int(key.dropFirst()), items.indices.contains(index) else { return self }
      if let item = items[index].setting(rest, to: new) {
        items[index] = item
      } else {
        items.remove(at: index)
      }
      return .array(items)
    default: return self
    }
  }
}
