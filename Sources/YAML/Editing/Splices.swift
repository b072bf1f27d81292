import ContentModel

/// Replacements of parts of a text; all ranges are offsets in the original text.
struct Splices {
  private struct Splice {
    var range: Range<Int>
    var bytes: [UInt8]
    /// A Boolean value that indicates whether a line break must follow.
    var needsBreak: Bool
    var order: Int
  }

  private var splices: [Splice] = []

  /// Replaces a part; an empty range is an insertion.
  ///
  /// Insertions at one offset keep their order.
  mutating func replace(_ range: Range<Int>, with bytes: [UInt8], needsBreak: Bool = false) {
    splices.append(
      Splice(range: range, bytes: bytes, needsBreak: needsBreak, order: splices.count))
  }

  mutating func replace(_ range: Range<Int>, with text: String) {
    replace(range, with: Array(text.utf8))
  }

  mutating func insert(_ bytes: [UInt8], at offset: Int, needsBreak: Bool = false) {
    replace(offset..<offset, with: bytes, needsBreak: needsBreak)
  }

  /// The text after all replacements; `nil` if two of them overlap.
  func applied(to text: [UInt8], lineBreak: [UInt8]) -> [UInt8]? {
    let sorted = splices.sorted {
      ($0.range.lowerBound, $0.order) < ($1.range.lowerBound, $1.order)
    }
    var result: [UInt8] = []
    result.reserveCapacity(text.count + splices.reduce(0) { $0 + $1.bytes.count })
    var done = 0
    var needsBreak = false
    for splice in sorted {
      // An insertion may be inside a replaced range: a block scalar that gets longer can replace
      // the blank lines at which other lines are inserted.
      guard splice.range.lowerBound >= done || splice.range.isEmpty else { return nil }
      if splice.range.lowerBound > done { result += text[done..<splice.range.lowerBound] }
      result += splice.bytes
      done = max(done, splice.range.upperBound)
      needsBreak = splice.needsBreak
    }
    if done < text.count {
      result += text[done...]
    } else if needsBreak {
      result += lineBreak
    }
    return result
  }
}
