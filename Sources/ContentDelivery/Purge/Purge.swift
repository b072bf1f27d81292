import ContentModel

/// Takes something away from every reader of a channel, caches and apps included.
///
/// The order keeps readers safe and makes each step final: (1) what is to be done is written down, (2) the release without
/// it goes live, (3) caches forget config, until readers are seen to get the new one, (4) once the longest answer of the
/// origin has come that was on its way, caches forget config again, (5) only then, and only if every cache was told, the
/// objects are removed at the target, and caches forget them, now and after the origin's longest answer, (6) what is public
/// is read back, (7) the manifest is written. Whatever ends it, `finish` goes on from there.
package struct Purge: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  /// `nil` where the project does not say what apps ask for.
  let site: PublicSite?
  let surroundings: Surroundings
  let times: Times
  /// What is written into a folder besides: names there are put right, too.
  package var extras: FolderExtras?
  /// Why some caches cannot be told at all, as sentences: a purge is not finished while there are any.
  package var problems: [String] = []
  private let start: Int64

  /// How long things take, in seconds.
  package struct Times: Sendable {
    /// The longest that the origin may take to answer.
    package var originTimeout: Int
    /// How long each cache may take to forget.
    package var cacheDeadline = 300
    /// How long is waited until readers are seen to get what they should.
    package var verification = 30
    /// How long a reader may keep config, and at the origin.
    package var app: Int
    package var origin: Int
    /// How long content may be shown without a connection.
    package var offline: Int

    package init(originTimeout: Int, app: Int, origin: Int, offline: Int) {
      (self.originTimeout, self.app, self.origin, self.offline) = (originTimeout, app, origin, offline)
    }
  }

  package init(_ place: ChannelPlace, caches: CachePurge, site: PublicSite?, times: Times, surroundings: Surroundings) {
    (self.place, self.caches, self.site, self.times) = (place, caches, site, times)
    self.surroundings = surroundings
    start = surroundings.milliseconds()
  }

  package typealias Watch = (PurgeEvent) -> Void

  /// What a purge came to.
  package struct Outcome: Sendable {
    package var manifest: PurgeManifest
    /// What failed, and was left for the next run; empty if all was done.
    package var failures: [String] = []
    /// Objects that are public still, since live releases of some channels show them, which are named.
    package var kept: [(object: ReleaseObject, channels: [String])] = []
    /// Seconds from the command until readers were seen to get the release; `nil` if they were not.
    package var freshSeconds: Double?
    /// How many objects were removed at the target; `nil` if that was not tried, since readers may ask for them still.
    package var removed: Int?
    /// URLs that were read back and have nothing any more.
    package var readBack = 0
    package var caches: [CachePurge.Outcome] = []
    /// Whether the manifest is written, which is the end of it.
    package var isRecorded = false
  }

  private var seconds: Double { Double(surroundings.milliseconds() - start) / 1_000 }

  /// Publishes the release without it; from now on `finish` can go on.
  ///
  /// - Throws: what publishing throws; then nothing has changed for readers.
  package func begin(
    _ order: PurgeOrder, _ plan: PurgePlan, after live: LiveRelease, _ publisher: Publisher, watch: @escaping Watch
  ) throws -> PurgeManifest {
    var manifest: PurgeManifest?
    let sequence = try SerialNumber.next(
      after: live.purge?["sequence"]?.number ?? 0, of: "purge.sequence",
      at: place.location(of: place.configKey(live.format)))
    let outcome = try publisher.publish(
      known: live, patience: patience(watch),
      beforeSwap: { record in
        let begun = PurgeManifest(
          sequence: sequence, issued: record.issued ?? publisher.now(), release: record.number, record: record.digest,
          order: order, plan: plan)
        guard try place.target.create(begun.pendingKey(place.channel), try begun.file) else {
          throw DeliveryError(
            .lost, "another purge has just begun in '\(place.channel)'; nothing was changed; run again")
        }
        try requireHeld(begun, at: begun.pendingKey(place.channel))
        manifest = begun
      }
    ) { now in
      guard now?.record.digest == live.record.digest else {
        throw DeliveryError(
          .lost,
          "release \(now?.number ?? 0) of '\(place.channel)' was published meanwhile; nothing was changed; run again")
      }
      return Draft(
        content: plan.content, of: plan.of, message: "purge \(sequence): \(order.reason)", by: order.by,
        purged: Draft.Purged(entries: plan.entries.map(\.id), objects: plan.gone.map(\.digest)))
    }
    guard case .released(let record, _) = outcome, let manifest else {
      throw DeliveryError(.lost, "the purge was not published; run again")
    }
    watch(PurgeEvent(step: .published(release: record.number), seconds: seconds))
    return manifest
  }

  /// Does what is left of a purge whose release is live.
  ///
  /// A step that fails is noted, and what does not depend on it is done all the same.
  package func finish(_ manifest: PurgeManifest, live: LiveRelease, watch: @escaping Watch) -> Outcome {
    var outcome = Outcome(manifest: manifest)
    for problem in problems { fail(problem, &outcome, watch) }
    let isFresh = announce(manifest.release, live.format, &outcome, watch)
    let isTold = outcome.failures.isEmpty
    attempt("the names in '\(place.channel)/latest' may show what is to go", &outcome, watch) { _ in
      try extras?.writeLatest(live.members, live.format, in: place.channel)
    }
    if !isFresh { return outcome }
    guard isTold else {
      fail(
        "no object is removed: readers behind a cache that was not told may ask for them until it lets go by itself",
        &outcome, watch)
      return outcome
    }
    let objects = removeObjects(&outcome, watch)
    forget(objects, &outcome, watch)
    readBack(&outcome, watch)
    let scopes =
      site.map { site in
        [
          PurgeScope.config(app: place.app, channel: place.channel, format: live.format, at: site.url),
          .objects(objects, app: place.app, at: site.url),
        ]
      } ?? []
    outcome.manifest.urls = scopes.flatMap(\.urls)
    outcome.manifest.keys = scopes.flatMap(\.keys)
    outcome.manifest.bound = bound(outcome)
    if outcome.failures.isEmpty { record(&outcome, watch) }
    return outcome
  }

  /// Makes caches forget config, and tells whether readers are seen to get the release.
  ///
  /// Where there is nowhere to look, the target's word is taken.
  private func announce(
    _ release: Int, _ format: PropertyListFormat, _ outcome: inout Outcome, _ watch: @escaping Watch
  ) -> Bool {
    let announcement = ConfigAnnouncement(place, caches: caches, site: site, surroundings: surroundings)
    let told = announcement.run(
      release: release, format: format,
      times: ConfigAnnouncement.Times(
        cacheDeadline: times.cacheDeadline, verification: times.verification, originTimeout: times.originTimeout)
    ) { event in
      watch(PurgeEvent(step: event.step, seconds: seconds))
      if case .fresh = event.step { outcome.freshSeconds = seconds }
      if case .purged(let results, _) = event.step { note(results, &outcome, watch) }
    }
    if let problem = told.problem { fail(problem, &outcome, watch) }
    return told.problem == nil
  }

  /// Makes caches forget what was removed, and once more what an answer that was on its way has brought back.
  private func forget(_ objects: [ReleaseObject], _ outcome: inout Outcome, _ watch: @escaping Watch) {
    guard let site, !caches.isEmpty, !objects.isEmpty else { return }
    let scopes = [PurgeScope.objects(objects, app: place.app, at: site.url)]
    for what in ["removed objects", "removed objects again"] {
      watch(PurgeEvent(step: .purging(caches.plan(scopes), what: what), seconds: seconds))
      let results = caches.run(scopes, deadlineSeconds: times.cacheDeadline)
      watch(PurgeEvent(step: .purged(results, what: what), seconds: seconds))
      note(results, &outcome, watch)
      if what == "removed objects" { wait(max(times.originTimeout, caches.gapSeconds(scopes)), watch) }
    }
  }

  private func note(_ results: [CachePurge.Outcome], _ outcome: inout Outcome, _ watch: @escaping Watch) {
    outcome.caches += results
    for failure in results.compactMap(\.failure) { fail(failure, &outcome, watch) }
  }

  /// Removes what no release of any channel at the target names, while no publisher counts on it.
  private func removeObjects(_ outcome: inout Outcome, _ watch: @escaping Watch) -> [ReleaseObject] {
    watch(PurgeEvent(step: .removing, seconds: seconds))
    attempt("not all objects are removed", &outcome, watch) { outcome in
      outcome.manifest = try withOlderCopies(outcome.manifest)
      try place.target.exclusively {
        let lock = removalLock(outcome.manifest)
        try lock.hold(patience(watch)) { try remove(&outcome, lock, watch) }
      }
    }
    // Caches are to forget also what stays for now: when it goes, at another channel, nobody asks these any more.
    return outcome.removed == nil ? [] : outcome.manifest.objects + outcome.kept.map(\.object)
  }

  private func removalLock(_ manifest: PurgeManifest) -> RemovalLock {
    RemovalLock(
      at: place.target, owner: "purge \(manifest.sequence) of '\(place.channel)'", surroundings: surroundings)
  }

  private func patience(_ watch: @escaping Watch) -> RemovalPatience {
    RemovalPatience(surroundings) { holder in watch(PurgeEvent(step: .held(by: holder), seconds: seconds)) }
  }

  private func remove(_ outcome: inout Outcome, _ lock: RemovalLock, _ watch: @escaping Watch) throws {
    let now = Instant(secondsSince1970: surroundings.now())
    let named = try NamedObjects(at: place.target, now: now) { try lock.renew() }
    let all = outcome.manifest.objects
    let awaited = all.filter { named.shown[$0.digest] == nil && named.underWay[$0.digest] != nil }
    let removable = all.filter { named.shown[$0.digest] == nil && named.underWay[$0.digest] == nil }
    outcome.kept = all.compactMap { object in named.shown[object.digest].map { (object, $0) } }
    outcome.manifest.objects = removable + awaited
    var problems: [String?] = []
    outcome.removed = 0
    // Also where the lock was lost on the way: caches are to forget what is gone.
    defer { outcome.removed = problems.count { $0 == nil } }
    try lock.inParts(removable) { objects in
      problems += try Array(objects).mapOverlapped { object -> String? in
        do throws(TargetError) {
          try lock.remove(object.key)
          if try place.target.read(object.key) == nil { return nil }
        } catch {
          return error.description
        }
        return "\(place.target.name) says that it removed '\(object.key)', and still has it"
      }
    }
    watch(PurgeEvent(step: .removed(problems.count { $0 == nil }, kept: outcome.kept.count), seconds: seconds))
    if let first = problems.compactMap(\.self).first {
      let left = problems.count { $0 != nil }
      fail("\(left) of \(problems.count) objects cannot be removed: \(first)", &outcome, watch)
    }
    if let channel = awaited.first.flatMap({ named.underWay[$0.digest] }) {
      fail(
        "\(awaited.count) of \(all.count) objects stay, since a release of '\(channel)' that names them is being "
          + "published; once that has ended, run again; if it was killed, publish to '\(channel)' before", &outcome,
        watch)
    }
  }

  /// What is to be removed with what earlier releases show of it, and written down so: once it is removed, nothing else
  /// tells what caches are to forget.
  private func withOlderCopies(_ manifest: PurgeManifest) throws -> PurgeManifest {
    let copies = try OlderCopies(place, of: manifest.contents, besides: manifest.objects).objects
    if copies.isEmpty { return manifest }
    var manifest = manifest
    manifest.objects += copies
    let key = manifest.pendingKey(place.channel)
    guard try place.target.replace(key, try manifest.file, tagged: try place.target.read(key)?.tag) else {
      throw DeliveryError(.lost, "another command is finishing this purge")
    }
    return manifest
  }

  private func wait(_ gap: Int, _ watch: @escaping Watch) {
    watch(PurgeEvent(step: .waiting(seconds: gap), seconds: seconds))
    surroundings.sleep(gap * 1_000)
    watch(PurgeEvent(step: .waited, seconds: seconds))
  }

  private func readBack(_ outcome: inout Outcome, _ watch: @escaping Watch) {
    let objects = outcome.manifest.objects
    guard let site, !objects.isEmpty, outcome.removed == objects.count else { return }
    watch(PurgeEvent(step: .asking(urls: objects.count), seconds: seconds))
    attempt("public copies cannot be looked for", &outcome, watch) { outcome in
      let (remaining, read) = try site.remaining(of: objects.map(\.key), within: Int64(times.verification) * 1_000)
      outcome.readBack = read
      guard let first = remaining.first else {
        watch(PurgeEvent(step: .gone(urls: objects.count), seconds: seconds))
        return
      }
      let others =
        remaining.count > 1 ? "; \(remaining.count - 1) others of \(objects.count) removed objects do, too" : ""
      fail(first + others, &outcome, watch)
    }
  }

  private func bound(_ outcome: Outcome) -> [(layer: String, seconds: Int)] {
    let caches = outcome.freshSeconds.map { Int($0.rounded(.up)) } ?? 0
    return [("origin", times.origin), ("caches", caches), ("app", times.app), ("offline", times.offline)].filter {
      $0.1 > 0
    }
  }

  /// Writes the manifest in its last form, and takes away the one that said what was left to do.
  private func record(_ outcome: inout Outcome, _ watch: @escaping Watch) {
    attempt("all is done but to write it down", &outcome, watch) { outcome in
      let key = outcome.manifest.key(place.channel)
      guard try isWritten(outcome.manifest, at: key) else {
        throw DeliveryError(.refused, "'\(key)' at \(place.target.name) is of another purge")
      }
      try place.target.remove(outcome.manifest.pendingKey(place.channel))
      try sweep(try PurgeLedger(place, live: try place.live()))
      outcome.isRecorded = true
      watch(PurgeEvent(step: .recorded, seconds: seconds))
    }
  }

  /// Writes a manifest unless it is there, also in the place of one that was cut; `false` if another one is there.
  private func isWritten(_ manifest: PurgeManifest, at key: String) throws -> Bool {
    let file = try manifest.file
    if try place.target.create(key, file) {
      try requireHeld(manifest, at: key)
      return true
    }
    guard let stored = try place.target.read(key) else {
      throw DeliveryError(.lost, "\(place.target.name) has no '\(key)', and yet refuses to make it")
    }
    if let there = try? PurgeManifest(bytes: stored.bytes, at: key) { return there.record == manifest.record }
    return try place.target.replace(key, file, tagged: stored.tag)
  }

  /// Refuses to go on where a manifest is not there that the target says it has taken.
  private func requireHeld(_ manifest: PurgeManifest, at key: String) throws {
    guard try place.target.holds(key, try manifest.file) else {
      throw DeliveryError(.refused, "\(place.target.name) says that it took '\(key)', and does not have it; run again")
    }
  }

  /// Removes files that say what is left to do, where that is nothing.
  package func sweep(_ ledger: PurgeLedger) throws {
    for key in ledger.leftovers { try place.target.remove(key) }
  }

  /// Takes a step; what fails is noted, after what it means.
  private func attempt(
    _ meaning: String, _ outcome: inout Outcome, _ watch: @escaping Watch, _ step: (inout Outcome) throws -> Void
  ) {
    do { try step(&outcome) } catch { fail("\(meaning): \(error)", &outcome, watch) }
  }

  private func fail(_ why: String, _ outcome: inout Outcome, _ watch: @escaping Watch) {
    // A cache that is down is asked three times.
    if !outcome.failures.contains(why) { outcome.failures.append(why) }
    watch(PurgeEvent(step: .failed(why), seconds: seconds))
  }
}
