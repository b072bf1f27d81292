extension ServerSettings {
  /// Returns the settings to make at a vendor's CDN: the vendor's own steps, then the common ones.
  func hosted(_ name: ServerName, title: String, steps: [String]) -> ServerFile {
    let numbered = (steps + commonSteps).enumerated().map { index, step in
      "\(index + 1). " + step.split(separator: "\n").joined(separator: "\n   ")
    }
    return ServerFile(
      named: "\(name.rawValue).txt",
      """
      Settings at \(title) for channel '\(channel)' of \(app)

      \(numbered.joined(separator: "\n\n"))
      """)
  }

  private var configPath: String { "\(prefix)/\(channel)/config.*" }

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

  private func keys(_ header: String) -> String {
    "\(header): \(configKey(channel)) for config, \(objectsKey) for objects. The printed origins send it; then 'keys: origin' "
      + "in content.yaml."
  }

  private func token(_ rule: String) -> String {
    "Token for purges: \(rule) Put it into an environment variable; content.yaml names that variable, never the token."
  }

  // MARK: Vendors

  var fastlySteps: [String] {
    [
      """
      Config, \(configPath): \(lifetimes.edge) s. Fastly reads Surrogate-Control, then Cache-Control, and not CDN-Cache-Control: in
      vcl_fetch, where req.url.path matches: set beresp.ttl = \(lifetimes.edge)s;
      set beresp.stale_while_revalidate = \(lifetimes.staleWhileRevalidate)s; set beresp.stale_if_error = \(lifetimes.staleIfError)s;
      """,
      keys("Surrogate-Key"),
      """
      Who may purge: a URL can be purged by anybody, unless you forbid it. In vcl_recv, for req.method == "FASTLYPURGE":
      set req.http.Fastly-Purge-Requires-Auth = "1";
      """,
      token(
        "an automation token for this service with the scopes purge_select and purge_all, nothing else."
      ),
      "With shielding: nothing to set; contentc purges twice, since a shield may fill an edge between.",
    ]
  }

  var cloudflareSteps: [String] {
    [
      """
      Config, \(configPath): a cache rule, 'Eligible for cache', edge TTL 'use cache-control header if present'. Cloudflare reads
      CDN-Cache-Control, which the printed origins send. An origin that cannot (a bucket): edge TTL \(lifetimes.edge) s, browser TTL
      'respect origin'. The same rule for objects: by default, Cloudflare does not cache .plist.
      """,
      keys("Cache-Tag"),
      "Who may purge: only holders of a token; Cloudflare ignores PURGE requests of readers.",
      token("an API token with 'Zone / Cache Purge / Purge' for this zone only."),
      "Tiered cache: may be on. 'Always Online': off, as it shows old copies when the origin is down.",
    ]
  }

  var cloudFrontSteps: [String] {
    [
      """
      Config, \(configPath): a cache behaviour with a policy of minimum TTL 0, default TTL \(lifetimes.edge), maximum TTL \(lifetimes.edge).
      CloudFront reads Cache-Control only, so that the shorter of this and the app's \(lifetimes.app) s holds; it knows no
      CDN-Cache-Control. The minimum is 0: a higher one would keep no-store.
      """,
      """
      Error caching minimum TTL: 0 for 400, 403, 404, 405, 414, 416, 500, 501, 502, 503 and 504 (Error pages). CloudFront keeps
      errors for 10 s by default, and ignores no-store for that.
      """,
      """
      Tags: CacheTagConfig with HeaderName Cache-Tag. \(keys("Cache-Tag"))
      """,
      "Who may purge: only users who may call CreateInvalidation; readers cannot.",
      token(
        "an access key of a user whose policy allows cloudfront:CreateInvalidation and cloudfront:GetInvalidation on this "
          + "distribution, nothing else."),
      "Query strings, cookies and headers in the cache key: none. Compression: 'Gzip' on, so that Accept-Encoding is normalised.",
    ]
  }

  var akamaiSteps: [String] {
    [
      """
      Config, \(configPath): Caching behaviour 'Honor origin Cache-Control', with 'Enhanced RFC support' off, or 'Cache' with max age
      \(lifetimes.edge) s. Downstream cacheability: pass the origin's Cache-Control on.
      """,
      "\(keys("Edge-Cache-Tag")) Rename Cache-Tag to Edge-Cache-Tag with 'Modify Incoming Response Header' where the origin "
        + "sends the former.",
      "Who may purge: only holders of credentials; Akamai ignores PURGE requests of readers.",
      token(
        "an API client with READ-WRITE for 'CCU APIs' on this CP code only (EdgeGrid: four values)."
      ),
      "Cache HTTP error responses: off. 'Serve stale on error': off for 503, or at most \(lifetimes.staleIfError) s.",
    ]
  }

  var googleSteps: [String] {
    [
      """
      Config, \(configPath): a backend with cache mode USE_ORIGIN_HEADERS reads Cache-Control, \(lifetimes.app) s; for \(lifetimes.edge) s set
      FORCE_CACHE_ALL for a path rule of its own with default TTL \(lifetimes.edge) and client TTL \(lifetimes.app). Serve while stale:
      \(lifetimes.staleWhileRevalidate) s.
      """,
      keys("Cache-Tag"),
      "Who may purge: only users who may call invalidateCache; readers cannot.",
      token(
        "of a service account with compute.urlMaps.get and compute.urlMaps.invalidateCache on this project, nothing else."
      ),
      "Negative caching: off, or with a policy of 0 s for each code. Cache key: no query string.",
    ]
  }

  var bunnySteps: [String] {
    [
      """
      Config, \(configPath): an edge rule 'Override cache time' of \(lifetimes.edge) s, and 'Override browser cache time' of
      \(lifetimes.app) s. Bunny reads Cache-Control; the rule holds in its place.
      """,
      keys("CDN-Tag")
        + " Add it with an edge rule 'Set response header' where the origin sends another name.",
      "Who may purge: only holders of the account's key; Bunny ignores PURGE requests of readers.",
      token(
        "Bunny has one access key for the account, with all its rights: use a sub-account that holds this zone only."
      ),
      """
      Cache error responses: off. Stale cache 'while origin offline': off, or it hides maintenance; 'while updating': on.
      Query string sort and vary: off.
      """,
    ]
  }
}
