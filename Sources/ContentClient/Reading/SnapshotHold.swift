import ContentModel
import SiteFormat

/// The use of a release by snapshots, as long as one of them is held.
///
/// A class, since its end shows that no snapshot is left.
final class SnapshotHold: Sendable {
  let release: Release
  private let holds: SnapshotHolds
  /// The files whose paths were returned.
  fileprivate let files = Locked<Set<SiteObject>>([])

  fileprivate init(_ release: Release, in holds: SnapshotHolds) {
    (self.release, self.holds) = (release, holds)
  }

  /// Keeps a file in the storage while a snapshot is held.
  func keep(_ file: SiteObject) { holds.keep(file, by: self) }
}

/// The releases and files that snapshots use.
///
/// A class, since snapshots and their client share it.
final class SnapshotHolds: Sendable {
  private struct WeakHold: Sendable {
    weak var hold: SnapshotHold?
  }

  private let all = Locked<[WeakHold]>([])

  /// Returns the hold of a release for a new snapshot.
  func hold(_ release: Release) -> SnapshotHold {
    all.withLock { all in
      all.removeAll { $0.hold == nil }
      let known = all.lazy.compactMap(\.hold).first { $0.release === release }
      if let known { return known }
      let new = SnapshotHold(release, in: self)
      all.append(WeakHold(hold: new))
      return new
    }
  }

  /// The releases of all held snapshots.
  var releases: [Release] { all.withLock { $0.compactMap { $0.hold?.release } } }

  /// Removes an object unless a snapshot that is not purged uses its file; returns whether it did.
  func remove(
    _ object: SiteObject, from storage: any ContentStorage, by rules: Visibility.Rules
  ) -> Bool {
    all.withLock { all in
      let isUsed = all.contains { weak in
        guard let hold = weak.hold, !rules.withdraws(hold.release) else { return false }
        return hold.files.current.contains(object)
      }
      if !isUsed { storage.remove(object) }
      return !isUsed
    }
  }

  fileprivate func keep(_ file: SiteObject, by hold: SnapshotHold) {
    // Not while an object is removed: a path that is found afterwards is good.
    all.withLock { _ in hold.files.withLock { _ = $0.insert(file) } }
  }
}
