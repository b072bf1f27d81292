import ContentModel
import ContentReleases
import ContentTargets
import Parallel
import Platform

extension PurgeRun {
  /// Removes the purged objects that neither a live release of any channel at the target names, nor one
  /// under way.
  ///
  /// - Returns: The objects that caches must forget. They include the objects that stay for now: when
  ///   another channel removes them, no command purges these caches.
  mutating func removeObjects() -> [ReleaseObject] {
    tell(.removing)
    attempt("not all objects are removed") { run in
      // The known objects are removed, even if older releases cannot be searched.
      let (older, problem) = run.searchOlderReleases()
      try run.addToPendingManifest(older?.objects ?? [])
      run.outcome.warnings += older?.warnings ?? []
      var removal = Removal(left: run.outcome.manifest.objects)
      // Caches forget the removed objects even if a later step fails.
      defer { run.outcome.removed = removal.removed }
      let target = run.place.target
      repeat {
        try target.exclusively {
          let lock = run.removalLock
          try lock.hold(patience: run.patience) {
            try run.putBackEndangered()
            try run.remove(&removal, under: lock)
          }
        }
      } while !removal.isDone
      // The list only shortens the next purge.
      try? older?.retire(gone: removal.gone)
      run.report(removal)
      if let problem { run.fail("not all older releases are searched: \(problem)") }
    }
    return outcome.removed == nil ? [] : outcome.manifest.objects + outcome.kept.map(\.object)
  }

  /// Returns the older copies of the purged content, and the reason for which there may be more.
  private func searchOlderReleases() -> (older: OlderCopies?, problem: String?) {
    let manifest = outcome.manifest
    do {
      let older = try OlderCopies(place, of: manifest.contents, besides: manifest.objects)
      return (older, older.problems.first)
    } catch {
      return (nil, "\(error)")
    }
  }

  /// Adds copies in earlier releases to the objects to remove, and updates the pending manifest.
  ///
  /// Once the copies are removed, only that manifest lists them for the caches. Therefore this purge
  /// also takes over the copies that another command, which may have been killed since, has added.
  ///
  /// - Throws: `DeliveryError` if another command is finishing this purge; `TargetError`.
  private mutating func addToPendingManifest(_ copies: [ReleaseObject]) throws {
    let (manifest, target) = (outcome.manifest, place.target)
    let key = manifest.pendingKey(place.channel)
    let stored = try target.readAny(key)
    let noted = stored.flatMap { try? PurgeManifest(bytes: $0.bytes, at: key) }?.objects ?? []
    var known = Set(manifest.objects.map(\.digest))
    for object in noted + copies where known.insert(object.digest).inserted {
      outcome.manifest.objects.append(object)
    }
    // Without the file, another command has finished this purge, and with it these copies.
    guard let stored, outcome.manifest.objects.count > noted.count else { return }
    let file = try outcome.manifest.file
    // A repeated request may be refused because the first one was carried out.
    guard try target.replace(key, with: file, tagged: stored.tag) || target.holds(key, as: file)
    else {
      throw DeliveryError(
        .lost, "another command is finishing this purge; run the same command again")
    }
    try target.requireHeld(file, at: key, otherwise: "run the same command again")
  }

  /// Checks that the pending manifest lists no objects that this run did not process: another
  /// command may have found them.
  func requireNoOtherCopies() throws {
    let key = outcome.manifest.pendingKey(place.channel)
    guard let stored = try place.target.readAny(key),
      let noted = try? PurgeManifest(bytes: stored.bytes, at: key)
    else { return }
    let known = Set((outcome.manifest.objects + outcome.kept.map(\.object)).map(\.digest))
    if noted.objects.allSatisfy({ known.contains($0.digest) }) { return }
    throw DeliveryError(
      .lost, "another command has found more copies; run the same command again")
  }

