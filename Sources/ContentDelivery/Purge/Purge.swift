import ContentModel

/// Takes something away from every reader of a channel, caches and apps included.
///
/// The order keeps readers safe and makes each step final: (1) what is to be done is written down, (2) the release without
/// it goes live, (3) caches forget config, until readers are seen to get the new one, (4) only then the objects are removed
/// at the target, and caches forget them, (5) once the longest answer of the origin has come that was on its way, all caches
/// forget again, (6) what is public is read back, (7) the manifest is written. Whatever ends it, `finish` goes on from there.
package struct Purge: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  /// `nil` where the project does not say what apps ask for.
  let site: PublicSite?
  let surroundings: Surroundings
  let times: Times
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
    /// Objects that are public still, since another channel shows them.
    package var kept: [ReleaseObject] = []
    /// Seconds from the command until readers were seen to get the release; `nil` if they were not.
    package var freshSeconds: Double?
    /// URLs that were read back and have nothing any more.
    package var readBack = 0
    package var caches: [CachePurge.Outcome] = []
  }

  private var seconds: Double { Double(surroundings.milliseconds() - start) / 1_000 }

  /// Publishes the release without it; from now on `finish` can go on.
  ///
  /// - Throws: what publishing throws; then nothing has changed for readers.
  package func begin(
    _ order: PurgeOrder, _ plan: PurgePlan, after live: LiveRelease, _ publisher: Publisher, watch: Watch
  ) throws -> PurgeManifest {
    var manifest: PurgeManifest?
    let sequence = (live.purge?["sequence"]?.number ?? 0) + 1
    let outcome = try publisher.publish(
      known: live,
      beforeSwap: { record in
        let begun = PurgeManifest(
          sequence: sequence, issued: record.issued ?? publisher.now(), release: record.number, record: record.digest,
          order: order, plan: plan)
        guard try place.target.create(begun.pendingKey(place.channel), try begun.file) else {
          throw DeliveryError(
            .lost, "another purge has just begun in '\(place.channel)'; nothing was changed; run again")
        }
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
  package func finish(_ manifest: PurgeManifest, live: LiveRelease, watch: Watch) throws -> Outcome {
    var outcome = Outcome(manifest: manifest)
    let config = place.configKey(live.format)
    let configScope = scope([config], key: "\(place.app)-\(place.channel)-config")
    purge([configScope], "config", &outcome, watch)
    guard isFresh(manifest.release, config, configScope, &outcome, watch) else { return outcome }
    // What only removed entries show is safe to remove now: nobody is told of it any more.
    let objects = try removeObjects(&outcome, watch)
    let objectScope = scope(objects.map(\.key), key: "\(place.app)-objects")
    let began = surroundings.milliseconds()
    purge([objectScope], "removed objects", &outcome, watch)
    if hasCaches {
      wait(until: began + Int64(times.originTimeout) * 1_000, watch)
      purge([configScope, objectScope], "everything again", &outcome, watch)
      _ = isFresh(manifest.release, config, configScope, &outcome, watch)
    }
    try readBack(objects, &outcome, watch)
    outcome.manifest.urls = configScope.urls + objectScope.urls
    outcome.manifest.keys = configScope.urls.isEmpty ? [] : configScope.keys + objectScope.keys
    outcome.manifest.bound = bound(outcome)
    if outcome.failures.isEmpty { try record(outcome.manifest, watch) }
    return outcome
  }

  private var hasCaches: Bool { site != nil && !caches.isEmpty }

  private func scope(_ keys: [String], key: String) -> PurgeScope {
    PurgeScope(
      urls: site.map { site in keys.map(site.url(of:)) } ?? [], keys: [key],
      prefix: site.map { "\($0.url)/\(keys.first?.prefix { $0 != "/" } ?? "objects")/" } ?? "")
  }

  private func purge(_ scopes: [PurgeScope], _ what: String, _ outcome: inout Outcome, _ watch: Watch) {
    let scopes = scopes.filter { !$0.urls.isEmpty }
    if !hasCaches || scopes.isEmpty { return }
    let results = caches.run(scopes, deadlineSeconds: times.cacheDeadline)
    outcome.caches += results
    watch(PurgeEvent(step: .purged(results, what: what), seconds: seconds))
    for failure in results.compactMap(\.failure) { fail(failure, &outcome, watch) }
  }

  /// Whether readers are seen to get a release; where there is nowhere to look, the target's word is taken.
  ///
  /// An answer that was under way may have been kept after a purge: caches are told again, at growing intervals.
  private func isFresh(
    _ release: Int, _ config: String, _ scope: PurgeScope, _ outcome: inout Outcome, _ watch: Watch
  ) -> Bool {
    guard let site else { return true }
    let end = surroundings.milliseconds() + Int64(times.verification) * 1_000
    var patience: Int64 = outcome.failures.isEmpty && hasCaches ? 500 : Int64(times.verification) * 1_000
    while let problem = site.problem(showing: release, at: config, within: patience) {
      let left = end - surroundings.milliseconds()
      guard left > 0 else {
        fail(problem, &outcome, watch)
        return false
      }
      if outcome.failures.isEmpty { purge([scope], "config once more", &outcome, watch) }
      patience = min(patience * 2, left)
    }
    if outcome.freshSeconds == nil {
      outcome.freshSeconds = seconds
      watch(PurgeEvent(step: .fresh(url: site.url(of: config)), seconds: seconds))
    }
    return true
  }

  /// Removes what no live release of any channel at the target names.
  private func removeObjects(_ outcome: inout Outcome, _ watch: Watch) throws -> [ReleaseObject] {
    let copies = try OlderCopies(place, outcome.manifest).objects
    let known = Set(outcome.manifest.objects)
    outcome.manifest.objects += copies.filter { !known.contains($0) }
    let named = try Prune.liveObjects(at: place.target)
    let (kept, gone) = (
      outcome.manifest.objects.filter { named.contains($0.digest) },
      outcome.manifest.objects.filter { !named.contains($0.digest) }
    )
    _ = try gone.mapOverlapped { [place] object in try place.target.remove(object.key) }
    (outcome.manifest.objects, outcome.kept) = (gone, kept)
    watch(PurgeEvent(step: .removed(gone.count, kept: kept.count), seconds: seconds))
    return gone
  }

  private func wait(until moment: Int64, _ watch: Watch) {
    let left = moment - surroundings.milliseconds()
    if left > 0 { surroundings.sleep(Int(left)) }
    watch(PurgeEvent(step: .waited, seconds: seconds))
  }

  private func readBack(_ objects: [ReleaseObject], _ outcome: inout Outcome, _ watch: Watch) throws {
    guard let site, !objects.isEmpty else { return }
    let (remaining, read) = try site.remaining(of: objects.map(\.key), within: Int64(times.verification) * 1_000)
    outcome.readBack = read
    if let first = remaining.first {
      let others = remaining.count > 1 ? " and \(remaining.count - 1) others are" : " is"
      fail("\(first)\(others) still there", &outcome, watch)
    } else {
      watch(PurgeEvent(step: .gone(urls: objects.count), seconds: seconds))
    }
  }

  private func bound(_ outcome: Outcome) -> [(layer: String, seconds: Int)] {
    let caches = outcome.freshSeconds.map { Int($0.rounded(.up)) } ?? 0
    return [("origin", times.origin), ("caches", caches), ("app", times.app), ("offline", times.offline)].filter {
      $0.1 > 0
    }
  }

  /// Writes the manifest in its last form, and takes away the one that said what was left to do.
  private func record(_ manifest: PurgeManifest, _ watch: Watch) throws {
    let key = manifest.key(place.channel)
    guard
      try place.target.create(key, try manifest.file) || place.target.holds(key, try manifest.file)
        || isRecorded(manifest, key)
    else { throw DeliveryError(.refused, "'\(key)' at \(place.target.name) is of another purge") }
    try place.target.remove(manifest.pendingKey(place.channel))
    watch(PurgeEvent(step: .recorded, seconds: seconds))
  }

  private func isRecorded(_ manifest: PurgeManifest, _ key: String) throws -> Bool {
    guard let stored = try place.target.read(key) else { return false }
    return try PurgeManifest(bytes: stored.bytes, at: key).record == manifest.record
  }

  private func fail(_ why: String, _ outcome: inout Outcome, _ watch: Watch) {
    outcome.failures.append(why)
    watch(PurgeEvent(step: .failed(why), seconds: seconds))
  }
}
