extension String {
  /// The word that was probably meant, among those that there are; `nil` where that is only a
  /// guess.
  ///
  /// Tried in turn: another case; a word that alone begins with this one (`prod`); an id that alone
  /// ends with it (`country-charm`, or `product/roses` for `category/roses`); a slip of the finger.
  package func meant(among words: [String]) -> String? {
    let lower = lowercased()
    if let same = words.first(where: { $0.lowercased() == lower }) { return same }
    guard utf8.count >= 2 else { return nil }
    let beginning = words.filter { $0.hasPrefix(self) }
    if beginning.count == 1, utf8.count >= 3 { return beginning[0] }
    let name = split(separator: "/").last.map(String.init) ?? self
    let ending = words.filter { $0.hasSuffix("/\(name)") }
    if ending.count == 1 { return ending[0] }
    let parts = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // Two letters are as near to each other as any two.
    guard parts.count > 1 else { return utf8.count < 3 ? nil : nearest(among: words) }
    return nearest(among: words.filter { $0.isSlip(of: parts) })
  }

  /// True if each part of this id is the same as its counterpart but for a slip of the finger.
  private func isSlip(of parts: [String]) -> Bool {
    let own = split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return own.count == parts.count
      && zip(own, parts).allSatisfy { $0 == $1 || $1.nearest(among: [$0]) != nil }
  }
}
