/// Cuts an object into stretches before it is compressed.
enum StretchCut {
  /// The smallest stretch, in bytes.
  ///
  /// A smaller one is not worth a Huffman code and an empty window of its own.
  static let minimum = 4096

  /// Returns the stretches between seams, in order; a stretch that is too small joins the smaller
  /// of its neighbours.
  ///
  /// Seams may be unsorted, repeated, and outside of the object. The cut depends on nothing else,
  /// so that equal objects with equal seams are always cut alike.
  static func stretches(of count: Int, seams: [Int], minimum: Int = minimum) -> [Range<Int>] {
    let inside = seams.filter { $0 > 0 && $0 < count }.sorted()
    var stretches: [Range<Int>] = []
    var start = 0
    for end in inside + [count] where end > start || count == 0 {
      stretches.append(start..<end)
      start = end
    }
    var index = 0
    while stretches.count > 1, index < stretches.count {
      if stretches[index].count < minimum {
        index = join(&stretches, at: index)
      } else {
        index += 1
      }
    }
    return stretches
  }

  /// Joins a stretch to a neighbour; returns the index of the joined one.
  private static func join(_ stretches: inout [Range<Int>], at index: Int) -> Int {
    let before = index > 0 ? stretches[index - 1].count : .max
    let after = index + 1 < stretches.count ? stretches[index + 1].count : .max
    let first = before <= after ? index - 1 : index
    stretches[first] = stretches[first].lowerBound..<stretches[first + 1].upperBound
    stretches.remove(at: first + 1)
    return first
  }
}
