package import ContentSource
package import HTTPTransport

/// Varnish with the configuration that contentc prints.
///
/// `PURGE` purges a URL in all variants (VCL's `return(purge)`), `PURGEKEYS` purges by keys
/// (`xkey.purge()` of varnish-modules), and `BAN` purges a prefix (`std.ban()`).
package struct VarnishCDN: CDN {
  /// The most bytes of a header with keys; Varnish accepts up to 8,192 (`http_req_hdr_len`).
  private static let headerBytes = 4_096

  package let name = CacheName.varnish
  private let nodes: CacheNodes
  private let hasKeys: Bool

  package init(_ nodes: CacheNodes, hasKeys: Bool = false) {
    (self.nodes, self.hasKeys) = (nodes, hasKeys)
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let addresses = scope.urls.compactMap(WebAddress.init)
    let urls = addresses.flatMap { nodes.requests(.purge, to: $0.target, host: $0.host) }
    return .smallest(
      of: CDNPlan(.urls, requests: urls, pace: CacheNodes.pace), keys(scope), prefix(scope))
  }

  private func keys(_ scope: PurgeScope) -> CDNPlan? {
    guard hasKeys, !scope.keys.isEmpty, let address = WebAddress(scope.prefix) else { return nil }
    var lines: [String] = []
    for key in scope.keys {
      if let last = lines.last, last.utf8.count + key.utf8.count < Self.headerBytes {
        lines[lines.count - 1] = "\(last) \(key)"
      } else {
        lines.append(key)
      }
    }
    let requests = lines.flatMap {
      nodes.requests(.purgeKeys, to: "/", host: address.host, headers: [("xkey-purge", $0)])
    }
    return CDNPlan(.keys, requests: requests, pace: CacheNodes.pace)
  }

  private func prefix(_ scope: PurgeScope) -> CDNPlan? {
    guard let address = WebAddress(scope.prefix) else { return nil }
    let requests = nodes.requests(
      .ban, to: "/", host: address.host, headers: [("x-ban-prefix", address.target)])
    return CDNPlan(.prefix, requests: requests, pace: CacheNodes.pace)
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    nodes.authorized(request)
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    nodes.verdict(on: answer, of: name)
  }
}

extension Cache {
  static let varnish = Cache(
    purges: "URLs; keys (xkey) or a ban where they are many", keyHeader: "xkey", server: .varnish
  ) { settings throws(CDNSettingsError) in
    VarnishCDN(try settings.nodes(), hasKeys: settings.hasKeys)
  }
}

extension ServerKind {
  package static let varnish = ServerKind(
    "varnish", .front, summary: "a cache",
    purges: """
      `PURGE /path`; `PURGEKEYS /` with `xkey-purge: k1 k2`; `BAN /` with \
      `x-ban-prefix: /v1/objects/`
      """, maintenance: .file
  ) { settings, upstream in [settings.varnish(before: upstream)] }
}

extension ServerSettings {
  /// Varnish as a cache before an origin.
  fileprivate func varnish(before upstream: Upstream) -> ServerFile {
    ServerFile(
      named: "varnish.vcl",
      filled(
        PackageResources.varnish_vcl, before: upstream,
        with: [
          "heading": heading(
            ["Varnish caches what an origin sends; xkey is in Debian's varnish-modules."],
            run: "varnishd -F -a \(listen) -f THIS_FILE -n \(state)/varnish -s malloc,256m"),
          "encryptedUpstream": upstream.isEncrypted ? upstream.url : nil,
          "purgers": purgers.map(Self.varnishNetwork).joined(separator: "\n"),
          "tokenCheck": varnishTokenCheck,
          "kept": "\(max(lifetimes.staleWhileRevalidate, lifetimes.staleIfError))",
          "languageRules": languageLines { tag, locale in
            "else if (req.http.x-tag == \"\(tag)\") { set req.http.x-locale = \"\(locale)\"; }"
          },
        ]))
  }

  private static func varnishNetwork(_ text: String) -> String {
    let parts = text.split(separator: "/")
    return parts.count == 2 ? "\"\(parts[0])\"/\(parts[1]);" : "\"\(text)\";"
  }

  private var varnishTokenCheck: String? {
    tokenVariable.map { variable in
      """
      # Whoever purges must know the token, too: varnishd finds it in its own environment.
      if (std.getenv("\(variable)") == "" || req.http.Purge-Token != std.getenv("\(variable)")) {
        return (synth(403, "Forbidden"));
      }
      """
    }
  }
}
