extension ServerSettings {
  /// Squid as a cache before an origin.
  func squid(before upstream: Upstream) -> ServerFile {
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
