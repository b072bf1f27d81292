import ContentModel

/// The part of a representation that `Range` asks for (RFC 9110, section 14).
enum ByteRange: Hashable, Sendable {
  /// All of it: the field is not understood, or names several parts, which a server need not send.
  case whole
  case part(Range<Int>)
  /// A part beyond the end, or an invalid field.
  case unsatisfiable

  /// Parses the field for a representation of `length` bytes.
  init(_ field: String, length: Int) {
    let sides = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, sides[0].lowercased() == "bytes" else {
      self = .whole
      return
    }
    let specifiers = sides[1].split(separator: ",", omittingEmptySubsequences: false)
    let parts = specifiers.map { Self.part($0, length: length) }
    if parts.count == 1, let part = parts.first {
      self = part
    } else {
      // Many overlapping parts would cost the server more than the client.
      self = parts.count > 16 || parts.allSatisfy { $0 == .unsatisfiable } ? .unsatisfiable : .whole
    }
  }

  private static func part(_ text: Substring, length: Int) -> ByteRange {
    let text = text.drop { $0 == " " || $0 == "\t" }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
    else {
      return .unsatisfiable
    }
    // A number that overflows is beyond every end.
    let (first, last) = (number(ends[0]), number(ends[1]))
    switch (first, last) {
    case (nil, let count?):
      return count > 0 && length > 0 ? .part(max(0, length - count)..<length) : .unsatisfiable
    case (let first?, nil): return first < length ? .part(first..<length) : .unsatisfiable
    case (let first?, let last?):
      return first <= last && first < length
        ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
    case (nil, nil): return .unsatisfiable
    }
  }

  private static func number(_ digits: Substring) -> Int? {
    digits.isEmpty ? nil : Int(digits) ?? .max
  }
}
