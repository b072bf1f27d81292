import ContentSource
import HTTPTransport

extension PerVariantCDN {
  /// Returns the adapter for nginx with ngx_cache_purge, at a separate location:
  /// `GET /_purge/path`.
  ///
  /// The other form, `PURGE /path`, crashes the worker of Debian's nginx 1.22
  /// (FRiCKLE/ngx_cache_purge#68).
  package static func nginx(_ nodes: CacheNodes) -> PerVariantCDN {
    PerVariantCDN(.nginx, nodes: nodes, method: .get, folder: "/_purge")
  }
}

extension Cache {
  static let nginx = Cache(purges: "URLs, in each form of compression", server: .nginx) {
    settings throws(CDNSettingsError) in PerVariantCDN.nginx(try settings.nodes())
  }
}

extension ServerKind {
  package static let nginx = ServerKind(
    "nginx", .origin, summary: "an origin; with `--upstream` a cache",
    purges: "`GET /_purge/PATH`, for each `Accept-Encoding`: none, `gzip`", maintenance: .file
  ) { settings, _ in
    [settings.upstream.map(settings.nginxCache) ?? settings.nginxOrigin]
  }
}

extension ServerSettings {
  /// nginx as an origin, which serves a folder.
  fileprivate var nginxOrigin: ServerFile {
    let types = ServedPaths.types.map { type, endings in
      "\(type) \(endings.joined(separator: " "));"
    }
    let removedPrefix = """

      # The public URL has this before the paths of the folder.
      rewrite "^\(prefix.escapedForPatterns)(/.*)$" $1;
      """
    return ServerFile(
      named: "nginx.conf",
      filled(
        PackageResources.nginx_origin_conf,
        with: [
          "heading": heading(
            [
              "nginx serves the releases in \(root). Started by root, its workers are another user, who must be able to enter that",
              "folder and those above it; -g 'user NAME;' makes them the user NAME.",
            ],
            run: "nginx -c THIS_FILE"),
          "types": types.joined(separator: "\n"),
          "languageRules": nginxLanguages,
          "removedPrefix": prefix.isEmpty ? nil : removedPrefix,
          "objectKeys": keyLines(objectsKey) { "add_header \($0) \"\($1)\";" },
          "configKeys": keyLines(configKey("$channel")) { "add_header \($0) \"\($1)\";" },
        ]))
  }

  /// nginx as a cache before an origin.
  fileprivate func nginxCache(before upstream: Upstream) -> ServerFile {
    let encryption = """
      proxy_ssl_server_name on;
      proxy_ssl_name \(upstream.address.host);
      proxy_ssl_verify on;
      proxy_ssl_verify_depth 4;
      proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;
      """
    return ServerFile(
      named: "nginx.conf",
      filled(
        PackageResources.nginx_cache_conf, before: upstream,
        with: [
          "heading": heading(["nginx caches what an origin sends."], run: "nginx -c THIS_FILE"),
          "kept": "\(lifetimes.kept)",
          "languageRules": nginxLanguages,
          "encryption": upstream.isEncrypted ? encryption : nil,
          "purgers": purgers.map { "allow \($0);" }.joined(separator: "\n"),
          "tokenCheck": nginxTokenCheck,
        ]))
  }

  private var nginxLanguages: String { languageLines { "\"\($0)\" \"\($1)\";" } }

  private var nginxTokenCheck: String? {
    tokenVariable.map { variable in
      """
      # Whoever purges must know the token, too; the file is made with:
      # (umask 077; printf 'set $purge_token "%s";' "$\(variable)" > \(state)/purge-token.conf)
      include \(state)/purge-token.conf;
      if ($http_purge_token != $purge_token) { return 403; }
      """
    }
  }
}
