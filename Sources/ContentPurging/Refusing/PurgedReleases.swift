import ContentModel
package import ContentReleases
import ContentTargets
import System

extension PurgeList {
  /// Returns the objects that the finished purges of a channel have removed.
  package static let purges: Prune.PurgesOfChannel = { place, live in
    try PurgeList(place, live: live).readAll().filter { $0.listed.state == .finished }.mapOverlapped
    {
      ($0.begun.issued, try place.objects(of: $0))
    }
  }
}

extension PurgeList {
  /// Returns whether the target has objects that the last finished purge removed, and that the live
  /// release does not show.
  ///
  /// Looks only for some of them, at the same time: after a backup of `objects/` was restored, most of
  /// them exist again. `Prune.returnedObjects` then tells which objects were not published since.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package func mayHaveReturnedObjects() throws -> Bool {
    let shown = Set(live?.record.objects ?? [])
    for purge in try readAll().reversed() where purge.listed.state == .finished {
      let all = try place.objects(of: purge)
      if all.isEmpty { continue }
      let removed = all.filter { !shown.contains($0) }.sorted { $0.digest < $1.digest }
      let found = try removed.prefix(Self.samples).mapOverlapped { try place.target.lists($0.key) }
      return found.contains(true)
    }
    return false
  }

  /// The most objects that `mayHaveReturnedObjects` looks for.
  private static let samples = 32
}

/// The releases of a channel that purges have left incomplete.
///
/// A purged object may return, in a corrected release or on purpose. A release is therefore purged
/// only if the target lacks one of its purged objects, or if an unfinished purge will remove one.
package struct PurgedReleases {
  private let place: ChannelPlace
  private let unfinished: [(release: Int, objects: Set<ReleaseObject>)]
  private let removed: Set<ReleaseObject>
  /// The keys of the objects at the target; `nil` until a release has a purged object.
  private var present: Set<ExactString>?

  /// Reads the purges of a channel.
  ///
  /// - Throws: `DeliveryError` for a file of a newer version; `TargetError`.
  package init(_ list: PurgeList) throws {
    let place = list.place
    let purges = try list.readAll().mapOverlapped { purge in
      (purge: purge, objects: Set(try place.objects(of: purge)))
    }
    self.place = place
    unfinished = purges.filter { $0.purge.listed.state == .unfinished }.map {
      ($0.purge.begun.release, $0.objects)
    }
    removed = purges.reduce(into: []) { $0.formUnion($1.objects) }
  }

  /// Returns whether a release is purged, so that a rollback to it is impossible.
  ///
  /// - Throws: `TargetError`.
  package mutating func contains(_ record: ReleaseRecord) throws -> Bool {
    let objects = removed.intersection(record.objects)
    if objects.isEmpty { return false }
    let isDoomed = unfinished.contains { purge in
      record.number < purge.release && !objects.isDisjoint(with: purge.objects)
    }
    if isDoomed { return true }
    let present =
      try self.present ?? Set(names: place.target.list(below: "objects/").map(\.key))
    self.present = present
    return !objects.allSatisfy { present.contains($0.key) }
  }
}
