import ContentCaches
import ContentModel
import ContentReleases
import ContentTargets
import Parallel
import Platform

/// One run of a purge whose release is live: its result so far, and the observer of its steps.
struct PurgeRun {
  let purge: Purge
  var outcome: Purge.Outcome
  private let watch: Purge.Watch

  init(of purge: Purge, for manifest: PurgeManifest, watch: @escaping Purge.Watch) {
    (self.purge, self.watch) = (purge, watch)
    outcome = Purge.Outcome(manifest: manifest)
    outcome.manifest.without = purge.without
  }

  var place: ChannelPlace { purge.place }

  /// Takes the steps of a purge that follow its release, in the order that `Purge` describes.
  mutating func finish(live: LiveRelease) {
    noteLive()
    attempt("objects of the release may be missing") { run in try run.putBackEndangered() }
    let announced = Set(purge.endangered.resent)
    let failures = outcome.failures.count
    for problem in purge.problems { fail(problem) }
    let (isFresh, objectProblem) = announce(format: live.format)
    let arePurged = outcome.failures.count == failures
    // Apps hide the purged content anyway, so its objects are removed in spite of this problem.
    if let objectProblem { fail(objectProblem) }
    attempt("'\(place.channel)/latest' may show purged content") { run in
      try run.purge.extras?.writeLatest(
        live.members, format: live.format, in: run.place.channel)
    }
    if !isFresh { return }
    guard arePurged else {
      return fail(
        "no object is removed, because readers behind a cache that was not purged may still request them"
      )
    }
    let objects = removeObjects()
    purgeFromCaches(objects)
    readBack()
    deliver(purge.endangered.resent.filter { !announced.contains($0) })
    fillManifest(objects, format: live.format)
    if outcome.failures.isEmpty { finishManifest() }
  }

  /// Sends objects again that another command has removed.
  ///
  /// After an interruption, their bytes are lost: then the purge stays unfinished until they are
  /// there again.
  func putBackEndangered() throws {
    let (target, endangered) = (place.target, outcome.manifest.endangered)
    try purge.endangered.putBack(at: place)
    guard !endangered.isEmpty, let live = try place.live() else { return }
    let shown = Set(live.record.objects)
    let missing = try endangered.filter(shown.contains).mapOverlapped { object in
      try target.lists(object.key) ? nil : object
    }
    guard let missing = missing.lazy.compactMap(\.self).first else { return }
    throw DeliveryError(
      .lost,
      "release \(live.number) shows '\(missing.key)', which another command removed from "
        + "\(target.name); 'contentc publish --repair' sends it again")
  }

  /// Purges config in the caches, and returns whether readers get the release, and why they do not get
  /// one of its objects.
  ///
  /// Without a public site, it returns `true`: `requireLive` checks the target before objects are
  /// removed.
  private mutating func announce(
    format: PropertyListFormat
  ) -> (isFresh: Bool, objectProblem: String?) {
    let announcement = ConfigAnnouncement(
      place, caches: purge.caches, site: purge.site, environment: purge.environment)
    let result = announcement.run(
      release: outcome.manifest.release, format: format, returned: returnedObjects,
      sent: purge.endangered.sent,
      times: ConfigAnnouncement.Times(
        cacheDeadline: purge.times.cacheDeadline, verification: purge.times.verification,
        originTimeout: purge.times.originTimeout)
    ) { event in
      tell(event.step)
      if case .fresh = event.step { outcome.freshSeconds = purge.seconds }
      guard case .purged(let results, _) = event.step else { return }
      add(results)
    }
    if let problem = result.problem { fail(problem) }
    return (result.problem == nil, result.objectProblem)
  }

  /// The objects of the release that may have been missing, and that caches may take for missing:
  /// another command may have removed them, or an earlier purge that this one takes back.
  private var returnedObjects: [ReleaseObject] {
    let endangered = Set(outcome.manifest.endangered + purge.endangered.objects)
    return endangered.sorted { $0.digest < $1.digest }
  }

  /// Notes at the target that the purge was live, unless `Purge.begin` has noted it.
  ///
  /// Without the note, only a config restored from an older backup makes a difference.
  private mutating func noteLive() {
    if outcome.manifest.wasLive { return }
    // Another command may already have finished the purge, and removed the file.
    try? outcome.manifest.noteLive(at: place)
    outcome.manifest.wasLive = true
  }

  /// Purges removed objects in the caches, and once more after the origin's longest answer: an
  /// answer under way may have brought them back.
  private mutating func purgeFromCaches(_ objects: [ReleaseObject]) {
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
    for failure in results.compactMap(\.failure) { fail(failure) }
  }

