package import ContentCaches
package import ContentModel
package import ContentReleases
package import System

/// Purges a channel's config in all caches after a new release, and reads back the config that
/// readers get.
package struct ConfigAnnouncement: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  let site: PublicSite?
  let environment: RequestEnvironment

  /// Creates an announcement; `site` is `nil` if the project does not name the public address.
  package init(
    _ place: ChannelPlace, caches: CachePurge, site: PublicSite?, environment: RequestEnvironment
  ) {
    (self.place, self.caches, self.site, self.environment) = (place, caches, site, environment)
  }

  /// The time limits, in seconds.
  package struct Times: Sendable {
    /// The limit for each cache.
    package var cacheDeadline: Int
    /// The limit until readers get the release.
    package var verification: Int
    /// The longest answer time of the origin; `nil` if caches are purged only once.
    ///
    /// After this time, caches are purged again: an answer under way may have brought back old
    /// bytes.
    package var originTimeout: Int?

    package init(cacheDeadline: Int, verification: Int, originTimeout: Int? = nil) {
      (self.cacheDeadline, self.verification, self.originTimeout) = (
        cacheDeadline, verification, originTimeout
      )
    }
  }

  /// The result of an announcement.
  package struct Outcome: Sendable {
    /// The results at the caches, one for each purge.
    package var caches: [CachePurge.Outcome] = []
    /// The reason for which readers do not get the release; `nil` if they do, or if no public
    /// address is known.
    package var problem: String?
    /// The reason for which readers do not get an object of the release; `nil` if they get those
    /// that were requested, or if no public address is known.
    package var objectProblem: String?
    /// The seconds until readers got the release; `nil` if they did not.
    package var freshSeconds: Double?

    package init() {}

    /// The reasons for which caches may still hold old bytes, as sentences without secrets.
    package var failures: [String] { caches.compactMap(\.failure) }
  }

  /// Purges the caches, then reads config as apps do; `watch` receives each step.
  ///
  /// Without a public address, it does neither.
  ///
  /// - Parameters:
  ///   - release: The release that readers must get, unless a later one of the target is live.
  ///   - format: The format of config.
  ///   - returned: The objects of the release that were missing at the target, although a release or
  ///     a purge named them. Caches may remember that they were missing, and are purged of them.
  ///   - sent: The objects that were sent for the release. Each is requested, and purged if readers
  ///     do not get it.
  ///   - times: The time limits.
  ///   - watch: Receives each step.
  /// - Returns: The results at the caches, and the problems of readers.
  package func run(
    release: ReleaseRecord.Identity, format: PropertyListFormat, returned: [ReleaseObject] = [],
    sent: [ReleaseObject] = [], times: Times, watch: (PurgeEvent) -> Void = { _ in }
  ) -> Outcome {
    guard let site else { return Outcome() }
    var round = Round(
      announcement: self, site: site, key: place.configKey(format), release: release,
      scope: .config(app: place.app, channel: place.channel, format: format, at: site.url),
      returned: returned.map(\.key), requested: (returned + sent).map(\.key).distinct,
      times: times,
      start: environment.milliseconds())
    // Before config, so that readers who get the release find its objects.
    round.purge(round.returned, watch: watch)
    if !caches.isEmpty { round.purge("config", watch: watch) }
    let purged = environment.milliseconds()
    round.look(seconds: times.verification, watch: watch)
    round.lookAtObjects(seconds: min(times.verification, 5), watch: watch)
    if !caches.isEmpty, let timeout = times.originTimeout {
      let gap = max(timeout, caches.gapSeconds([round.scope]))
      round.wait(until: purged + Int64(gap) * 1_000, watch: watch)
      round.purge(round.returned, watch: watch)
      round.purge("config again", watch: watch)
      // After a failed look, one more request is enough.
      round.look(seconds: round.outcome.problem == nil ? times.verification : 0, watch: watch)
      if !round.returned.isEmpty || round.outcome.objectProblem != nil {
        round.lookAtObjects(seconds: times.verification, watch: watch)
      }
    }
    // Only the last look counts: a cache may have stored an answer under way after an earlier one.
    if !returned.isEmpty, round.outcome.objectProblem == nil {
      watch(round.event(.delivered(urls: returned.count)))
    }
    return round.outcome
  }

  /// One run of an announcement, with its result so far.
  private struct Round {
    let announcement: ConfigAnnouncement
    let site: PublicSite
    let key: String
    let release: ReleaseRecord.Identity
    let scope: PurgeScope
    /// The keys of the objects that caches may take for missing.
    let returned: [String]
    /// The keys of the objects that are requested.
    let requested: [String]
    let times: Times
    let start: Int64
    var outcome = Outcome()
    /// `true` once the observer knows why readers do not get the release.
    var isLagging = false

    private var now: Int64 { announcement.environment.milliseconds() }

    func event(_ step: PurgeEvent.Step) -> PurgeEvent {
      PurgeEvent(step: step, seconds: Double(now - start) / 1_000)
    }

    mutating func purge(_ what: String, watch: (PurgeEvent) -> Void) {
      watch(event(.purging(announcement.caches.plan([scope]), what: what)))
      let results = announcement.caches.run([scope], deadlineSeconds: times.cacheDeadline)
      outcome.caches += results
      watch(event(.purged(results, what: what)))
    }

    /// Purges objects by their addresses.
    mutating func purge(_ keys: [String], watch: (PurgeEvent) -> Void) {
      let caches = announcement.caches
      if keys.isEmpty || caches.isEmpty { return }
      let scopes = [PurgeScope.objects(keys, app: announcement.place.app, at: site.url)]
      let what = "objects that were sent again"
      watch(event(.purging(caches.plan(scopes), what: what)))
      let results = caches.run(scopes, deadlineSeconds: times.cacheDeadline)
      outcome.caches += results
      watch(event(.purged(results, what: what)))
    }

    /// Requests objects until readers get them, at most for a number of seconds.
    ///
    /// Caches are purged at growing intervals of those that are missing, because a cache may have
    /// stored an answer under way after a purge.
    mutating func lookAtObjects(seconds: Int, watch: (PurgeEvent) -> Void) {
      if requested.isEmpty { return }
      watch(event(.delivering(urls: requested.count)))
      let end = now + Int64(seconds) * 1_000
      var patience = min(Int64(seconds) * 1_000, 500)
      var left = requested
      while true {
        let lacking = site.lacking(left, within: patience)
        guard let first = lacking.first else { break }
        left = lacking.map(\.key)
        let others = left.count > 1 ? ", and \(left.count - 1) others of its objects neither" : ""
        outcome.objectProblem =
          "readers do not get '\(first.key)' of release \(release.number): \(site.url(of: first.key)) \(first.problem)"
          + others
        let time = end - now
        guard time > 50, outcome.failures.isEmpty else { return }
        purge(left, watch: watch)
        patience = min(patience * 2, time)
      }
      outcome.objectProblem = nil
    }

    /// Reads config until it is the release's, at most for a number of seconds.
    ///
    /// Caches are purged again at growing intervals, because a cache may have stored an answer
    /// under way after a purge.
    mutating func look(seconds: Int, watch: (PurgeEvent) -> Void) {
      watch(event(.looking(url: site.url(of: key))))
      let end = now + Int64(seconds) * 1_000
      let isPurged = !announcement.caches.isEmpty && outcome.failures.isEmpty
      var patience = min(Int64(seconds) * 1_000, 500)
      while let problem = site.problem(
        showing: release, of: announcement.place, at: key, within: patience)
      {
        outcome.problem = problem
        let left = end - now
        // Less than 50 ms are not worth another request.
        guard left > 50 else { return }
        if !isLagging {
          isLagging = true
          watch(event(.lagging(problem)))
        }
        if isPurged, outcome.failures.isEmpty { purge("config once more", watch: watch) }
        patience = isPurged ? min(patience * 2, left) : left
      }
      outcome.problem = nil
      if outcome.freshSeconds != nil { return }
      outcome.freshSeconds = Double(now - start) / 1_000
      watch(event(.fresh(url: site.url(of: key))))
    }

    func wait(until moment: Int64, watch: (PurgeEvent) -> Void) {
      let left = moment - now
      if left > 0 {
        watch(event(.waiting(seconds: Int((left + 999) / 1_000))))
        announcement.environment.sleep(Int(left))
      }
      watch(event(.waited))
    }
  }
}
