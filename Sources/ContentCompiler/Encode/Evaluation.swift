import ContentModel
import ContentSource

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
    case .markdown(let markdown): value(markdown)
    case .plural(let plural): .dictionary(plural.members)
    case .list(let items): .array(items.filter { circumstances.publish($0.condition) }.map(value))
    case .object(let members): value(members)
    }
  }

  /// The dictionary of members that are in order of keys.
  func value(_ members: [Resolved.Member]) -> Value {
    .dictionary(
      Members(canonicalKeys: members.map(\.key.text), values: members.map { value($0.value) }))
  }
}
