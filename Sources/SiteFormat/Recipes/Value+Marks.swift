import ContentModel

/// JSON has no dates and no data. A recipe has them as dictionaries of one member, whose key begins
/// with `$`. Content with such a dictionary has it inside of another one.
extension Value {
  private enum Mark {
    /// Seconds since 2001-01-01T00:00:00Z, as property lists count.
    static let date = "$date"
    /// Lower-case hexadecimal digits.
    ///
    /// The path of an asset repeats those of its hash, which compresses well.
    static let data = "$data"
    /// A dictionary of content that looks like a mark.
    static let dictionary = "$"
  }

  /// The value with marks for what JSON lacks.
  var marked: Value {
    switch self {
    case .string, .integer, .real, .boolean: return self
    case .date(let instant): return [Mark.date: .real(instant.secondsSinceReferenceDate)]
    case .data(let bytes): return [Mark.data: .string(bytes.hexadecimal)]
    case .array(let items): return .array(items.map(\.marked))
    case .dictionary(let members):
      let marked = Value.dictionary(
        Members(canonicalKeys: members.keys, values: members.values.map(\.marked)))
      return members.soleKeyIsMark ? [Mark.dictionary: marked] : marked
    }
  }

  /// The value that `marked` returned; `nil` if a mark is malformed.
  var unmarked: Value? {
    switch self {
    case .string, .integer, .real, .boolean, .date, .data: return self
    case .array(let items):
      let unmarked = items.compactMap(\.unmarked)
      return unmarked.count == items.count ? .array(unmarked) : nil
    case .dictionary(let members):
      guard members.soleKeyIsMark else { return members.unmarked }
      switch (members.keys[0], members.values[0]) {
      case (Mark.date, .real(let seconds)):
        return .date(Instant(secondsSinceReferenceDate: seconds))
      case (Mark.data, .string(let digits)): return [UInt8](hexadecimal: digits).map(Value.data)
      case (Mark.dictionary, .dictionary(let inner)): return inner.unmarked
      default: return nil
      }
    }
  }
}

extension Members {
  /// `true` if the dictionary has exactly one key, and this key begins with `$`.
  fileprivate var soleKeyIsMark: Bool { count == 1 && keys[0].utf8.first == UInt8(ascii: "$") }

  fileprivate var unmarked: Value? {
    let values = values.compactMap(\.unmarked)
    return values.count == count
      ? .dictionary(Members(canonicalKeys: keys, values: values)) : nil
  }
}

extension [UInt8] {
  fileprivate var hexadecimal: String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// Reads an even number of lower-case digits; `nil` for any other text.
  fileprivate init?(hexadecimal text: String) {
    let digits = [UInt8](text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    reserveCapacity(digits.count / 2)
    for position in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[position].hexadecimalValue,
        let low = digits[position + 1].hexadecimalValue
      else { return nil }
      append(high << 4 | low)
    }
  }
}
