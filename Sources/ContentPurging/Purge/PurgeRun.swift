import ContentCaches
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import System

/// One run of a purge whose release is live: its result so far, and the observer of its steps.
struct PurgeRun {
  let purge: Purge
  var outcome: Purge.Outcome
  private let watch: Purge.Watch

  /// The indexes of the caches that did not confirm a purge.
  private var failedCaches: Set<Int> = []

  init(of purge: Purge, for known: KnownPurge, watch: @escaping Purge.Watch) {
    (self.purge, self.watch) = (purge, watch)
    outcome = Purge.Outcome(known: known, objects: known.begun.objects, without: purge.without)
  }

  var place: ChannelPlace { purge.place }
  var begun: Begun { outcome.begun }

  /// Takes the steps of a purge that follow its release, in the order and with the numbers that `Purge`
  /// describes.
  mutating func finish(live: LiveRelease) {
    // Step 2: the note, in case `Purge.begin` could not write it. Without the note, only a config
    // restored from an older backup makes a difference.
    try? place.noteLive(&outcome.known.listed, by: live)
    // Step 3
    attempt(orFail: "objects of the release may be missing") { run in try run.putBackEndangered() }
    let announced = Set(purge.endangered.resent)
    // Step 4
    let (isFresh, arePurged) = purgeConfig(
      release: ReleaseRecord.Identity(number: begun.release, record: begun.record),
      format: live.format, returned: returnedObjects,
      sent: purge.endangered.sent + outcome.known.atRisk)
    // Step 5
    attempt(orFail: "'\(place.channel)/latest' may show purged content") { run in
      // Another release may have followed while caches were told.
      try run.place.target.exclusively {
        guard let now = try run.place.live(known: live.record) else { return }
        try run.purge.extras?.writeLatest(now.members, format: now.format, in: run.place.channel)
      }
    }
    // Step 6
    if !isFresh { return }
    guard arePurged else {
      return fail(
        "no object is removed, because readers behind a cache that was not purged may still request them"
      )
    }
    let objects = removeObjects()
    // Step 7
    purgeObjects(objects)
    // Step 8. While an object is still at the target, caches can load it again. They count as purged only
    // if all objects are gone.
    if outcome.allAreRemoved, readBack(outcome.objects) { noteCaches(of: [outcome.known]) }
    deliver(purge.endangered.resent.filter { !announced.contains($0) })
    // Step 9
    if outcome.failures.isEmpty { noteDone(objects, format: live.format) }
  }

  /// Sends objects again that another command has removed.
  ///
  /// After an interruption, their bytes are lost: then the purge stays unfinished until they are
  /// there again.
  func putBackEndangered() throws {
    let (target, atRisk) = (place.target, outcome.known.atRisk)
    try purge.endangered.putBack(at: place)
    guard !atRisk.isEmpty, let live = try place.live() else { return }
    let shown = Set(live.record.objects)
    let missing = try atRisk.filter(shown.contains).mapOverlapped { object in
      try target.lists(object.key) ? nil : object
    }
    guard let missing = missing.lazy.compactMap(\.self).first else { return }
    throw DeliveryError(
      .lost,
      "release \(live.number) shows '\(missing.key)', which another command removed from "
        + "\(target.name); 'contentc publish --repair' sends it again")
  }

  /// Purges config in the caches, and notes each problem as a failure.
  ///
  /// - Returns: Whether readers get the release, and whether every cache was purged. Without a
  ///   public site, the first value is `true`: `requireLive` checks the target before objects are
  ///   removed.
  mutating func purgeConfig(
    release: ReleaseRecord.Identity, format: PropertyListFormat, returned: [ReleaseObject] = [],
    sent: [ReleaseObject] = []
  ) -> (isFresh: Bool, arePurged: Bool) {
    for problem in purge.problems { fail(problem) }
    let announcement = ConfigAnnouncement(
      place, caches: purge.caches, site: purge.site, environment: purge.environment)
    let result = announcement.run(
      release: release, format: format, returned: returned, sent: sent,
      times: ConfigAnnouncement.Times(
        cacheDeadline: purge.times.cacheDeadline, verification: verification,
        originTimeout: purge.times.originTimeout)
    ) { event in
      tell(event.step)
      if case .fresh = event.step { outcome.freshSeconds = purge.seconds }
      guard case .purged(let results, _) = event.step else { return }
      add(results)
    }
    if let problem = result.problem { fail(problem) }
    // Apps hide the purged content anyway, so its objects are removed in spite of this problem.
    if let problem = result.objectProblem { fail(problem) }
    return (result.problem == nil, result.failures.isEmpty && purge.problems.isEmpty)
  }

  /// The limit until readers get the right files, in seconds.
  ///
  /// It is 0 if no cache can be purged, because a setting or a credential is missing: readers then get
  /// the right files only once the caches' copies expire.
  private var verification: Int {
    purge.caches.isEmpty && !purge.problems.isEmpty ? 0 : purge.times.verification
  }

  /// The objects of the release that may have been missing, and that caches may take for missing:
  /// another command may have removed them, or an earlier purge that this one takes back.
  private var returnedObjects: [ReleaseObject] {
    let all = Set(begun.returned + purge.endangered.objects)
    return all.sorted { $0.digest < $1.digest }
  }

  /// Purges removed objects in the caches, and once more after the origin's longest answer: an
  /// answer under way may have brought them back.
  mutating func purgeObjects(_ objects: [ReleaseObject]) {
    guard let site = purge.site, !purge.caches.isEmpty, !objects.isEmpty else { return }
    let scopes = [PurgeScope.objects(objects.map(\.key), app: place.app, at: site.url)]
    purgeCaches(scopes, what: "removed objects")
    let gap = max(purge.times.originTimeout, purge.caches.gapSeconds(scopes))
    tell(.waiting(seconds: gap))
    purge.environment.sleep(gap * 1_000)
    tell(.waited)
    purgeCaches(scopes, what: "removed objects again")
  }

