/// A condition for an entry, or an item of a list, to be visible: the value of `when:`.
///
/// A property that is `nil` does not restrict. An array matches if one of its elements does.
///
/// ```swift
/// var condition = Condition()
/// condition.countries = ["DE", "FR"]
/// condition.from = Instant(rfc3339: "2026-12-01T00:00:00Z")
/// let isVisible = condition.admits(country: "FR", version: nil)
/// ```
public struct Condition: Hashable, Sendable {
  /// The locales, one of which must be in the context's chain.
  public var locales: [LocaleTag]?
  /// The devices, one of which must be the context's device or an ancestor of it.
  public var devices: [String]?
  /// The countries: ISO 3166-1 codes of two capital letters.
  public var countries: [String]?
  /// The ranges, one of which must contain the app's version.
  public var versions: [VersionRange]?
  /// The first instant at which the condition holds.
  public var from: Instant?
  /// The first instant at which the condition no longer holds.
  public var until: Instant?
  /// `true` if no published file contains the entry before `from`.
  public var isEmbargoed = false

  /// Creates a condition that always holds.
  public init() {}

  /// Returns `true` if the locale and the device of a context match.
  ///
  /// The source locale is in nearly every chain, so it matches only its own contexts.
  public func admits(_ context: Context, in locales: LocaleSet) -> Bool {
    if let wanted = devices, !context.ancestry.contains(where: wanted.contains) { return false }
    guard let wanted = self.locales else { return true }
    return wanted.contains { locale in
      locale == locales.source ? context.locale == locale : context.chain.contains(locale)
    }
  }

  /// Returns `true` if a reader's country and app version match; `nil` matches only a condition
  /// without countries or versions.
  public func admits(country: String?, version: AppVersion?) -> Bool {
    if let countries {
      guard let country, countries.contains(where: { $0.hasSameBytes(as: country) }) else {
        return false
      }
    }
    if let versions {
      guard let version, versions.contains(where: { $0.contains(version) }) else { return false }
    }
    return true
  }

  /// Returns `true` if an instant is from `from` up to, not including, `until`.
  public func admits(_ instant: Instant) -> Bool {
    if let from, instant < from { return false }
    if let until, instant >= until { return false }
    return true
  }

  /// Returns `true` if an embargo excludes the entry from files published at an instant.
  public func isWithheld(at instant: Instant) -> Bool {
    guard isEmbargoed, let from else { return false }
    return instant < from
  }

  /// Returns `true` if other conditions restrict countries and versions at least as much as this
  /// one.
  public func isImplied(by others: [Condition]) -> Bool {
    Self.isImplied(countries, by: others.map(\.countries))
      && Self.isImplied(versions, by: others.map(\.versions))
  }

  /// Returns `true` if a list does not restrict, or another list is a part of it.
  private static func isImplied<Element: Equatable>(
    _ wanted: [Element]?, by others: [[Element]?]
  ) -> Bool {
    guard let wanted else { return true }
    return others.contains { other in other?.allSatisfy(wanted.contains) ?? false }
  }

  /// The condition without locales and devices, which are compiled away; `nil` if the remainder
  /// always holds.
  public var remainder: Condition? {
    var rest = self
    (rest.locales, rest.devices) = (nil, nil)
    return rest == Condition() ? nil : rest
  }
}
