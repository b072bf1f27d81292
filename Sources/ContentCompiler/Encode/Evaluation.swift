package import ContentModel
import ContentSource

/// A reader's country and version, and the moment: what is left to decide once a context is
/// resolved.
///
/// An unknown country or version meets no condition.
package struct Circumstances: Hashable, Sendable {
  package var country: String?
  package var version: AppVersion?
  package var instant: Instant

  package init(country: String? = nil, version: AppVersion? = nil, instant: Instant) {
    (self.country, self.version, self.instant) = (country, version, instant)
  }

  /// True if a reader who applies the dates sees what has a condition.
  func admit(_ condition: Condition?) -> Bool {
    guard let condition else { return true }
    return condition.admits(country: country, version: version) && condition.admits(instant)
  }

  /// True if a bundle holds what has a condition: readers apply the dates, so country, version and
  /// embargo decide.
  func publish(_ condition: Condition?) -> Bool {
    guard let condition else { return true }
    return condition.admits(country: country, version: version)
      && !condition.isWithheld(at: instant)
  }
}

/// Resolved values as property-list values, under given circumstances and for a given format.
struct Evaluation: Sendable {
  var circumstances: Circumstances
  var format: PropertyListFormat
  var assets: AssetTable

  init(circumstances: Circumstances, format: PropertyListFormat, assets: AssetTable) {
    (self.circumstances, self.format, self.assets) = (circumstances, format, assets)
  }

  /// What readers see of whom nothing is known.
  init(format: PropertyListFormat, assets: AssetTable, instant: Instant) {
    self.init(circumstances: Circumstances(instant: instant), format: format, assets: assets)
  }

  func value(_ resolved: Resolved) -> Value {
    switch resolved.shape {
    case .scalar(let value): value
    case .link(let id): .string(id.text)
    case .address(let text): .string(text)
    case .asset(let path): assets.value(of: path, in: format)
    case .list(let items): .array(items.filter { circumstances.publish($0.condition) }.map(value))
    case .object(let members): value(members)
    }
  }

  /// Members that stand in order of keys.
  func value(_ members: [Resolved.Member]) -> Value {
    .dictionary(Members(canonicalKeys: members.map(\.key), values: members.map { value($0.value) }))
  }
}
