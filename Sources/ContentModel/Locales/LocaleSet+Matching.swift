extension LocaleSet {
  /// The declared locale for a list of preferences, the most preferred first.
  ///
  /// The first preference that has more than a sibling region wins; siblings count only if there is
  /// none.
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

  /// What config carries for readers that only cut subtags off the end: the requests for which that
  /// would go wrong.
  ///
  /// Sorted by request, and no more than needed: shorter requests decide first, and a longer one is
  /// there only if cutting it down to them gives another answer than `match`. Where nothing matches
  /// and cutting would cross into another script, the request leads to the source locale.
  public var matches: [(requested: String, declared: LocaleTag)] {
    let matcher = LocaleMatcher(declared)
    var reader = LocaleReader(declared: declared, source: source)
    for request in LikelyRequests(of: declared).tags {
      let right = matcher.best(for: request)?.locale ?? source
      if reader.served([request.identifier]) != right { reader.matches[request.identifier] = right }
    }
    return reader.matches.map { (requested: $0.key.text, declared: $0.value) }
      .sorted { $0.requested.precedesInBytes($1.requested) }
  }

  /// What a reader of config serves, who knows `matches` and the declared locales and nothing else.
  ///
  /// The first preference that leads anywhere wins; a reader cannot wait for a better one.
  public func served(_ requested: [String]) -> LocaleTag {
    var reader = LocaleReader(declared: declared, source: source)
    for (requested, declared) in matches { reader.matches[requested] = declared }
    return reader.served(requested)
  }
}
