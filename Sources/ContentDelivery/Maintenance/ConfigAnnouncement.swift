package import ContentModel

/// Makes caches forget a channel's config once another one is live, and reads back what readers get.
package struct ConfigAnnouncement: Sendable {
  let place: ChannelPlace
  let caches: CachePurge
  let site: PublicSite?
  let surroundings: Surroundings

  /// `site` is `nil` where the project does not say what apps ask for.
  package init(_ place: ChannelPlace, caches: CachePurge, site: PublicSite?, surroundings: Surroundings) {
    (self.place, self.caches, self.site, self.surroundings) = (place, caches, site, surroundings)
  }

  /// How long things may take, in seconds.
  package struct Times: Sendable {
    /// Each cache, to forget.
    package var cacheDeadline: Int
    /// Until readers are seen to get it: caches that are not purged take as long as they may.
    package var verification: Int
    /// The longest answer of the origin, where caches are to forget once more after it: one that is under way would
    /// bring back old bytes.
    package var originTimeout: Int?

    package init(cacheDeadline: Int, verification: Int, originTimeout: Int? = nil) {
      (self.cacheDeadline, self.verification, self.originTimeout) = (cacheDeadline, verification, originTimeout)
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

  /// Tells the caches, then asks as a reader; `watch` hears of each step that has ended.
  package func run(
    release: Int, format: PropertyListFormat, times: Times, watch: (PurgeEvent) -> Void = { _ in }
  ) -> Outcome {
    var outcome = Outcome()
    guard let site else { return outcome }
    let start = surroundings.milliseconds()
    func seconds() -> Double { Double(surroundings.milliseconds() - start) / 1_000 }
    let key = place.configKey(format)
    let scope = PurgeScope(
      urls: [site.url(of: key)], keys: ["\(place.app)-\(place.channel)-config"],
      prefix: "\(site.url)/\(place.channel)/")
    func purge(_ what: String) {
      let results = caches.run([scope], deadlineSeconds: times.cacheDeadline)
      outcome.caches += results
      watch(PurgeEvent(step: .purged(results, what: what), seconds: seconds()))
    }
    func look() {
      outcome.problem = site.problem(
        showing: release, of: place.app, at: key, within: Int64(times.verification) * 1_000)
      guard outcome.problem == nil, outcome.freshSeconds == nil else { return }
      outcome.freshSeconds = seconds()
      watch(PurgeEvent(step: .fresh(url: site.url(of: key)), seconds: seconds()))
    }
    if !caches.isEmpty { purge("config") }
    look()
    if !caches.isEmpty, let timeout = times.originTimeout {
      let left = start + Int64(timeout) * 1_000 - surroundings.milliseconds()
      if left > 0 { surroundings.sleep(Int(left)) }
      watch(PurgeEvent(step: .waited, seconds: seconds()))
      purge("config again")
      look()
    }
    return outcome
  }
}
