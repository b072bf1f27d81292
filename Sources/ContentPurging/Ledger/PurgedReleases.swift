import ContentModel
package import ContentReleases
import ContentTargets

extension PurgeLedger {
  /// Returns the objects that the finished purges of a channel have removed.
  package static let purges: Prune.PurgesOfChannel = { place, live in
    try PurgeLedger(place, live: live).readFinished().map { ($0.issued, $0.objects) }
  }
}

/// The releases of a channel that purges have left incomplete.
///
/// A purged object may return, in a corrected release or on purpose. A release is therefore purged
/// only if the target lacks one of its purged objects, or if an unfinished purge will remove one.
package struct PurgedReleases {
  private let place: ChannelPlace
  private let interrupted: [PurgeManifest]
  private let removed: Set<ReleaseObject>
  /// The keys of the objects at the target; `nil` until a release has a purged object.
  private var present: Set<ExactString>?

  /// Reads the manifests of a channel's purges.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  package init(_ ledger: PurgeLedger) throws {
    place = ledger.place
    interrupted = ledger.interrupted
    removed = try Set(ledger.readAll().flatMap(\.objects))
  }

  /// Returns whether a release is purged, so that a rollback to it is impossible.
  ///
  /// - Throws: `TargetError`.
  package mutating func contains(_ record: ReleaseRecord) throws -> Bool {
    let objects = removed.intersection(record.objects)
    if objects.isEmpty { return false }
    let isDoomed = interrupted.contains { purge in
      record.number < purge.release && !objects.isDisjoint(with: purge.objects)
    }
    if isDoomed { return true }
    let present =
      try self.present ?? Set(names: place.target.list(below: "objects/").map(\.key))
    self.present = present
    return !objects.allSatisfy { present.contains($0.key) }
  }
}
