extension ServerSettings {
  /// Apache as an origin: it serves a folder.
  var apache: ServerFile {
    ServerFile(
      named: "apache.conf",
      """
      \(heading(["Apache serves the releases in \(root)."], run: "apache2 -X -f THIS_FILE"))

      ServerName \(listen.host)
      # 80 for readers elsewhere, or 443 with SSLEngine, SSLCertificateFile and SSLCertificateKeyFile.
      Listen \(listen)
      ServerRoot \(state)
      DefaultRuntimeDir \(state)
      PidFile \(state)/apache.pid
      ErrorLog \(state)/error.log
      ServerTokens Prod
      # Debian's; only root changes to them.
      User www-data
      Group www-data

      \(apacheModules)

      # Nothing but this table: the system's own would call a smaller copy application/gzip.
      TypesConfig /dev/null
      \(ServedPaths.types.map { "AddType \($0.type) \($0.endings.map { ".\($0)" }.joined(separator: " "))" }
        .joined(separator: "\n"))
      AddEncoding gzip .gz

      <Directory />
        Require all denied
        AllowOverride None
      </Directory>
      <Directory "\(root)">
        Require all granted
      </Directory>
      <Directory "\(maintenance)">
        Require all granted
      </Directory>
      DocumentRoot "\(root)"

      \(apacheLanguages)

      RewriteEngine on
      # Maintenance: touch \(flag), and rm it when all is well.
      RewriteCond %{ENV:REDIRECT_STATUS} =503
      RewriteRule "^/\\.maintenance$" "\(maintenance)/%{ENV:maintenance_locale}.json" [END]
      RewriteCond "\(flag)" -f
      RewriteRule ^ - [R=503,L]
      ErrorDocument 503 /.maintenance
      # One spelling of each path: caches would keep the same bytes under another one, and no purge would name it.
      RewriteCond %{ENV:REDIRECT_STATUS} =""
      RewriteCond %{THE_REQUEST} "!^\\S+ \(plainPath)(?:[?]\\S*)? "
      RewriteRule ^ - [R=404,L]
      Header always set Retry-After "\(retryAfter)" "expr=%{REQUEST_STATUS} == 503"
      # Nobody is to remember an error.
      Header always set Cache-Control "no-store" "expr=%{REQUEST_STATUS} -ge 400"
      \(prefix.isEmpty ? "" : """

        # The public URL has this before the paths of the folder.
        RewriteRule "^\(prefix.escapedForPatterns)(/.*)$" "$1"

        """)
      # The lock, and files that are being written.
      RewriteRule "\(ServedPaths.unfinished)" - [R=404,L]
      # Smaller copies that lie beside objects.
      RewriteCond %{HTTP:Accept-Encoding} "gzip(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))" [NC]
      RewriteCond "%{DOCUMENT_ROOT}/objects/$1.gz" -f
      RewriteRule "^\(ServedPaths.objects)(.+)$" "\(ServedPaths.objects)$1.gz"

      Header set Cache-Control "\(ServedPaths.asked)" "expr=%{REQUEST_STATUS} -lt 400"

      # What never changes under its name: objects, and records of releases.
      <LocationMatch "^(?:\(prefix.escapedForPatterns))?\(ServedPaths.objects)">
        Header set Cache-Control "\(ServedPaths.forever)" "expr=%{REQUEST_STATUS} -lt 400"
        Header set Vary "Accept-Encoding"
      \(apacheKeys(objectsKey).indented(by: 2))
      </LocationMatch>
      <LocationMatch "^(?:\(prefix.escapedForPatterns))?\(ServedPaths.records)">
        Header set Cache-Control "\(ServedPaths.forever)" "expr=%{REQUEST_STATUS} -lt 400"
      </LocationMatch>

      # The only file that changes: one representation, no Vary. Caches have a header of their own (RFC 9213), since
      # s-maxage would forbid them to serve stale (RFC 9111, 5.2.2.10). A tag of what is in it, not of its time.
      <LocationMatch "^(?:\(prefix.escapedForPatterns))?/(?<channel>[^/]+)/config\\.(?:plist|json)$">
        FileETag Digest
        Header set Cache-Control "\(lifetimes.cacheControl)" "expr=%{REQUEST_STATUS} -lt 400"
        Header set CDN-Cache-Control "\(lifetimes.cdnCacheControl)"\(surrogateControl("\n  Header set"))
      \(apacheKeys(configKey("%{MATCH_CHANNEL}e")).indented(by: 2))
      </LocationMatch>
      """)
  }

  private var apacheModules: String {
    ["mpm_event", "authz_core", "headers", "mime", "rewrite", "setenvif"].map { name in
      "LoadModule \(name)_module /usr/lib/apache2/modules/mod_\(name).so"
    }.joined(separator: "\n")
  }

  private func apacheKeys(_ key: String) -> String {
    (keyHeaders.isEmpty ? [] : ["# Surrogate keys, by which caches purge."])
      .appending(keyHeaders.map { "Header set \($0) \"\(key)\"" }).joined(separator: "\n")
  }

  private var apacheLanguages: String {
    """
    # Which payload a reader gets in maintenance: the first of its languages for which there is a text.
    SetEnvIf Request_URI "^" maintenance_locale=\(languages.source)
    SetEnvIfNoCase Accept-Language "\(languages.pattern)" asked_language=$1
    \(languages.rules.map { "SetEnvIfNoCase asked_language \"^\($0.tag)$\" maintenance_locale=\($0.locale)" }
      .joined(separator: "\n"))
    """
  }
}
