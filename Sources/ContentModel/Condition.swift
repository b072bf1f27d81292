/// Where and when an entry, or an item of a list, is there: what `when:` says.
///
/// A part that is `nil` does not restrict; within a part, one match is enough.
public struct Condition: Hashable, Sendable {
  /// Locales one of which the context's chain must have.
  public var locales: [LocaleTag]?
  /// Devices one of which must be the context's or above it.
  public var devices: [String]?
  /// ISO 3166-1 codes of two capital letters.
  public var countries: [String]?
  /// Ranges one of which must hold the app's version.
  public var versions: [VersionRange]?
  /// The first moment at which it is there.
  public var from: Instant?
  /// The first moment at which it is there no longer.
  public var until: Instant?
  /// True if it is kept out of every published file before `from`.
  public var isEmbargoed = false

  /// A condition that always holds.
  public init() {}

  /// Whether locale and device alone allow it in a context.
  ///
  /// The source locale ends nearly every chain, so its name matches only its own contexts.
  public func admits(_ context: Context, in locales: LocaleSet) -> Bool {
    if let wanted = devices, !context.ancestry.contains(where: wanted.contains) { return false }
    guard let wanted = self.locales else { return true }
    return wanted.contains { locale in
      locale == locales.source ? context.locale == locale : context.chain.contains(locale)
    }
  }

  /// Whether it holds for a reader's country and app version; unknown ones match no condition.
  public func admits(country: String?, version: AppVersion?) -> Bool {
    if let countries {
      guard let country, countries.contains(country) else { return false }
    }
    if let versions {
      guard let version, versions.contains(where: { $0.contains(version) }) else { return false }
    }
    return true
  }

  /// Whether it holds at a moment.
  public func admits(_ instant: Instant) -> Bool {
    if let from, instant < from { return false }
    if let until, instant >= until { return false }
    return true
  }

  /// True if an embargo keeps it out of every file that is published at a moment.
  public func isWithheld(at instant: Instant) -> Bool {
    guard isEmbargoed, let from else { return false }
    return instant < from
  }

  /// Whether country and version hold wherever all of some other conditions do.
  public func isImplied(by others: [Condition]) -> Bool {
    let countriesHold = countries.map { own in
      others.contains { $0.countries.map { $0.allSatisfy(own.contains) } ?? false }
    }
    let versionsHold = versions.map { own in
      others.contains { $0.versions.map { $0.allSatisfy(own.contains) } ?? false }
    }
    return (countriesHold ?? true) && (versionsHold ?? true)
  }

  /// What is left once locale and device are compiled away; `nil` if that always holds.
  public var remainder: Condition? {
    var rest = self
    (rest.locales, rest.devices) = (nil, nil)
    return rest == Condition() ? nil : rest
  }
}
