import ContentModel

/// The classes of readers that the conditions of a bundle distinguish, by country and app version.
struct AudienceClasses: Sendable {
  /// Every country that a condition names, sorted.
  let countries: [String]
  /// Every version at which the result of a condition changes, sorted.
  let breaks: [AppVersion]

  init(_ conditions: [Condition]) {
    countries = Set(conditions.flatMap { $0.countries ?? [] }).sorted()
    let ranges = conditions.flatMap { $0.versions ?? [] }
    breaks = Set(ranges.flatMap { [$0.from, $0.before].compactMap(\.self) }).sorted()
  }

  /// A range of versions between two adjacent breaks; an end without a break is open.
  struct Stretch: Hashable, Sendable {
    var from: AppVersion?
    var before: AppVersion?

    /// A version in the range.
    var sample: AppVersion? { from ?? AppVersion("0") }
  }

  /// The ranges in order; empty if no condition depends on a version.
  var stretches: [Stretch] {
    guard !breaks.isEmpty else { return [] }
    let starts = [nil] + breaks.map(Optional.some)
    let ends = breaks.map(Optional.some) + [nil]
    return zip(starts, ends).map { Stretch(from: $0, before: $1) }.filter { $0.before != .zero }
  }

  /// One row of `variants`.
  ///
  /// A reader takes the first matching row. If no row matches, it takes the bundle's own object.
  struct Variant<Result: Hashable & Sendable>: Hashable, Sendable {
    var country: String?
    var stretch: Stretch
    var result: Result
  }

  /// Returns the results of all classes, as the fewest rows that a reader can search in order.
  ///
  /// `result` gets a country (`nil`: any other, or unknown) and a version (`nil`: unknown).
  func variants<Result: Hashable & Sendable>(
    _ result: (_ country: String?, _ version: AppVersion?) throws -> Result
  ) rethrows -> (own: Result, variants: [Variant<Result>]) {
    let own = try result(nil, nil)
    let general = try stretches.map { try result(nil, $0.sample) }
    var rows: [Variant<Result>] = []
    for country in countries {
      let unversioned = try result(country, nil)
      let versioned = try stretches.map { try result(country, $0.sample) }
      if unversioned == own, versioned == general { continue }
      rows += runs(versioned, otherThan: unversioned, country: country)
      rows.append(Variant(country: country, stretch: Stretch(), result: unversioned))
    }
    return (own, rows + runs(general, otherThan: own, country: nil))
  }

  /// Merges adjacent ranges with the same result into one row.
  ///
  /// Each row keeps a bound, since a row without one would also match readers of unknown version.
  private func runs<Result: Hashable & Sendable>(
    _ results: [Result], otherThan common: Result, country: String?
  ) -> [Variant<Result>] {
    var rows: [Variant<Result>] = []
    for (stretch, result) in zip(stretches, results) where result != common {
      if let last = rows.last, last.result == result, last.stretch.before == stretch.from,
        last.stretch.from != nil || stretch.before != nil
      {
        rows[rows.count - 1].stretch.before = stretch.before
      } else {
        rows.append(Variant(country: country, stretch: stretch, result: result))
      }
    }
    return rows
  }
}
