import ContentModel
import ContentReleases
import ContentTargets
import System

extension PurgeRun {
  /// Takes step 6: removes the purged objects that neither a live release of any channel at the target
  /// names, nor one under way.
  ///
  /// - Returns: The objects that caches must forget. They include the objects that stay for now: when
  ///   another channel removes them, no command purges these caches.
  mutating func removeObjects() -> [ReleaseObject] {
    tell(.removing)
    attempt(orFail: "not all objects are removed") { run in
      let (copiesKey, older, problem) = try run.noteObjectsToRemove()
      var removal = Removal(left: run.outcome.objects)
      // Caches forget the removed objects even if a later step fails.
      defer { run.outcome.removed = removal.removed }
      let target = run.place.target
      repeat {
        try target.exclusively {
          let lock = RemovalLock(
            at: target, owner: "purge \(run.begun.number) of '\(run.place.channel)'",
            plan: copiesKey, environment: run.purge.environment)
          try lock.hold(patience: run.patience) {
            // Step 3 again
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
    return outcome.removed == nil ? [] : outcome.objects + outcome.kept.map(\.object)
  }

  /// The first half of step 6: searches earlier releases for copies of the purged content, and notes in
  /// `copies-` all objects to remove.
  ///
  /// Once the copies are removed, only that note lists them for the caches. Therefore this purge also
  /// takes over the copies that another command, which may have been killed since, has noted.
  ///
  /// - Returns: The key of the note, the copies, and the reason for which there may be more of them.
  /// - Throws: `DeliveryError` if the note cannot be written; `TargetError`.
  private mutating func noteObjectsToRemove() throws -> (
    key: String, older: OlderCopies?, problem: String?
  ) {
    // The known objects are removed, even if older releases cannot be searched.
    let (older, problem) = searchOlderReleases()
    try place.relist(&outcome.known.listed)
    let (listed, notes) = (outcome.known.listed, outcome.known.listed.notes.copies)
    let noted = try notes.mapOverlapped { [place] note in
      try place.read(note, in: listed.folder) as CopiesNote?
    }
    var known: Set<ReleaseObject> = []
    let all = begun.objects + noted.compactMap(\.self).flatMap(\.objects) + (older?.objects ?? [])
    outcome.objects = all.filter { known.insert($0).inserted }
    let key = try place.noteCopies(outcome.objects, of: &outcome.known.listed)
    let damaged = zip(notes, noted).filter { $0.1 == nil }.map {
      PurgeName.note($0.0, in: listed.folder).key(in: place.channel)
    }
    // An interrupted run of this purge may have cut the note that was just written again.
    for other in damaged where other != key {
      fail(
        "\(place.location(of: other)) is damaged, so objects may be left; put the file of a backup back, or remove "
          + "the file, after which the same command searches for the objects again")
    }
    outcome.warnings += older?.warnings ?? []
    outcome.otherForms = older?.otherForms ?? 0
    return (key, older, problem)
  }

  /// Returns the older copies of the purged content, and the reason for which there may be more.
  private func searchOlderReleases() -> (older: OlderCopies?, problem: String?) {
    do {
      let older = try OlderCopies(place, of: begun.contents, besides: begun.objects)
      return (older, older.problems.first)
    } catch {
      return (nil, "\(error)")
    }
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

  private var patience: RemovalPatience {
    var patience = RemovalPatience(purge.environment) { holder in tell(.held(by: holder)) }
    patience.meanwhile = { try putBackEndangered() }
    return patience
  }

  /// Removes the objects that no live release names, and none under way, until another emergency
  /// waits.
  private mutating func remove(_ removal: inout Removal, under lock: RemovalLock) throws {
    let target = place.target
    let named = try NamedObjects(at: target, own: place, now: now) { try lock.renew() }
    for warning in named.warnings + [lock.warning].compactMap(\.self)
    where !outcome.warnings.contains(where: warning.hasSameBytes) {
      outcome.warnings.append(warning)
    }
    try requireLive(in: named)
    takeOutNamed(from: &removal, by: named)
    var givesWay = false
    try lock.inParts(of: removal.left) { objects in
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
    // The removal gives way. A release under way may end meanwhile, so its objects are looked at again.
    if !removal.isDone { removal.left += removal.awaited.map(\.object) }
  }

  /// Checks that the target shows the purge's release or a later one.
  ///
  /// A cache before the target may answer with earlier config, whose objects must not be taken for
  /// named ones.
  private func requireLive(in named: NamedObjects) throws {
    let release = begun.release
    guard let number = named.live[place.channel]?.number, number >= release else {
      throw DeliveryError(
        .lost,
        "\(place.target.name) does not show release \(release) of '\(place.channel)', which was live; run "
          + "again")
    }
  }

  /// Takes the objects that a release names out of a removal.
  private mutating func takeOutNamed(from removal: inout Removal, by named: NamedObjects) {
    let kept = removal.left.filter { named.shown[$0.digest] != nil }
    outcome.kept += kept.compactMap { object in named.shown[object.digest].map { (object, $0) } }
    let others = removal.left.filter { named.shown[$0.digest] == nil }
    removal.awaited = others.compactMap { object in
      named.underWay[object.digest].map { (object, $0) }
    }
    removal.left = others.filter { named.underWay[$0.digest] == nil }
    removal.removed = removal.removed ?? 0
    let shown = Set(kept.map(\.digest))
    outcome.objects.removeAll { shown.contains($0.digest) }
  }

  private mutating func report(_ removal: Removal) {
    let removed = removal.removed ?? 0
    let total = outcome.objects.count + outcome.kept.count
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