  /// A removal that other emergencies may interrupt.
  private struct Removal {
    /// The objects that were not tried yet.
    var left: [ReleaseObject]
    var isDone = false
    /// The number of removed objects; `nil` until the first try.
    var removed: Int?
    /// The objects that the target no longer has.
    var gone: Set<Digest> = []
    var problems: [String] = []
    /// The objects that a release under way shows, with its channel.
    var awaited: [(object: ReleaseObject, channel: String)] = []
  }

  private var removalLock: RemovalLock {
    let manifest = outcome.manifest
    return RemovalLock(
      at: place.target, owner: "purge \(manifest.sequence) of '\(place.channel)'",
      plan: manifest.pendingKey(place.channel), environment: purge.environment)
  }

  private var patience: RemovalPatience {
    var patience = RemovalPatience(purge.environment) { holder in tell(.held(by: holder)) }
    patience.meanwhile = { try putBackEndangered() }
    return patience
  }

  /// Removes the objects that no live release names, and none under way, until another emergency
  /// waits.
  private mutating func remove(_ removal: inout Removal, under lock: RemovalLock) throws {
    let target = place.target
    let now = Instant(secondsSince1970: purge.environment.now())
    let named = try NamedObjects(at: target, own: place, now: now) { try lock.renew() }
    for warning in named.warnings + [lock.warning].compactMap(\.self)
    where !outcome.warnings.contains(warning) {
      outcome.warnings.append(warning)
    }
    try requireLive(in: named)
    let removable = takeOutNamed(from: &removal, by: named)
    var givesWay = false
    try lock.inParts(of: removable) { objects in
      givesWay = givesWay || objects.startIndex > 0 && target.isWantedByEmergency
      if givesWay { return }
      let problems = objects.mapOverlapped { object -> String? in
        do throws(TargetError) {
          try lock.remove(object.key, erasing: true)
          if try target.read(object.key) == nil { return nil }
        } catch {
          return error.description
        }
        return "\(target.name) says that it removed '\(object.key)', and still has it"
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

  /// Checks that the target shows the purge's release or a later one.
  ///
  /// A cache before the target may answer with earlier config, whose objects must not be taken for
  /// named ones.
  private func requireLive(in named: NamedObjects) throws {
    let release = outcome.manifest.release
    guard let number = named.live[place.channel]?.number, number >= release else {
      throw DeliveryError(
        .lost,
        "\(place.target.name) does not show release \(release) of '\(place.channel)', which was live; run "
          + "again")
    }
  }

  /// Takes the objects that a release names out of a removal, and returns the others.
  private mutating func takeOutNamed(
    from removal: inout Removal, by named: NamedObjects
  ) -> [ReleaseObject] {
    let kept = removal.left.filter { named.shown[$0.digest] != nil }
    outcome.kept += kept.compactMap { object in named.shown[object.digest].map { (object, $0) } }
    let others = removal.left.filter { named.shown[$0.digest] == nil }
    removal.awaited = others.compactMap { object in
      named.underWay[object.digest].map { (object, $0) }
    }
    removal.left = others.filter { named.underWay[$0.digest] == nil }
    removal.removed = removal.removed ?? 0
    let shown = Set(kept.map(\.digest))
    outcome.manifest.objects.removeAll { shown.contains($0.digest) }
    return removal.left
  }

  private mutating func report(_ removal: Removal) {
    let removed = removal.removed ?? 0
    let total = outcome.manifest.objects.count + outcome.kept.count
    tell(.removed(removed, kept: outcome.kept.count))
    if let first = removal.problems.first {
      let tried = removed + removal.problems.count
      fail("\(removal.problems.count) of \(tried) objects cannot be removed: \(first)")
    }
    if let (_, channel) = removal.awaited.first {
      fail(
        "\(removal.awaited.count) of \(total) objects stay, since a release of '\(channel)' that names them is being "
          + "published; once that has ended, run again; if it was killed, publish to '\(channel)' before"
      )
    }
  }
}
