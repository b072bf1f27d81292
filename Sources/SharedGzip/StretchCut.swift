/// Where an object is cut before it is compressed.
enum StretchCut {
  /// Below this a stretch is not worth what a cut costs: a Huffman code of its own, and a window
  /// that starts empty.
  static let minimum = 4096

  /// The stretches between seams, in order; one that is too small joins the smaller of its
  /// neighbours.
  ///
  /// Seams may come in any order, twice, and outside of the object. The cut depends on nothing
  /// else, so that equal objects with equal seams are always cut alike.
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

  /// Says where the joined stretch stands.
  private static func join(_ stretches: inout [Range<Int>], at index: Int) -> Int {
    let before = index > 0 ? stretches[index - 1].count : .max
    let after = index + 1 < stretches.count ? stretches[index + 1].count : .max
    let first = before <= after ? index - 1 : index
    stretches[first] = stretches[first].lowerBound..<stretches[first + 1].upperBound
    stretches.remove(at: first + 1)
    return first
  }
}
