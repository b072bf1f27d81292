extension ServerSettings {
  /// Caddy as an origin: it serves a folder.
  var caddy: ServerFile {
    ServerFile(
      named: "Caddyfile",
      """
      \(heading(["Caddy serves the releases in \(root)."], run: "caddy run --adapter caddyfile --config THIS_FILE"))

      {
      \tadmin off
      \tauto_https off
      }

      # For readers elsewhere: the host's name in place of this line, without 'bind' and without 'auto_https off'.
      http://:\(listen.port) {
      \tbind \(listen.host)
      \troot * \(root)

      \(caddyLanguages.indented)

      \t# Maintenance: touch \(flag), and rm it when all is well.
      \t@maintenance file {
      \t\troot \(state)
      \t\ttry_files /maintenance.on
      \t}

      \t@objects path \(ServedPaths.objects)*
      \t@records path_regexp ^\(ServedPaths.records)
      \t@config path_regexp config ^\(ServedPaths.config)$

      \t# One spelling of each path: caches would keep the same bytes under another one, and no purge would name it.
      \t@odd expression `!{http.request.orig_uri}.matches("^\(plainPath.replacing("\\", with: "\\\\"))([?]|$)")`

      \troute {\(prefix.isEmpty ? "" : "\n\t\t# The public URL has this before the paths of the folder.\n\t\turi strip_prefix \(prefix)")
      \t\thandle @maintenance {
      \t\t\troot * \(maintenance)
      \t\t\trequest_header -If-None-Match
      \t\t\trequest_header -If-Modified-Since
      \t\t\trequest_header -Range
      \t\t\theader Retry-After \(retryAfter)
      \t\t\theader Cache-Control no-store
      \t\t\theader Content-Type application/json
      \t\t\ttry_files /{maintenance_locale}.json /any.json
      \t\t\tfile_server {
      \t\t\t\tstatus 503
      \t\t\t}
      \t\t}

      \t\terror @odd 404

      \(caddyTypes.indented.indented)

      \t\t# What never changes under its name: objects, of which smaller copies lie beside some, and records of releases.
      \t\thandle @objects {
      \t\t\theader Cache-Control "\(ServedPaths.forever)"
      \t\t\theader ?Vary Accept-Encoding
      \(caddyKeys(objectsKey).indented.indented.indented)
      \t\t\tfile_server {
      \t\t\t\thide .contentc*
      \t\t\t\tprecompressed gzip
      \t\t\t}
      \t\t}
      \t\thandle @records {
      \t\t\theader Cache-Control "\(ServedPaths.forever)"
      \t\t\tfile_server
      \t\t}

      \t\t# The only file that changes: one representation, no Vary. Caches have a header of their own (RFC 9213), since
      \t\t# s-maxage would forbid them to serve stale (RFC 9111, 5.2.2.10).
      \t\thandle @config {
      \t\t\theader Cache-Control "\(lifetimes.cacheControl)"
      \t\t\theader CDN-Cache-Control "\(lifetimes.cdnCacheControl)"\(surrogateControl("\n\t\t\theader"))
      \(caddyKeys(configKey("{re.config.1}")).indented.indented.indented)
      \t\t\tfile_server
      \t\t}
      \t\thandle {
      \t\t\theader Cache-Control "\(ServedPaths.asked)"
      \t\t\tfile_server {
      \t\t\t\thide .contentc*
      \t\t\t}
      \t\t}
      \t}

      \thandle_errors {
      \t\theader Cache-Control no-store
      \(((["CDN-Cache-Control", "Surrogate-Control", "Vary"] + keyHeaders).map { "header -\($0)" }).joined(separator: "\n").indented.indented)
      \t\theader Content-Type text/plain
      \t\trespond "{err.status_code}"
      \t}
      }
      """)
  }

  private func caddyKeys(_ key: String) -> String {
    (keyHeaders.isEmpty ? [] : ["# Surrogate keys, by which caches purge."])
      .appending(keyHeaders.map { "header \($0) \"\(key)\"" }).joined(separator: "\n")
  }

  private var caddyTypes: String {
    ServedPaths.types.map { type, endings in
      """
      @\(endings[0]) path \(endings.map { "*.\($0)" }.joined(separator: " "))
      header @\(endings[0]) Content-Type \(type)
      """
    }.joined(separator: "\n")
  }

  private var caddyLanguages: String {
    """
    # Which payload a reader gets in maintenance: the first of its languages for which there is a text.
    map {http.request.header.Accept-Language} {asked_language} {
    \t~(?i)\(languages.pattern) ${1}
    \tdefault none
    }
    map {asked_language} {maintenance_locale} {
    \(languages.rules.map { "~(?i)^\($0.tag)$ \($0.locale)" }.joined(separator: "\n").indented)
    \tdefault \(languages.source)
    }
    """
  }
}

extension String {
  /// As Caddy's own formatter does it.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "\t\($0)" }
      .joined(separator: "\n")
  }
}