  /// Requests the removed objects as readers do, until no cache has them.
  private mutating func readBack() {
    let objects = outcome.manifest.objects
    guard let site = purge.site, !objects.isEmpty, outcome.removed == objects.count else { return }
    tell(.asking(urls: objects.count))
    let (remaining, gone) = site.remaining(
      of: objects.map(\.key), within: Int64(purge.times.verification) * 1_000)
    outcome.readBack = gone
    guard let first = remaining.first else { return tell(.gone(urls: objects.count)) }
    let others =
      remaining.count > 1
      ? "; \(remaining.count - 1) others of \(objects.count) removed objects do, too" : ""
    fail(first + others)
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
    let lacking = site.lacking(keys, within: Int64(purge.times.verification) * 1_000)
    guard let first = lacking.first else { return tell(.delivered(urls: keys.count)) }
    fail("readers do not get '\(first.key)': \(site.url(of: first.key)) \(first.problem)")
  }

  /// Notes in the manifest what caches were asked to purge, and the bounds of each layer.
  private mutating func fillManifest(_ objects: [ReleaseObject], format: PropertyListFormat) {
    let scopes =
      purge.site.map { site in
        [
          PurgeScope.config(app: place.app, channel: place.channel, format: format, at: site.url),
          .objects(objects.map(\.key), app: place.app, at: site.url),
        ]
      } ?? []
    outcome.manifest.urls = scopes.flatMap(\.urls)
    outcome.manifest.keys = scopes.flatMap(\.keys)
    let times = purge.times
    let caches = outcome.freshSeconds.map { Int($0.rounded(.up)) } ?? 0
    let given = purge.lifetimesWithout.map { (layer: $0.cache, seconds: $0.seconds) }
    outcome.manifest.bound =
      [("origin", times.origin), ("caches", caches)].filter { $0.1 > 0 } + given
      + [("app", times.app), ("offline", times.offline)].filter { $0.1 > 0 }
  }

  /// Writes the final manifest, and removes the one that listed the remaining work.
  private mutating func finishManifest() {
    attempt("the purge is complete, except for its manifest") { run in
      let place = run.place
      let pending = run.outcome.manifest.pendingKey(place.channel)
      try run.requireNoOtherCopies()
      (run.outcome.manifest.wasLive, run.outcome.manifest.endangered) = (false, [])
      // If config was restored from a backup, the file of another purge may have the number: then
      // the purge gets the next one.
      if try !run.writeFinalManifest(at: run.outcome.manifest.key(place.channel)) {
        let live = try place.live()
        run.outcome.manifest.sequence = try PurgeLedger(place, live: live).nextSequence(after: live)
        let key = run.outcome.manifest.key(place.channel)
        guard try run.writeFinalManifest(at: key) else {
          throw DeliveryError(
            .refused,
            "'\(key)' at \(place.target.name) is of another purge; move that file away, and run the same command again"
          )
        }
      }
      try place.target.remove(pending)
      run.outcome.isRecorded = true
      run.tell(.recorded)
    }
    // Files of other purges do not make this one incomplete.
    if outcome.isRecorded { try? purge.sweep(PurgeLedger(place, live: place.live())) }
  }

  /// Writes the manifest unless the target has it, and replaces a damaged file.
  ///
  /// - Returns: `false` if the file is the manifest of another purge.
  private func writeFinalManifest(at key: String) throws -> Bool {
    let file = try outcome.manifest.file
    if try place.target.create(key, as: file) {
      try place.target.requireHeld(file, at: key, otherwise: "run again")
      return true
    }
    guard let stored = try place.target.readAny(key) else {
      throw DeliveryError(
        .lost,
        "\(place.target.name) has no '\(key)', and yet refuses to make it; run the same command again"
      )
    }
    if let existing = try PurgeManifest.read(stored.bytes, at: place.location(of: key)) {
      let own = outcome.manifest
      let isOwn = existing.record == own.record && existing.issued == own.issued
      // In a signed channel, no other purge has this number.
      if try place.signing == nil || isOwn && existing.orderDigest == own.orderDigest {
        return isOwn
      }
    }
    guard try place.target.replace(key, with: file, tagged: stored.tag) else { return false }
    try place.target.requireHeld(file, at: key, otherwise: "run again")
    return true
  }

  /// Reports a step to the observer.
  func tell(_ step: PurgeEvent.Step) {
    watch(PurgeEvent(step: step, seconds: purge.seconds))
  }

  /// Takes a step; its error is noted as a failure, after the meaning of that failure.
  mutating func attempt(_ meaning: String, step: (inout PurgeRun) throws -> Void) {
    do { try step(&self) } catch { fail("\(meaning): \(error)") }
  }

  mutating func fail(_ reason: String) {
    // A cache that is down fails three times.
    if !outcome.failures.contains(reason) { outcome.failures.append(reason) }
    tell(.failed(reason))
  }
}
