package import ContentModel
package import ContentTargets
import PropertyLists
package import SiteFormat

/// The release that readers of a channel see: its config at the target.
package struct LiveRelease: Sendable {
  package var members: Members
  package var format: PropertyListFormat
  /// The bytes of the config file, which may be signed.
  package var bytes: [UInt8]
  /// The bytes of the config of format 1.
  package var config: [UInt8]
  /// The signatures that were verified; `nil` if it has none, or nothing to verify them by.
  package var signed: SignedConfig?
  /// The target's tag of this config.
  var tag: String
  package var record: ReleaseRecord

  /// `true` if config is signed, verified or not.
  package var isSigned: Bool { config != bytes }
  package var number: Int { members["release"]?.number ?? 0 }
  package var issued: Instant? { members["issued"]?.instant }
  package var purge: Value? { members["purge"] }
  package var maintenance: Value? { members["maintenance"] }
  /// The rollout that is on; `nil` if there is none.
  package var rollout: Rollout? { members.rollout }

  /// Returns the content of the release, whose objects are at a target.
  package func content(at target: any Target) -> ReleaseContent {
    var content = record.content(at: target)
    content.members["maintenance"] = .dictionary(MaintenanceSwitch.usual(of: maintenance))
    if let own = members["next"]?["maintenance"], var next = content.members["next"]?.members {
      next["maintenance"] = .dictionary(MaintenanceSwitch.usual(of: own))
      content.members["next"] = .dictionary(next)
    }
    return content
  }

  /// Returns the content without the texts that a maintenance, which is to be switched, added.
  package func content(at target: any Target, without maintenance: MaintenanceSwitch)
    -> ReleaseContent
  {
    var content = content(at: target)
    let brought = Set(maintenance.payloads?.digests ?? [])
    let usual = MaintenanceSwitch.objects(of: content.members["maintenance"]).union(
      MaintenanceSwitch.objects(of: content.members["next"]?["maintenance"]))
    content.objects.removeAll { brought.contains($0.digest) && !usual.contains($0.digest) }
    return content
  }

  /// The highest `format` of a config, inside its signatures, that this version can read.
  static let knownFormat = 1
  /// The `format` of records since a channel's first rollout or recipe, which is the highest that this
  /// version can read.
  ///
  /// Programs that do not know them then refuse to publish. They would lose one side, and their
  /// purges would leave recipes.
  static let recordFormat = 2
  /// The numbers that a release can have, which every reader's integers can hold.
  package static let numbers = 1...SerialNumber.highest
}

/// The last release of a channel that a machine saw, or was told of.
package struct SeenRelease: Sendable {
  /// The number of the release; 0 without one.
  package var release = 0
  /// The hash of its config of format 1; `nil` if only its number is known.
  package var config: Digest?
  /// The number of the last purge; 0 without one.
  package var purge = 0

  package init(release: Int = 0, config: Digest? = nil, purge: Int = 0) {
    (self.release, self.config, self.purge) = (release, config, purge)
  }
}
