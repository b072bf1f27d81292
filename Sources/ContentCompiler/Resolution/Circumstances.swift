package import ContentModel

/// The country and the app version of a reader, and the moment.
///
/// Conditions on these remain after an entry is resolved for a context. An unknown country or
/// version meets no condition.
package struct Circumstances: Hashable, Sendable {
  package var country: String?
  package var version: AppVersion?
  package var instant: Instant

  package init(country: String? = nil, version: AppVersion? = nil, instant: Instant) {
    (self.country, self.version, self.instant) = (country, version, instant)
  }

  /// Returns `true` if a reader in these circumstances sees a value with a condition.
  ///
  /// The dates of the condition count, too.
  package func admit(_ condition: Condition?) -> Bool {
    guard let condition else { return true }
    return condition.admits(country: country, version: version) && condition.admits(instant)
  }

  /// Returns `true` if a bundle includes a value with a condition.
  ///
  /// Country, version and embargo decide. The dates do not, since readers apply them.
  package func publish(_ condition: Condition?) -> Bool {
    guard let condition else { return true }
    return condition.admits(country: country, version: version)
      && !condition.isWithheld(at: instant)
  }
}
