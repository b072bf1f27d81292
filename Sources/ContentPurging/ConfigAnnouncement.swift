package import ContentCaches
package import ContentModel
package import ContentReleases
package import Platform

/// Makes caches forget a channel's config once another one is live, and reads back what readers
/// get.
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

  /// How long things may take, in seconds.
  package struct Times: Sendable {
    /// Each cache, to forget.
    package var cacheDeadline: Int
    /// Until readers are seen to get it: caches that are not purged take as long as they may.
    package var verification: Int
    /// The longest answer of the origin, where caches are to forget once more after it: one that is
    /// under way would bring back old bytes.
    package var originTimeout: Int?

    package init(cacheDeadline: Int, verification: Int, originTimeout: Int? = nil) {
      (self.cacheDeadline, self.verification, self.originTimeout) = (
        cacheDeadline, verification, originTimeout
      )
    }
  }

  /// What came of it.
  package struct Outcome: Sendable {
    /// Each cache, as often as it was purged.
    package var caches: [CachePurge.Outcome] = []
    /// What is wrong with what readers get; `nil` where nothing is, or nobody knows where to look.
    package var problem: String?
    /// Seconds until readers were seen to get it; `nil` where they were not.
    package var freshSeconds: Double?

    package init() {}

    /// Why caches may not have forgotten, as sentences without secrets.
    package var failures: [String] { caches.compactMap(\.failure) }
  }

  /// Tells the caches, then asks as a reader; `watch` hears of each step.
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
      // What was looked for in vain so long is not looked for as long again.
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

    /// Reads config until it is the release's: an answer that was under way may have been kept
    /// after a purge, so that caches are told again, at growing intervals.
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
