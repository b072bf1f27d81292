import ContentSource

extension PerVariantCDN {
  /// Returns the adapter for Squid: `PURGE /path`.
  package static func squid(_ nodes: CacheNodes) -> PerVariantCDN {
    PerVariantCDN(.squid, nodes: nodes)
  }
}

extension Cache {
  static let squid = Cache(
    purges: "URLs, in each form of compression", needsSurrogateControl: true, server: .squid
  ) { settings throws(CDNSettingsError) in PerVariantCDN.squid(try settings.nodes()) }
}

extension ServerKind {
  package static let squid = ServerKind(
    "squid", .front, summary: "a cache for config and records", purges: "`PURGE /path`",
    maintenance: .origin
  ) { settings, upstream in [settings.squid(before: upstream)] }
}

extension ServerSettings {
  /// Squid as a cache before an origin.
  fileprivate func squid(before upstream: Upstream) -> ServerFile {
    ServerFile(
      named: "squid.conf",
      filled(
        PackageResources.squid_conf, before: upstream,
        with: [
          "heading": heading(
            [
              "Squid caches what an origin sends. Started by root, it becomes the user proxy, who must own the folder for its log."
            ],
            run: "{ [ \"$(id -u)\" != 0 ] || chown proxy: \(state); } && squid -N -f THIS_FILE"),
          // The system's certificates are trusted, and no others.
          "encryption": upstream.isEncrypted ? " tls" : "",
          "purgeRule": squidPurgeRule,
        ]))
  }

  private var squidPurgeRule: String {
    guard let tokenVariable else { return "http_access allow purge purgers" }
    return """
      # Whoever purges must know the token, too; the file is made with:
      #   (umask 077; printf '^%s$' "$\(tokenVariable)" > \(state)/purge-token)
      acl token req_header Purge-Token "\(state)/purge-token"
      http_access allow purge purgers token
      """
  }
}
