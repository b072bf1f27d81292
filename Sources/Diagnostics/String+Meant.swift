import ContentModel

extension String {
  /// Returns the known word that this one most likely means; `nil` if none is likely.
  ///
  /// The candidates, in order: the same word in another case; the only word that begins with this
  /// one (`prod`); the only id with the same last part (`country-charm`, or `product/roses` for
  /// `category/roses`); a word that differs by a typing slip.
  package func meant(among words: [String]) -> String? {
    let lower = lowercased()
    if let same = words.first(where: { $0.lowercased().hasSameBytes(as: lower) }) { return same }
    guard utf8.count >= 2 else { return nil }
    let beginning = words.filter { $0.hasBytePrefix(self) }
    if beginning.count == 1, utf8.count >= 3 { return beginning[0] }
    let name = split(separator: "/").last.map(String.init) ?? self
    let ending = words.filter { $0.hasByteSuffix("/\(name)") }
    if ending.count == 1 { return ending[0] }
    // Every two words of two letters are similar.
    guard utf8.count >= 3 || utf8.contains(UInt8(ascii: "/")) else { return nil }
    return nearestPath(among: words)
  }

  /// Returns the nearest name of several parts, such as `product/rose#title` or `roses/red.png`.
  ///
  /// Each part differs by a typing slip at most: `product/iris` is no slip for `product/rose`.
  package func nearestPath(among names: some Sequence<String>) -> String? {
    let (parts, separators) = (self.parts, self.separators)
    // The comparison of the separators saves most splits.
    return nearest(
      among: names.filter { $0.separators == separators && $0.isSlip(of: parts) })
  }

  /// The number of separators between the parts.
  private var separators: Int { utf8.count(where: Self.isSeparator) }

  private var parts: [Substring.UTF8View] {
    utf8.split(omittingEmptySubsequences: false, whereSeparator: Self.isSeparator)
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ".")
  }

  /// Returns `true` if each part of this id differs from its counterpart by a typing slip at most.
  private func isSlip(of parts: [Substring.UTF8View]) -> Bool {
    let own = self.parts
    return own.count == parts.count
      && zip(own, parts).allSatisfy { own, part in
        own.elementsEqual(part)
          || String(Substring(part)).nearest(among: [String(Substring(own))]) != nil
      }
  }
}
