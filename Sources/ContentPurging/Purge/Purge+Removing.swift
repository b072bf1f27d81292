import Parallel
import ContentModel
import ContentReleases
import ContentTargets
import Platform

extension Purge {
  /// Removes what no release of any channel at the target names, while no publisher counts on it.
  func removeObjects(_ outcome: inout Outcome, _ watch: @escaping Watch) -> [ReleaseObject] {
    watch(PurgeEvent(step: .removing, seconds: seconds))
    attempt("not all objects are removed", &outcome, watch) { outcome in
      // The known objects are removed, even if older releases cannot be searched.
      let (older, problem) = searched(for: outcome.manifest)
      if let older { outcome.manifest = try adding(older.objects, to: outcome.manifest) }
      var removal = Removal(left: outcome.manifest.objects)
      // Caches forget the objects that are gone even if this fails.
      defer { outcome.removed = removal.removed }
      repeat {
        try place.target.exclusively {
          let lock = removalLock(outcome.manifest)
          try lock.hold(patience(watch)) {
            try endangered.putBack(at: place.target)
            try remove(&removal, &outcome, lock)
          }
        }
      } while !removal.isDone
      // The list only saves the next purge some work.
      try? older?.retire(gone: removal.gone)
      tell(removal, &outcome, watch)
      if let problem { fail("not all older releases are searched: \(problem)", &outcome, watch) }
    }
    // Caches must also forget the objects that stay for now: when another channel removes them, no
    // command purges these caches.
    return outcome.removed == nil ? [] : outcome.manifest.objects + outcome.kept.map(\.object)
  }

  /// The older copies of what a manifest purges, and why there may be more of them.
  private func searched(for manifest: PurgeManifest) -> (older: OlderCopies?, problem: String?) {
    do {
      let older = try OlderCopies(place, of: manifest.contents, besides: manifest.objects)
      return (older, older.problems.first)
    } catch {
      return (nil, "\(error)")
    }
  }

  /// A removal that may be interrupted by other emergencies.
  private struct Removal {
    /// The objects that were not tried yet.
    var left: [ReleaseObject]
    var isDone = false
    /// `nil` until the first try.
    var removed: Int?
    /// The objects that the target has no more.
    var gone: Set<Digest> = []
    var problems: [String] = []
    /// The objects that a release under way shows.
    var awaited: [(object: ReleaseObject, channel: String)] = []
  }

  private func removalLock(_ manifest: PurgeManifest) -> RemovalLock {
    RemovalLock(
      at: place.target, owner: "purge \(manifest.sequence) of '\(place.channel)'",
      plan: manifest.pendingKey(place.channel), surroundings: surroundings)
  }

  private func patience(_ watch: @escaping Watch) -> RemovalPatience {
    var patience = RemovalPatience(surroundings) { holder in
      watch(PurgeEvent(step: .held(by: holder), seconds: seconds))
    }
    patience.meanwhile = { try endangered.putBack(at: place.target) }
    return patience
  }

  /// Removes what can be, until another emergency waits.
  private func remove(_ removal: inout Removal, _ outcome: inout Outcome, _ lock: RemovalLock)
    throws
  {
    let now = Instant(secondsSince1970: surroundings.now())
    let named = try NamedObjects(at: place.target, now: now) { try lock.renew() }
    // A cache on the way may give the config of before: what that shows is no reason to keep it.
    guard let number = named.live[place.channel]?.number, number >= outcome.manifest.release else {
      throw DeliveryError(
        .lost,
        "\(place.target.name) does not show release \(outcome.manifest.release) of '\(place.channel)', which was live; run "
          + "again")
    }
    for warning in named.warnings where !outcome.warnings.contains(warning) {
      outcome.warnings.append(warning)
    }
    let (all, kept) = (removal.left, removal.left.filter { named.shown[$0.digest] != nil })
    outcome.kept += kept.compactMap { object in named.shown[object.digest].map { (object, $0) } }
    removal.awaited = all.compactMap { object in
      named.shown[object.digest] == nil ? named.underWay[object.digest].map { (object, $0) } : nil
    }
    let removable = all.filter { named.shown[$0.digest] == nil && named.underWay[$0.digest] == nil }
    removal.left = removable
    removal.removed = removal.removed ?? 0
    let shown = Set(kept.map(\.digest))
    outcome.manifest.objects.removeAll { shown.contains($0.digest) }
    var givesWay = false
    try lock.inParts(removable) { objects in
      givesWay = givesWay || objects.startIndex > 0 && place.target.isWantedByEmergency
      if givesWay { return }
      let problems = objects.mapOverlapped { object -> String? in
        do throws(TargetError) {
          try lock.remove(object.key)
          if try place.target.read(object.key) == nil { return nil }
        } catch {
          return error.description
        }
        return "\(place.target.name) says that it removed '\(object.key)', and still has it"
      }
      removal.left.removeFirst(objects.count)
      for (object, problem) in zip(objects, problems) where problem == nil {
        removal.gone.insert(object.digest)
      }
      removal.removed = removal.gone.count
      removal.problems += problems.compactMap(\.self)
    }
    removal.isDone = removal.left.isEmpty
    if !removal.isDone { removal.left += removal.awaited.map(\.object) }
  }

  private func tell(_ removal: Removal, _ outcome: inout Outcome, _ watch: @escaping Watch) {
    let (removed, total) = (
      removal.removed ?? 0, outcome.manifest.objects.count + outcome.kept.count
    )
    watch(PurgeEvent(step: .removed(removed, kept: outcome.kept.count), seconds: seconds))
    if let first = removal.problems.first {
      let tried = removed + removal.problems.count
      fail(
        "\(removal.problems.count) of \(tried) objects cannot be removed: \(first)", &outcome, watch
      )
    }
    if let (_, channel) = removal.awaited.first {
      fail(
        "\(removal.awaited.count) of \(total) objects stay, since a release of '\(channel)' that names them is being "
          + "published; once that has ended, run again; if it was killed, publish to '\(channel)' before",
        &outcome,
        watch)
    }
  }
}
