extension String {
  /// The nearest of some words, if one is near enough that a slip of the finger explains the difference.
  package func nearest(among words: some Sequence<String>) -> String? {
    let limit = Swift.max(1, count / 3)
    // The difference in length alone may be too much, which spares long words the long way.
    let ranked = words.filter { Swift.max(count, $0.count) - Swift.min(count, $0.count) <= limit }
      .map { (word: $0, distance: editDistance(to: $0)) }
      .filter { $0.distance <= limit && $0.distance < $0.word.count }
    return ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// How many characters must be inserted, deleted, replaced or swapped with their neighbour to get from one to the
  /// other (optimal string alignment).
  func editDistance(to other: String) -> Int {
    let (a, b) = (Array(self), Array(other))
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = Swift.min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = Swift.min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, previous) = (previous, row)
    }
    return previous[b.count]
  }
}
