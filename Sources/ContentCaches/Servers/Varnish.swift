extension ServerSettings {
  /// Varnish as a cache before an origin.
  func varnish(before upstream: Upstream) -> ServerFile {
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
