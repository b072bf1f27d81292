import ContentModel

/// The readers that a bundle's conditions tell apart: countries, and stretches of app versions.
struct AudienceClasses: Sendable {
  /// Every country that a condition names, sorted.
  let countries: [String]
  /// Every version at which a condition begins or ends to hold, sorted.
  let breaks: [AppVersion]

  init(_ conditions: [Condition]) {
    countries = Set(conditions.flatMap { $0.countries ?? [] }).sorted()
    let ranges = conditions.flatMap { $0.versions ?? [] }
    breaks = Set(ranges.flatMap { [$0.from, $0.before].compactMap(\.self) }).sorted()
  }

  /// A stretch of versions between two neighbouring breaks; open at either end where there is none.
  struct Stretch: Hashable, Sendable {
    var from: AppVersion?
    var before: AppVersion?

    /// A version that lies in it.
    var sample: AppVersion? { from ?? AppVersion("0") }
  }

  /// The stretches in order; none where no condition asks for a version.
  var stretches: [Stretch] {
    guard !breaks.isEmpty else { return [] }
    let starts = [nil] + breaks.map(Optional.some)
    let ends = breaks.map(Optional.some) + [nil]
    return zip(starts, ends).map { Stretch(from: $0, before: $1) }.filter { $0.before != .zero }
  }

  /// One row of `variants`: the first that matches a reader wins, and if none does, the bundle's
  /// own object.
  struct Variant<Result: Hashable & Sendable>: Hashable, Sendable {
    var country: String?
    var stretch: Stretch
    var result: Result
  }

  /// What each class gets, as the fewest rows that a reader can go through in order.
  ///
  /// `result` is asked for a country (`nil`: any other, or unknown) and a version (`nil`: unknown).
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

  /// Neighbouring stretches with the same result as one row; each row keeps a bound, since a row
  /// without one would also match readers of unknown version.
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
