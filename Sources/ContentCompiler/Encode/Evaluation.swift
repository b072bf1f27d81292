package import ContentModel
import ContentSource

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

  /// Returns `true` if a reader, who applies the dates, sees something with a condition.
  package func admit(_ condition: Condition?) -> Bool {
    guard let condition else { return true }
    return condition.admits(country: country, version: version) && condition.admits(instant)
  }

  /// Returns `true` if a bundle includes something with a condition.
  ///
  /// Country, version and embargo decide, since readers apply the dates.
  package func publish(_ condition: Condition?) -> Bool {
    guard let condition else { return true }
    return condition.admits(country: country, version: version)
      && !condition.isWithheld(at: instant)
  }
}

/// The conversion of resolved values to property-list values, for some circumstances and a format.
struct Evaluation: Sendable {
  var circumstances: Circumstances
  var format: PropertyListFormat
  var assets: AssetTable

  init(circumstances: Circumstances, format: PropertyListFormat, assets: AssetTable) {
    (self.circumstances, self.format, self.assets) = (circumstances, format, assets)
  }

  /// The evaluation for readers of unknown country and version.
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

  /// The dictionary of members that are in order of keys.
  func value(_ members: [Resolved.Member]) -> Value {
    .dictionary(Members(canonicalKeys: members.map(\.key), values: members.map { value($0.value) }))
  }
}
