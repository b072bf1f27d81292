package import ContentCaches
package import ContentModel
package import ContentReleases
package import Platform

/// Purges a channel's config in all caches after a new release, and reads back the config that
/// readers get.
package struct ConfigAnnouncement: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  let site: PublicSite?
  let surroundings: RequestEnvironment

  /// `site` is `nil` where the project does not say what apps ask for.
  package init(
    _ place: ChannelPlace, caches: CachePurge, site: PublicSite?, surroundings: RequestEnvironment
  ) {
    (self.place, self.caches, self.site, self.surroundings) = (place, caches, site, surroundings)
  }

  /// The time limits, in seconds.
  package struct Times: Sendable {
    /// The limit for each cache.
    package var cacheDeadline: Int
    /// The limit until readers get the release: caches that are not purged take as long as they
    /// may.
    package var verification: Int
    /// The longest answer time of the origin.
    ///
    /// If set, caches are purged again after it: an answer under way could bring back old bytes.
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
    /// The seconds until readers got the release; `nil` if they did not.
    package var freshSeconds: Double?

    package init() {}

    /// The reasons for which caches may still hold old bytes, as sentences without secrets.
    package var failures: [String] { caches.compactMap(\.failure) }
  }

  /// Purges the caches, then reads config as a reader; `watch` receives each step.
  package func run(
    release: Int, format: PropertyListFormat, times: Times, watch: (PurgeEvent) -> Void = { _ in }
  ) -> Outcome {
    guard let site else { return Outcome() }
    let round = Round(
      announcement: self, site: site, key: place.configKey(format), release: release,
      scope: .config(app: place.app, channel: place.channel, format: format, at: site.url),
      times: times,
      start: surroundings.milliseconds())
    var outcome = Outcome()
    if !caches.isEmpty { round.purge("config", &outcome, watch) }
    let told = surroundings.milliseconds()
    round.look(&outcome, seconds: times.verification, watch)
    if !caches.isEmpty, let timeout = times.originTimeout {
      round.wait(until: told + Int64(max(timeout, caches.gapSeconds([round.scope]))) * 1_000, watch)
      round.purge("config again", &outcome, watch)
      // After a failed look, one more request is enough.
      round.look(&outcome, seconds: outcome.problem == nil ? times.verification : 0, watch)
    }
    return outcome
  }

  private struct Round {
    let announcement: ConfigAnnouncement
    let site: PublicSite
    let key: String
    let release: Int
    let scope: PurgeScope
    let times: Times
    let start: Int64

    private var now: Int64 { announcement.surroundings.milliseconds() }

    private func tell(_ step: PurgeEvent.Step, _ watch: (PurgeEvent) -> Void) {
      watch(PurgeEvent(step: step, seconds: Double(now - start) / 1_000))
    }

    func purge(_ what: String, _ outcome: inout Outcome, _ watch: (PurgeEvent) -> Void) {
      tell(.purging(announcement.caches.plan([scope]), what: what), watch)
      let results = announcement.caches.run([scope], deadlineSeconds: times.cacheDeadline)
      outcome.caches += results
      tell(.purged(results, what: what), watch)
    }

    /// Reads config until it is the release's.
    ///
    /// Caches are purged again at growing intervals, because a cache may have stored an answer
    /// under way after a purge.
    func look(_ outcome: inout Outcome, seconds: Int, _ watch: (PurgeEvent) -> Void) {
      tell(.looking(url: site.url(of: key)), watch)
      let end = now + Int64(seconds) * 1_000
      let isTold = !announcement.caches.isEmpty && outcome.failures.isEmpty
      var patience = min(Int64(seconds) * 1_000, isTold ? 500 : .max)
      while let problem = site.problem(
        showing: release, of: announcement.place.app, at: key, within: patience)
      {
        outcome.problem = problem
        let left = end - now
        // Less is not worth another question.
        guard left > 50 else { return }
        if isTold, outcome.failures.isEmpty { purge("config once more", &outcome, watch) }
        patience = min(patience * 2, left)
      }
      outcome.problem = nil
      if outcome.freshSeconds != nil { return }
      outcome.freshSeconds = Double(now - start) / 1_000
      tell(.fresh(url: site.url(of: key)), watch)
    }

    func wait(until moment: Int64, _ watch: (PurgeEvent) -> Void) {
      let left = moment - now
      if left > 0 {
        tell(.waiting(seconds: Int((left + 999) / 1_000)), watch)
        announcement.surroundings.sleep(Int(left))
      }
      tell(.waited, watch)
    }
  }
}
