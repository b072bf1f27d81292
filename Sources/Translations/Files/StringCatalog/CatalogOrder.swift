import ContentModel

/// The order of keys in a string catalog.
///
/// Xcode sorts keys as its user interface sorts names: punctuation before digits, digits before
/// letters, numbers by value, and case only where all else is equal. ASCII keys have exactly this
/// order; other scalars follow in the order of their code points.
struct CatalogOrder: Comparable {
  private enum Weight: Equatable {
    /// The rank of a scalar.
    case scalar(UInt32)
    /// The digits of a number without leading zeros.
    case number([UInt8])
  }

  private let key: ExactString
  private let weights: [Weight]

  /// The ASCII characters that are neither digits nor letters, in the order of CLDR's root
  /// collation.
  private static let punctuation = "\t\n\u{B}\u{C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8
  private static let ranks: [UInt32] = {
    var ranks = [UInt32](repeating: 0, count: 128)
    for (rank, byte) in punctuation.enumerated() { ranks[Int(byte)] = UInt32(rank) + 1 }
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") {
      ranks[Int(letter)] = UInt32(letter)
      ranks[Int(letter) - 0x20] = UInt32(letter)
    }
    return ranks
  }()
  /// The rank of numbers: after punctuation, before letters.
  private static let numberRank: UInt32 = 64

  init(_ key: ExactString) {
    self.key = key
    var weights: [Weight] = []
    var digits: [UInt8]?
    for scalar in key.text.unicodeScalars {
      if let byte = UInt8(exactly: scalar.value), (0x30...0x39).contains(byte) {
        // Leading zeros have no value.
        digits = digits == [0x30] ? [byte] : (digits ?? []) + [byte]
        continue
      }
      if let number = digits { weights.append(.number(number)) }
      digits = nil
      weights.append(.scalar(scalar.isASCII ? Self.ranks[Int(scalar.value)] : scalar.value))
    }
    if let digits { weights.append(.number(digits)) }
    self.weights = weights
  }

  static func < (a: CatalogOrder, b: CatalogOrder) -> Bool {
    for (first, second) in zip(a.weights, b.weights) where first != second {
      return isFirst(first, before: second)
    }
    if a.weights.count != b.weights.count { return a.weights.count < b.weights.count }
    // Only case or leading zeros differ: lower case is first.
    for (first, second) in zip(a.key.text.unicodeScalars, b.key.text.unicodeScalars)
    where first != second {
      return first > second
    }
    return a.key < b.key
  }

  private static func isFirst(_ a: Weight, before b: Weight) -> Bool {
    switch (a, b) {
    case (.scalar(let a), .scalar(let b)): a < b
    case (.scalar(let a), .number): a < numberRank
    case (.number, .scalar(let b)): numberRank < b
    case (.number(let a), .number(let b)):
      a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
    }
  }
}
