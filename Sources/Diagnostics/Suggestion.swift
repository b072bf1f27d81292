import ContentModel

extension String {
  /// Returns the same word in another case, or else the nearest word, if a typing slip can explain
  /// the difference.
  package func nearest(among words: some Sequence<String>) -> String? {
    let limit = Swift.max(1, count / 3)
    // A difference in length alone can exceed the limit, which saves the quadratic comparison.
    let near = words.filter { Swift.max(count, $0.count) - Swift.min(count, $0.count) <= limit }
    let lower = lowercased()
    let twin = near.first {
      $0.utf8.count == utf8.count && $0.lowercased().hasSameBytes(as: lower)
    }
    if let twin { return twin }
    let ranked = near.map { (word: $0, distance: editDistance(to: $0)) }
      .filter { $0.distance <= limit && $0.distance < $0.word.count }
    return ranked.min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// Returns the nearest locale of the same language: `es` is no slip for `en`.
  package func nearestLocale(among known: some Sequence<String>) -> String? {
    func plain(_ tag: String) -> [Substring] {
      tag.lowercased().replacing("_", with: "-").split(separator: "-")
    }
    let own = plain(self)
    if let same = known.first(where: { plain($0) == own }) { return same }
    guard let language = own.first, language.utf8.count == 2 else { return nearest(among: known) }
    return nearest(among: known.filter { plain($0).first == language })
  }

  /// Returns the words that are most like this one, best first: those of the same datatype, if the
  /// words are ids of entries, and then by their differences.
  package func mostSimilar(among words: [String], count: Int) -> [String] {
    let datatype = prefix { $0 != "/" }
    let ranked = words.map { word in
      let isSameDatatype = contains("/") && word.prefix { $0 != "/" } == datatype
      return (word: word, group: isSameDatatype ? 0 : 1, distance: editDistance(to: word))
    }
    return ranked.sorted { ($0.group, $0.distance, $0.word) < ($1.group, $1.distance, $1.word) }
      .prefix(count).map(\.word)
  }

  /// Returns the only path whose file has the name of this one, in any folder and with any ending.
  package func onlyNamesake(among paths: some Sequence<String>) -> String? {
    let name = plainFileName
    let found = paths.filter { $0.plainFileName.hasSameBytes(as: name) }
    return found.count == 1 ? found[0] : nil
  }

  /// The name of a file without its folder and its ending.
  private var plainFileName: String {
    let name = utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(self).utf8
    return String(Substring(name.prefix { $0 != UInt8(ascii: ".") }))
  }

  /// Returns the nearest entry id: the same name in another datatype, or a similar name in the
  /// same or a similar datatype.
  package func nearestID(among ids: some Sequence<String>) -> String? {
    let own = split(separator: "/", maxSplits: 1).map(String.init)
    guard let name = own.last else { return nil }
    let known = ids.map { id in
      (id: id, parts: id.split(separator: "/", maxSplits: 1).map(String.init))
    }
    let namesakes = known.filter { $0.parts.last?.utf8.elementsEqual(name.utf8) ?? false }.map(\.id)
    let ranked = namesakes.map { (id: $0, distance: $0.editDistance(to: self)) }
    if let nearest = ranked.min(by: { ($0.distance, $0.id) < ($1.distance, $1.id) }) {
      return nearest.id
    }
    guard own.count == 2 else { return nil }
    let others = known.filter { $0.parts.count == 2 }.map {
      (id: $0.id, datatype: $0.parts[0], name: $0.parts[1])
    }
    return Self.nearestID(toName: name, of: own[0], among: others)
  }

  /// Returns the id with the most similar name among those of the same or a similar datatype.
  private static func nearestID(
    toName name: String, of datatype: String,
    among known: [(id: String, datatype: String, name: String)]
  ) -> String? {
    let limit = Swift.max(1, name.count / 3)
    let near = known.filter {
      $0.datatype.utf8.elementsEqual(datatype.utf8)
        || datatype.nearest(among: [$0.datatype]) != nil
    }
    let ranked = near.map { (id: $0.id, name: $0.name, distance: name.editDistance(to: $0.name)) }
      .filter { $0.distance <= limit && $0.distance < Swift.max(name.count, $0.name.count) }
    return ranked.min { ($0.distance, $0.id) < ($1.distance, $1.id) }?.id
  }

  /// Returns the optimal string alignment distance: the number of insertions, deletions,
  /// replacements and swaps of neighbours between two strings.
  func editDistance(to other: String) -> Int {
    var (a, b) = (self[...], other[...])
    // Equal characters at both ends have no part in the distance.
    while let first = a.first, first == b.first {
      a.removeFirst()
      b.removeFirst()
    }
    while let last = a.last, last == b.last {
      a.removeLast()
      b.removeLast()
    }
    return Self.distance(of: Array(a), from: Array(b))
  }

  private static func distance(of a: [Character], from b: [Character]) -> Int {
    var before: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = Swift.min(previous[j + 1] + 1, row[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = Swift.min(best, before[j - 1] + 1)
        }
        row.append(best)
      }
      before = previous
      previous = row
    }
    return previous[b.count]
  }
}

/// Suggestions of known names in place of the first unknown ones.
///
/// Each search compares every known name, so a search for each of many errors would take quadratic
/// time. At most a hundred errors are printed for people.
package struct Suggestions {
  private let search: (String) -> String?
  /// The number of searches that are left.
  private var searches: Int
  /// The results of the searches, by the bytes of the unknown name.
  private var found: [[UInt8]: String?] = [:]

  /// Suggestions by a search, for a number of different unknown names.
  package init(searches: Int = 100, by search: @escaping (String) -> String?) {
    (self.search, self.searches) = (search, searches)
  }

  /// Suggestions of the nearest ids.
  package init(ofIDs known: [String]) { self.init { $0.nearestID(among: known) } }

  /// Returns the name that a search finds; `nil` if it finds none, or after the last search.
  package mutating func nearest(to name: String) -> String? {
    if let earlier = found[Array(name.utf8)] { return earlier }
    guard searches > 0 else { return nil }
    searches -= 1
    let nearest = search(name)
    found[Array(name.utf8)] = .some(nearest)
    return nearest
  }
}

/// Names that are canonically equivalent, but of different code points, so that files and keys of
/// these names are different.
package struct LookAlike {
  /// The first part that differs, in each of the names.
  private let parts: (own: Character, known: Character)

  /// Compares two names; `nil` unless they look the same and differ.
  package init?(_ name: String, of known: String) {
    guard !name.hasSameBytes(as: known), name.elementsEqual(known),
      let parts = zip(name, known).first(where: { own, known in
        !own.unicodeScalars.elementsEqual(known.unicodeScalars)
      })
    else { return nil }
    self.parts = (parts.0, parts.1)
  }

  /// The difference, as in `its 'é' is U+00E9, not U+0065 U+0301`.
  package var difference: String {
    "its '\(parts.known)' is \(Self.codes(of: parts.known)), not \(Self.codes(of: parts.own))"
  }

  private static func codes(of character: Character) -> String {
    character.unicodeScalars.map { scalar in
      let digits = String(scalar.value, radix: 16, uppercase: true)
      return "U+" + String(repeating: "0", count: Swift.max(0, 4 - digits.utf8.count)) + digits
    }.joined(separator: " ")
  }
}
