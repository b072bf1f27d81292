/// Which declared locale a requested one gets: prepared once for a set, then asked often.
struct LocaleMatcher {
  /// What was found for one requested locale.
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

  private let candidates: [Candidate]

  init(_ declared: [LocaleTag]) {
    candidates = declared.enumerated().map { order, tag in
      let canonical = tag.canonical
      return Candidate(
        tag: tag, canonical: canonical, form: ComparableLocale(canonical), order: order)
    }
  }

  /// The best declared locale for a request; `nil` where only another language or script is left.
  func best(for request: LocaleTag) -> Found? {
    if let same = candidates.first(where: { $0.tag == request }) {
      return Found(locale: same.tag, relation: .itself)
    }
    let canonical = request.canonical
    let form = ComparableLocale(canonical)
    let group = candidates.filter { $0.form.isComparable(with: form) }
    let found =
      equal(to: canonical, form, in: group, request) ?? ancestor(of: form, in: group, request)
    return found ?? sibling(of: form, in: group, request) ?? relative(of: form)
  }

  /// The declared locales of the request's language that are written in another script.
  func inOtherScripts(than request: LocaleTag) -> [LocaleTag] {
    let form = ComparableLocale(request.canonical)
    return candidates.filter { $0.form.language == form.language && $0.form.script != form.script }
      .map(\.tag)
  }

  private func equal(
    to canonical: LocaleTag, _ form: ComparableLocale, in group: [Candidate], _ request: LocaleTag
  ) -> Found? {
    if let same = first(of: group.filter { $0.canonical == canonical }, for: request) {
      return Found(locale: same, relation: .otherName)
    }
    return first(of: group.filter { $0.form.maximized == form.maximized }, for: request)
      .map { Found(locale: $0, relation: .likely) }
  }

  private func ancestor(of form: ComparableLocale, in group: [Candidate], _ request: LocaleTag)
    -> Found?
  {
    for ancestor in form.ancestors {
      if let found = first(of: group.filter { $0.form.tag == ancestor }, for: request) {
        return Found(locale: found, relation: .ancestor)
      }
    }
    return nil
  }

  /// Another region of the same language and script, the one with the nearest common ancestor.
  private func sibling(of form: ComparableLocale, in group: [Candidate], _ request: LocaleTag)
    -> Found?
  {
    for ancestor in [form.tag] + form.ancestors {
      let near = group.filter { $0.form.ancestors.contains(ancestor) }
      if let found = nearest(of: near, below: ancestor) {
        return Found(locale: found, relation: .sibling)
      }
    }
    return nearest(of: group, below: nil).map { Found(locale: $0, relation: .sibling) }
  }

  /// What CLDR names as the parent in another language: `no` for `nn`, `fr-HT` for `ht`, `en-IN`
  /// for `hi-Latn`.
  private func relative(of form: ComparableLocale) -> Found? {
    guard let relative = form.parentInAnotherLanguage, relative.maximized.script == form.script
    else { return nil }
    return best(for: relative).map { Found(locale: $0.locale, relation: .ancestor) }
  }

  /// The one that cutting subtags off the request leads to first, else the one that says as much as
  /// the request.
  private func first(of candidates: [Candidate], for request: LocaleTag) -> LocaleTag? {
    func rank(_ candidate: Candidate) -> (Int, Int, Int) {
      let isPrefix = (request.identifier + "-").utf8.starts(
        with: (candidate.tag.identifier + "-").utf8)
      let saysAsMuch = (candidate.tag.region == nil) == (request.region == nil)
      return (
        isPrefix ? -candidate.tag.identifier.utf8.count : 0, saysAsMuch ? 0 : 1, candidate.order
      )
    }
    return candidates.min { rank($0) < rank($1) }?.tag
  }

  /// The one without a region, else the language's likely one, else the one that is the fewest
  /// steps below an ancestor, else the first declared.
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