  private mutating func purgeCaches(_ scopes: [PurgeScope], what: String) {
    tell(.purging(purge.caches.plan(scopes), what: what))
    let results = purge.caches.run(scopes, deadlineSeconds: purge.times.cacheDeadline)
    tell(.purged(results, what: what))
    add(results)
  }

  private mutating func add(_ results: [CachePurge.Outcome]) {
    outcome.caches += results
    for (index, result) in results.enumerated() {
      guard let failure = result.failure else { continue }
      failedCaches.insert(index)
      fail(failure)
    }
  }

  /// Notes the caches that confirmed every purge of config and of the objects of some purges.
  mutating func noteCaches(of purges: [KnownPurge]) {
    if purge.site == nil { return }
    let failed = purge.layers.indices.filter(failedCaches.contains).map { purge.layers[$0] }
    // Caches with equal settings are one cache.
    let layers = purge.layers.filter { !failed.contains($0) }
    attempt(orFail: "the purge is not noted for every cache") { run in
      let (place, issued) = (run.place, run.now)
      _ = try purges.mapOverlapped { purge in
        var listed = purge.listed
        let copies = listed.notes.copies
        for layer in layers {
          let note = try PurgeNote.cache(layer, after: copies)
          if listed.notes.contains(note) { continue }
          let content = CacheNote(cache: layer.name, issued: issued, copies: copies)
          try place.put(note, content.file, of: &listed)
        }
      }
    }
  }

  var now: Instant { Instant(secondsSince1970: purge.environment.now()) }

  /// Requests removed objects as readers do, until no cache has them.
  ///
  /// The caller notes caches only after this check: a cache may confirm a purge and still keep a
  /// copy.
  ///
  /// - Returns: Whether no cache has the objects, as far as readers can see.
  mutating func readBack(_ objects: [ReleaseObject]) -> Bool {
    guard let site = purge.site, !objects.isEmpty else { return true }
    tell(.asking(urls: objects.count))
    let (remaining, gone) = site.remaining(
      of: objects.map(\.key), within: Int64(verification) * 1_000)
    outcome.readBack = gone
    guard let first = remaining.first else {
      tell(.gone(urls: objects.count))
      return true
    }
    let others =
      remaining.count > 1
      ? "; \(remaining.count - 1) others of \(objects.count) removed objects do, too" : ""
    fail(first + others)
    return false
  }

  /// Purges objects that were sent again during the removal, and requests them: readers may have asked
  /// for them while they were missing.
  private mutating func deliver(_ resent: [ReleaseObject]) {
    let keys = resent.map(\.key)
    guard let site = purge.site, !keys.isEmpty else { return }
    if !purge.caches.isEmpty {
      purgeCaches(
        [PurgeScope.objects(keys, app: place.app, at: site.url)],
        what: "objects that were sent again")
    }
    let lacking = site.lacking(keys, within: Int64(verification) * 1_000)
    guard let first = lacking.first else { return tell(.delivered(urls: keys.count)) }
    fail("readers do not get '\(first.key)': \(site.url(of: first.key)) \(first.problem)")
  }

  /// Notes that the purge is done, unless another command has found more copies.
  private mutating func noteDone(_ objects: [ReleaseObject], format: PropertyListFormat) {
    attempt(orFail: "the purge is complete, except for the note that says so") { run in
      let (place, copies) = (run.place, run.outcome.known.listed.notes.copies)
      try place.relist(&run.outcome.known.listed)
      guard run.outcome.known.listed.notes.copies == copies else {
        throw DeliveryError(
          .lost, "another command has found more copies; run the same command again")
      }
      let note = run.doneNote(objects, copies: copies, format: format)
      try place.put(.done(naming: copies), note.file, of: &run.outcome.known.listed)
      run.outcome.isRecorded = true
      run.tell(.recorded)
    }
  }

  private func doneNote(
    _ objects: [ReleaseObject], copies: [PurgeNote], format: PropertyListFormat
  ) -> DoneNote {
    let scopes =
      purge.site.map { site in
        [
          PurgeScope.config(app: place.app, channel: place.channel, format: format, at: site.url),
          .objects(objects.map(\.key), app: place.app, at: site.url),
        ]
      } ?? []
    let times = purge.times
    let caches = outcome.freshSeconds.map { Int($0.rounded(.up)) } ?? 0
    let bound =
      [("origin", times.origin), ("caches", caches)]
      + purge.lifetimesWithout.map { ($0.cache, $0.seconds) }
      + [("app", times.app), ("offline", times.offline)]
    return DoneNote(
      issued: now, copies: copies, caches: purge.layers.map { $0.name.rawValue }.distinct,
      without: outcome.without,
      bound: bound.filter { $0.1 > 0 }.map { DoneNote.Bound(layer: $0.0, seconds: $0.1) },
      urls: scopes.flatMap(\.urls), keys: scopes.flatMap(\.keys),
      kept: outcome.kept.map(\.object.digest))
  }

  /// Reports a step to the observer.
  func tell(_ step: PurgeEvent.Step) {
    watch(PurgeEvent(step: step, seconds: purge.seconds))
  }

  /// Takes a step; if it throws, notes a failure with the error.
  mutating func attempt(orFail failure: String, step: (inout PurgeRun) throws -> Void) {
    do { try step(&self) } catch { fail("\(failure): \(error)") }
  }

  mutating func fail(_ reason: String) {
    // A cache that is down fails three times.
    if outcome.failures.contains(where: reason.hasSameBytes) { return }
    outcome.failures.append(reason)
    tell(.failed(reason))
  }
}
