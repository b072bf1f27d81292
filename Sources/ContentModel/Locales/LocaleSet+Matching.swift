extension LocaleSet {
  /// Returns the declared locale for a list of preferences, the most preferred first.
  ///
  /// The first preference that matches better than a sibling wins. If there is none, the first
  /// sibling wins.
  public func match(_ requested: [String]) -> LocaleMatch {
    let matcher = LocaleMatcher(declared)
    let found = requested.map { text in
      LocaleTag(requested: text).flatMap { matcher.best(for: $0) }
    }
    let winner =
      found.firstIndex { $0 != nil && $0?.relation != .sibling } ?? found.firstIndex { $0 != nil }
    let steps = requested.indices.map { index in
      let understood = LocaleTag(requested: requested[index])
      return LocaleMatch.Step(
        requested: requested[index], understood: understood?.canonical.maximized,
        outcome: outcome(
          of: found[index], at: index, winner: winner, tag: understood, matcher: matcher))
    }
    return LocaleMatch(locale: winner.flatMap { found[$0]?.locale }, steps: steps)
  }

  private func outcome(
    of found: LocaleMatcher.Found?, at index: Int, winner: Int?, tag: LocaleTag?,
    matcher: LocaleMatcher
  ) -> LocaleMatch.Step.Outcome {
    guard let tag else { return .malformed }
    if let winner, index > winner { return .notNeeded }
    guard let found else {
      let others = matcher.inOtherScripts(than: tag)
      return others.isEmpty ? .undeclared : .otherScript(others)
    }
    return index == winner ? .taken(found.locale, found.relation) : .passedOver(found.locale)
  }

  /// The `matches` of config: the requests for which a reader that only removes trailing subtags
  /// would get another locale than from ``match(_:)``, sorted by request.
  ///
  /// A longer request is included only if the shorter ones give a wrong result for it. If nothing
  /// matches and removing subtags would lead to another script, the request leads to the source
  /// locale.
  public var matches: [(requested: String, declared: LocaleTag)] {
    let matcher = LocaleMatcher(declared)
    var reader = LocaleReader(declared: declared, source: source)
    for request in LikelyRequests(of: declared.filter { !$0.isPseudo }).tags {
      let right = matcher.best(for: request)?.locale ?? source
      if reader.served([request.identifier]) != right { reader.matches[request.identifier] = right }
    }
    return reader.matches.map { (requested: $0.key.text, declared: $0.value) }
      .sorted { $0.requested.precedesInBytes($1.requested) }
  }

  /// Returns the locale that a reader of config uses, which knows only ``matches`` and the declared
  /// locales.
  ///
  /// The first preference that leads to a locale wins, even if a later one matches better.
  public func served(_ requested: [String]) -> LocaleTag {
    var reader = LocaleReader(declared: declared, source: source)
    for (requested, declared) in matches { reader.matches[requested] = declared }
    return reader.served(requested)
  }
}

/// The algorithm of every reader of config: look up the request in `matches`, then in the declared
/// locales, then remove its last subtag and repeat.
struct LocaleReader {
  let declared: [ExactString: LocaleTag]
  let source: LocaleTag
  var matches: [ExactString: LocaleTag] = [:]

  init(declared: [LocaleTag], source: LocaleTag) {
    self.declared = Dictionary(firstOf: declared.map { ($0.identifier, $0) })
    self.source = source
  }

  func served(_ requested: [String]) -> LocaleTag {
    for text in requested {
      var rest = text[...]
      while !rest.isEmpty {
        let name = String(rest)
        if let found = matches[name] ?? declared[name] { return found }
        rest = rest.utf8.lastIndex(of: UInt8(ascii: "-")).map { rest[..<$0] } ?? ""
      }
    }
    return source
  }
}
