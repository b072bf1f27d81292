import ContentModel

extension Value {
  /// The order that `sort` uses: `false` before `true`, numbers and dates by size, texts by code
  /// point; kinds in this order.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.integer(let a), .real(let b)): Double(a) < b
    case (.real(let a), .integer(let b)): a < Double(b)
    case (.string(let a), .string(let b)): a.precedesInBytes(b)
    case (.date(let a), .date(let b)): a < b
    case (.boolean(let a), .boolean(let b)): !a && b
    default: sortRank < other.sortRank
    }
  }

  private var sortRank: Int {
    switch self {
    case .boolean: 0
    case .integer, .real: 1
    case .date: 2
    case .string: 3
    case .data, .array, .dictionary: 4
    }
  }
}
