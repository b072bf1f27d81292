import ContentModel
import PropertyLists

/// The message to a machine's programs that a release is live.
///
/// A push that follows from it is a hint: readers trust only config.
package struct Notification: Sendable {
  /// The command that made the release live.
  package enum Kind: String, Sendable {
    case publish, promote, rollback, purge, maintenance
  }

  package var kind: Kind
  package var app: String
  package var channel: String
  package var release: Int
  /// The ids of the entries that changed; `nil` if they are unknown.
  package var changed: [String]?

  /// The most ids in a message.
  static let mostEntries = 100

  package init(
    _ kind: Kind, app: String, channel: String, release: Int, changed: [String]? = nil
  ) {
    (self.kind, self.app, self.channel) = (kind, app, channel)
    (self.release, self.changed) = (release, changed)
  }

  /// The members of the JSON object.
  var members: Members {
    var members: Members = [
      "format": 1, "app": .string(app), "channel": .string(channel),
      "release": .integer(Int64(release)), "kind": .string(kind.rawValue),
    ]
    let ids = changed.map { Set(names: $0).names }
    if let ids, ids.count <= Self.mostEntries {
      members["changed"] = .array(ids.map(Value.string))
    } else {
      members["everything"] = true
    }
    return members
  }

  /// The line that programs read.
  func line() throws -> [UInt8] {
    try PropertyList.encode(.dictionary(members), as: .json) + [UInt8(ascii: "\n")]
  }
}
