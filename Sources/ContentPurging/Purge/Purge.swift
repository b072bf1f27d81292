import ContentTargets
package import ContentCaches
import ContentModel
package import ContentReleases
package import Platform

/// Takes something away from every reader of a channel, caches and apps included.
///
/// The order keeps readers safe and makes each step final: (1) the work is written down, (2) the
/// release without the content becomes live, (3) caches forget config, until readers get the new
/// one, (4) after the longest answer time of the origin, caches forget config again, (5) if every
/// cache was purged, the objects are removed at the target, and caches forget them, now and after
/// the origin's longest answer, (6) the public files are read back, (7) the manifest is written.
/// After an interruption, `finish` repeats the steps from (3) on; each of them may run again.
package struct Purge: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  /// `nil` where the project does not say what apps ask for.
  let site: PublicSite?
  let surroundings: RequestEnvironment
  let times: Times
  /// The extra files of a folder, whose names are updated, too.
  package var extras: FolderExtras?
  /// Why some caches cannot be told at all, as sentences: a purge is not finished while there are
  /// any.
  package var problems: [String] = []
  /// Caches that are given up: they are not told, and the purge is finished without them.
  package var without: [String] { lifetimesWithout.map(\.cache) }
  /// The same, with the seconds for which each may go on serving what it has.
  package var lifetimesWithout: [(cache: String, seconds: Int)] = []
  let endangered = EndangeredObjects()
  private let start: Int64

  /// The time limits and lifetimes, in seconds.
  package struct Times: Sendable {
    /// The longest that the origin may take to answer.
    package var originTimeout: Int
    /// The limit for each cache.
    package var cacheDeadline = 300
    /// The limit until readers get the right files.
    package var verification = 30
    /// The lifetime of config at a reader, and at the origin.
    package var app: Int
    package var origin: Int
    /// The time for which content may be shown without a connection.
    package var offline: Int

    package init(originTimeout: Int, app: Int, origin: Int, offline: Int) {
      (self.originTimeout, self.app, self.origin, self.offline) = (
        originTimeout, app, origin, offline
      )
    }
  }

  package init(
    _ place: ChannelPlace, caches: CachePurge, site: PublicSite?, times: Times,
    surroundings: RequestEnvironment
  ) {
    (self.place, self.caches, self.site, self.times) = (place, caches, site, times)
    self.surroundings = surroundings
    start = surroundings.milliseconds()
  }

  package typealias Watch = (PurgeEvent) -> Void

  /// The result of a purge.
  package struct Outcome: Sendable {
    package var manifest: PurgeManifest
    /// The failures, which the next run repeats; empty if all was done.
    package var failures: [String] = []
    /// Objects that are public still, since live releases of some channels show them, which are
    /// named.
    package var kept: [(object: ReleaseObject, channels: [String])] = []
    /// Seconds from the command until readers were seen to get the release; `nil` if they were not.
    package var freshSeconds: Double?
    /// The number of objects removed at the target; `nil` if none was tried, since readers may
    /// still request them.
    package var removed: Int?
    /// URLs that were read back and have nothing any more.
    package var readBack = 0
    package var caches: [CachePurge.Outcome] = []
    /// `true` if the manifest is written, which ends the purge.
    package var isRecorded = false
    /// Warnings about files that are foreign or unreadable, as sentences.
    package var warnings: [String] = []
  }

  var seconds: Double { Double(surroundings.milliseconds() - start) / 1_000 }

  /// Publishes the release without it; from now on `finish` can go on.
  ///
  /// Does not wait for a command that removes objects: see `EndangeredObjects`. If another release
  /// becomes live meanwhile, `replan` plans the purge for that one. If it finds no work, the result
  /// is `nil`.
  ///
  /// - Throws: what publishing throws; then nothing has changed for readers.
  package func begin(
    _ order: PurgeOrder, _ plan: PurgePlan, after live: LiveRelease, _ publisher: Publisher,
    watch: @escaping Watch,
    replan: (LiveRelease) throws -> (order: PurgeOrder, plan: PurgePlan)?
  ) throws -> PurgeManifest? {
    var planned = (live: live, order: order, plan: plan)
    do {
      return try publisher.retryingLostSwaps(after: live) { live in
        var (manifest, sequence) = (PurgeManifest?.none, 0)
        let outcome = try publisher.publish(
          known: live, endangered: endangered,
          beforeSwap: { record in
            let begun = PurgeManifest(
              sequence: sequence, issued: record.issued ?? publisher.now(), release: record.number,
              record: record.digest, order: planned.order, plan: planned.plan)
            guard try place.target.create(begun.pendingKey(place.channel), try begun.file) else {
              throw DeliveryError(
                .lost,
                "another purge has just begun in '\(place.channel)'; nothing was changed; run again"
              )
            }
            try place.target.requireHeld(
              begun.pendingKey(place.channel), begun.file, "nothing was changed; run again")
            manifest = begun
          }
        ) { now in
          guard let now else {
            throw DeliveryError(
              .refused,
              "config of '\(place.channel)' was removed; nothing was changed; publish first")
          }
          if now.record.digest != planned.live.record.digest {
            guard let new = try replan(now) else { throw NothingLeft() }
            planned = (now, new.order, new.plan)
          }
          // The live release decides, which may be that of a purge that was faster.
          sequence = try PurgeManifest.nextSequence(place, after: now)
          return Draft(
            content: planned.plan.content, of: planned.plan.of,
            message: "purge \(sequence): \(order.reason)",
            by: order.by,
            purged: Draft.Purged(
              entries: planned.plan.entries.map(\.id), objects: planned.plan.gone.map(\.digest),
              sequence: sequence))
        }
        guard case .released(let record, _) = outcome, let manifest else {
          throw DeliveryError(.lost, "the purge was not published; run again")
        }
        watch(PurgeEvent(step: .published(release: record.number), seconds: seconds))
        return manifest
      }
    } catch is NothingLeft { return nil }
  }

  /// Another release took away what was to be purged.
  private struct NothingLeft: Error {}

  /// Finishes a purge whose release is live.
  ///
  /// A step that fails is noted, and what does not depend on it is done all the same.
  package func finish(_ manifest: PurgeManifest, live: LiveRelease, watch: @escaping Watch)
    -> Outcome
  {
    var outcome = Outcome(manifest: manifest)
    outcome.manifest.without = without
    attempt("objects of the release may be missing", &outcome, watch) { _ in
      try endangered.putBack(at: place.target)
    }
    for problem in problems { fail(problem, &outcome, watch) }
    let isFresh = announce(manifest.release, live.format, &outcome, watch)
    let isTold = outcome.failures.isEmpty
    attempt("'\(place.channel)/latest' may show purged content", &outcome, watch) { _ in
      try extras?.writeLatest(live.members, live.format, in: place.channel)
    }
    if !isFresh { return outcome }
    guard isTold else {
      fail(
        "no object is removed, because readers behind a cache that was not purged may still request them",
        &outcome, watch)
      return outcome
    }
    let objects = removeObjects(&outcome, watch)
    forget(objects, &outcome, watch)
    readBack(&outcome, watch)
    let scopes =
      site.map { site in
        [
          PurgeScope.config(
            app: place.app, channel: place.channel, format: live.format, at: site.url),
          .objects(objects.map(\.key), app: place.app, at: site.url),
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
    let announcement = ConfigAnnouncement(
      place, caches: caches, site: site, surroundings: surroundings)
    let told = announcement.run(
      release: release, format: format,
      times: ConfigAnnouncement.Times(
        cacheDeadline: times.cacheDeadline, verification: times.verification,
        originTimeout: times.originTimeout)
    ) { event in
      watch(PurgeEvent(step: event.step, seconds: seconds))
      if case .fresh = event.step { outcome.freshSeconds = seconds }
      if case .purged(let results, _) = event.step { note(results, &outcome, watch) }
    }
    if let problem = told.problem { fail(problem, &outcome, watch) }
    return told.problem == nil
  }

  /// Makes caches forget what was removed, and once more what an answer that was on its way has
  /// brought back.
  private func forget(
    _ objects: [ReleaseObject], _ outcome: inout Outcome, _ watch: @escaping Watch
  ) {
    guard let site, !caches.isEmpty, !objects.isEmpty else { return }
    let scopes = [PurgeScope.objects(objects.map(\.key), app: place.app, at: site.url)]
    for what in ["removed objects", "removed objects again"] {
      watch(PurgeEvent(step: .purging(caches.plan(scopes), what: what), seconds: seconds))
      let results = caches.run(scopes, deadlineSeconds: times.cacheDeadline)
      watch(PurgeEvent(step: .purged(results, what: what), seconds: seconds))
      note(results, &outcome, watch)
      if what == "removed objects" {
        wait(max(times.originTimeout, caches.gapSeconds(scopes)), watch)
      }
    }
  }

  private func note(
    _ results: [CachePurge.Outcome], _ outcome: inout Outcome, _ watch: @escaping Watch
  ) {
    outcome.caches += results
    for failure in results.compactMap(\.failure) { fail(failure, &outcome, watch) }
  }

  /// Adds copies in earlier releases to the objects to remove, and writes that down.
  ///
  /// Once they are removed, nothing else tells what caches are to forget.
  func adding(_ copies: [ReleaseObject], to manifest: PurgeManifest) throws -> PurgeManifest {
    if copies.isEmpty { return manifest }
    var manifest = manifest
    manifest.objects += copies
    let key = manifest.pendingKey(place.channel)
    guard try place.target.replace(key, try manifest.file, tagged: try place.target.read(key)?.tag)
    else {
      throw DeliveryError(
        .lost, "another command is finishing this purge; run the same command again")
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
      let (remaining, read) = try site.remaining(
        of: objects.map(\.key), within: Int64(times.verification) * 1_000)
      outcome.readBack = read
      guard let first = remaining.first else {
        watch(PurgeEvent(step: .gone(urls: objects.count), seconds: seconds))
        return
      }
      let others =
        remaining.count > 1
        ? "; \(remaining.count - 1) others of \(objects.count) removed objects do, too" : ""
      fail(first + others, &outcome, watch)
    }
  }

  private func bound(_ outcome: Outcome) -> [(layer: String, seconds: Int)] {
    let caches = outcome.freshSeconds.map { Int($0.rounded(.up)) } ?? 0
    let given = lifetimesWithout.map { (layer: $0.cache, seconds: $0.seconds) }
    return [("origin", times.origin), ("caches", caches)].filter { $0.1 > 0 } + given
      + [("app", times.app), ("offline", times.offline)].filter { $0.1 > 0 }
  }

  /// Writes the manifest in its last form, and takes away the one that said what was left to do.
  private func record(_ outcome: inout Outcome, _ watch: @escaping Watch) {
    attempt("all is done but to write it down", &outcome, watch) { outcome in
      let pending = outcome.manifest.pendingKey(place.channel)
      // Another file may have taken its number, if config was restored from a backup: then it gets
      // the next one.
      if try !isWritten(outcome.manifest, at: outcome.manifest.key(place.channel)) {
        outcome.manifest.sequence = try PurgeManifest.nextSequence(place, after: try place.live())
        let key = outcome.manifest.key(place.channel)
        guard try isWritten(outcome.manifest, at: key) else {
          throw DeliveryError(
            .refused,
            "'\(key)' at \(place.target.name) is of another purge; move that file away, and run the same command again"
          )
        }
      }
      try place.target.remove(pending)
      try sweep(try PurgeLedger(place, live: try place.live()))
      outcome.isRecorded = true
      watch(PurgeEvent(step: .recorded, seconds: seconds))
    }
  }

  /// Writes a manifest unless it is there, also in the place of one that was cut; `false` if
  /// another one is there.
  private func isWritten(_ manifest: PurgeManifest, at key: String) throws -> Bool {
    let file = try manifest.file
    if try place.target.create(key, file) {
      try place.target.requireHeld(key, file, "run again")
      return true
    }
    guard let stored = try place.target.readAny(key) else {
      throw DeliveryError(
        .lost,
        "\(place.target.name) has no '\(key)', and yet refuses to make it; run the same command again"
      )
    }
    if let there = try? PurgeManifest(bytes: stored.bytes, at: key) {
      return there.record == manifest.record
    }
    return try place.target.replace(key, file, tagged: stored.tag)
  }

  /// Removes the files of unfinished work where none is left.
  package func sweep(_ ledger: PurgeLedger) throws {
    for key in ledger.leftovers { try place.target.remove(key) }
  }

  /// Takes a step; what fails is noted, after what it means.
  func attempt(
    _ meaning: String, _ outcome: inout Outcome, _ watch: @escaping Watch,
    _ step: (inout Outcome) throws -> Void
  ) {
    do { try step(&outcome) } catch { fail("\(meaning): \(error)", &outcome, watch) }
  }

  func fail(_ why: String, _ outcome: inout Outcome, _ watch: @escaping Watch) {
    // A cache that is down is asked three times.
    if !outcome.failures.contains(why) { outcome.failures.append(why) }
    watch(PurgeEvent(step: .failed(why), seconds: seconds))
  }
}
