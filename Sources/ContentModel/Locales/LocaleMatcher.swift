/// A matcher of requested locales with a fixed set of declared ones.
struct LocaleMatcher {
  /// The declared locale for a request.
  struct Found: Equatable {
    var locale: LocaleTag
    var relation: LocaleMatch.Relation
  }

  private struct Candidate {
    let tag: LocaleTag
    let canonical: LocaleTag
    let form: ComparableLocale
    let order: Int
  }

  /// A requested locale in the forms that matching compares.
  private struct Request {
    let tag: LocaleTag
    let canonical: LocaleTag
    let form: ComparableLocale

    init(_ tag: LocaleTag) {
      self.tag = tag
      canonical = tag.canonical
      form = ComparableLocale(canonical)
    }
  }

  private let candidates: [Candidate]
  /// The declared pseudo-locales, which are no candidates for other requests.
  private let pseudoLocales: [LocaleTag]

  init(_ declared: [LocaleTag]) {
    pseudoLocales = declared.filter(\.isPseudo)
    candidates = declared.filter { !$0.isPseudo }.enumerated().map { order, tag in
      let canonical = tag.canonical
      return Candidate(
        tag: tag, canonical: canonical, form: ComparableLocale(canonical), order: order)
    }
  }

  /// Returns the best declared locale for a request; `nil` if none has its language and script, or
  /// those of CLDR's parent in another language (`no` for `nn`).
  ///
  /// A pseudo-locale is only the best for its own tag: no other reader can read it.
  func best(for tag: LocaleTag) -> Found? {
    if let same = candidates.first(where: { $0.tag == tag })?.tag
      ?? pseudoLocales.first(where: { $0 == tag })
    {
      return Found(locale: same, relation: .itself)
    }
    let request = Request(tag)
    let group = candidates.filter { $0.form.isComparable(with: request.form) }
    return equal(to: request, in: group) ?? ancestor(of: request, in: group)
      ?? sibling(of: request, in: group) ?? relative(of: request)
  }

  /// Returns the declared locales with the request's language in another script.
  func inOtherScripts(than request: LocaleTag) -> [LocaleTag] {
    let form = ComparableLocale(request.canonical)
    return candidates.filter { $0.form.language == form.language && $0.form.script != form.script }
      .map(\.tag)
  }

  private func equal(to request: Request, in group: [Candidate]) -> Found? {
    if let same = first(of: group.filter { $0.canonical == request.canonical }, for: request) {
      return Found(locale: same, relation: .otherName)
    }
    let likely = group.filter { $0.form.maximized == request.form.maximized }
    return first(of: likely, for: request).map { Found(locale: $0, relation: .likely) }
  }

  private func ancestor(of request: Request, in group: [Candidate]) -> Found? {
    for ancestor in request.form.ancestors {
      if let found = first(of: group.filter { $0.form.tag == ancestor }, for: request) {
        return Found(locale: found, relation: .ancestor)
      }
    }
    return nil
  }

  /// Returns the region of the same language and script with the nearest common ancestor.
  private func sibling(of request: Request, in group: [Candidate]) -> Found? {
    for ancestor in [request.form.tag] + request.form.ancestors {
      let near = group.filter { $0.form.ancestors.contains(ancestor) }
      if let found = nearest(of: near, below: ancestor) {
        return Found(locale: found, relation: .sibling)
      }
    }
    return nearest(of: group, below: nil).map { Found(locale: $0, relation: .sibling) }
  }

  /// Returns the match of CLDR's parent in another language: `no` for `nn`, `fr-HT` for `ht`,
  /// `en-IN` for `hi-Latn`.
  private func relative(of request: Request) -> Found? {
    guard let relative = request.form.parentInAnotherLanguage,
      relative.maximized.script == request.form.script
    else { return nil }
    return best(for: relative).map { Found(locale: $0.locale, relation: .ancestor) }
  }

  /// Returns the longest candidate that is a prefix of the request, otherwise the first declared
  /// one, preferring those that have a region exactly if the request has one.
  private func first(of candidates: [Candidate], for request: Request) -> LocaleTag? {
    func rank(_ candidate: Candidate) -> (Int, Int, Int) {
      let isPrefix = (request.tag.identifier + "-").utf8.starts(
        with: (candidate.tag.identifier + "-").utf8)
      let isAsSpecific = (candidate.tag.region == nil) == (request.tag.region == nil)
      return (
        isPrefix ? -candidate.tag.identifier.utf8.count : 0, isAsSpecific ? 0 : 1, candidate.order
      )
    }
    return candidates.min { rank($0) < rank($1) }?.tag
  }

  /// Returns the best sibling: the one with the fewest variants, then without a region, with the
  /// likely region, the fewest steps below the ancestor, or declared first.
  private func nearest(of candidates: [Candidate], below ancestor: LocaleTag?) -> LocaleTag? {
    func rank(_ candidate: Candidate) -> (Int, Int, Int, Int) {
      let form = candidate.form
      let isLikely =
        form.tag.region == CLDR.addLikely(form.language, script: form.script, region: nil).region
      let steps = ancestor.flatMap { form.ancestors.firstIndex(of: $0) } ?? form.ancestors.count
      return (
        form.tag.variants.count, form.tag.region == nil ? 0 : isLikely ? 1 : 2, steps,
        candidate.order
      )
    }
    return candidates.min { rank($0) < rank($1) }?.tag
  }
}
