import ContentSource

extension Cache {
  /// Returns a vendor's CDN; `steps` returns the steps that differ from those of other vendors.
  static func hosted(
    _ name: CacheName, title: String, purges: String, keyHeader: String? = nil,
    steps: @escaping @Sendable (ServerSettings) -> [String],
    adapter: @escaping @Sendable (CDNSettings) throws(CDNSettingsError) -> any CDN
  ) -> Cache {
    let server = ServerKind(
      name.rawValue, .hosted, summary: "settings at \(title)", maintenance: nil
    ) { settings, _ in
      [settings.settings(at: title, named: name.rawValue, steps: steps(settings))]
    }
    return Cache(purges: purges, keyHeader: keyHeader, server: server, adapter: adapter)
  }
}

extension ServerSettings {
  /// Returns the settings to make at a vendor's CDN: the vendor's own steps, then the common ones.
  fileprivate func settings(at title: String, named name: String, steps: [String]) -> ServerFile {
    let numbered = (steps + commonSteps).enumerated().map { index, step in
      "\(index + 1). " + step.split(separator: "\n").joined(separator: "\n   ")
    }
    return ServerFile(
      named: "\(name).txt",
      """
      Settings at \(title) for channel '\(channel)' of \(app)

      \(numbered.joined(separator: "\n\n"))
      """)
  }

  /// The pattern of config's path.
  var configPath: String { "\(prefix)/\(channel)/config.*" }

  /// The steps at every vendor.
  private var commonSteps: [String] {
    [
      """
      Objects, \(prefix)/objects/* and \(prefix)/*/releases/*: as long as the origin says (a year, immutable). Compressed copies
      vary by Accept-Encoding: keep gzip and nothing apart.
      """,
      """
      Queries: leave them out of the cache key, everywhere. Nothing here depends on one, and whoever adds one would get
      past the cache.
      """,
      """
      Paths: one spelling each. Refuse (404) or normalise, before the cache key is made, whatever has '//', '/.' or '%' in its
      path: the same bytes would be kept under another spelling, and no purge would name it. The printed origins refuse it.
      """,
      """
      Errors: never cached. The origin sends no-store with 404 and 503; no rule may override that, and none may serve stale in
      place of a 503: maintenance would not be seen.
      """,
      """
      Cache-Control, for apps and browsers: pass on the origin's for config, \(lifetimes.cacheControl). Never s-maxage beside
      stale-while-revalidate: s-maxage forbids it (RFC 9111, 5.2.2.10).
      """,
      """
      Try it: 'curl -sI' of the public URL's config twice; the second is a hit, and its Age stays at or under \(lifetimes.edge) s
      (\(lifetimes.edge + lifetimes.staleWhileRevalidate) s while stale answers are fetched again).
      """,
    ]
  }

  /// Returns the step that says which surrogate keys the header must contain, and who sends it.
  func keys(_ header: String) -> String {
    "\(header): \(configKey(channel)) for config, \(objectsKey) for objects. The printed origins send it; then 'keys: origin' "
      + "in content.yaml."
  }

  /// Returns the step about the credentials of purges.
  func token(_ rule: String) -> String {
    "Token for purges: \(rule) Put it into an environment variable; content.yaml names that variable, never the token."
  }
}
