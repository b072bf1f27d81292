extension ServerSettings {
  /// nginx as an origin: it serves a folder.
  var nginxOrigin: ServerFile {
    ServerFile(
      named: "nginx.conf",
      """
      \(heading(
        ["nginx serves the releases in \(root). Started by root, its workers are another user, who must be able to enter that",
          "folder and those above it; -g 'user NAME;' makes them the user NAME."],
        run: "nginx -c THIS_FILE"))

      pid \(state)/nginx.pid;
      error_log \(state)/error.log;
      worker_processes auto;
      events {}

      http {
      \(nginxTemporaryFolders.indented(by: 2))
        server_tokens off;
        access_log off;
        sendfile on;
        default_type application/octet-stream;
        types {
      \(ServedPaths.types.map { "\($0.type) \($0.endings.joined(separator: " "));" }.joined(separator: "\n").indented(by: 4))
        }

      \(nginxLanguages.indented(by: 2))

        server {
          # 80, or 443 ssl with ssl_certificate and ssl_certificate_key, for readers elsewhere.
          listen \(listen);
          root \(root);
          # No redirect to folders: it would tell this server's port.
          absolute_redirect off;

      \(nginxSwitch(exceptPurges: false).indented(by: 4))
      \(nginxPlainPaths.indented(by: 4))\(nginxPrefix)

          # What never changes under its name: objects, of which smaller copies lie beside some, and records of releases.
          location \(ServedPaths.objects) {
            try_files $uri =404;
            gzip_static on;
            gzip_vary on;
            # Caches say Via; nginx would send them nothing compressed.
            gzip_proxied any;
            add_header Cache-Control "\(ServedPaths.forever)";
      \(nginxKeys(objectsKey).indented(by: 6))
          }
          location ~ "^\(ServedPaths.records)" {
            try_files $uri =404;
            add_header Cache-Control "\(ServedPaths.forever)";
          }

          # The only file that changes: one representation, no Vary. Caches have a header of their own (RFC 9213), since
          # s-maxage would forbid them to serve stale (RFC 9111, 5.2.2.10).
          location ~ "^\(ServedPaths.config)$" {
            set $channel $1;
            try_files $uri =404;
            add_header Cache-Control "\(lifetimes.cacheControl)";
            add_header CDN-Cache-Control "\(lifetimes.cdnCacheControl)";\(surrogateControl("\n      add_header", end: ";"))
      \(nginxKeys(configKey("$channel")).indented(by: 6))
          }
          location / {
            try_files $uri =404;
            add_header Cache-Control "\(ServedPaths.asked)";
          }

          # The lock, and files that are being written.
          location ~ "\(ServedPaths.unfinished)" {
            return 404;
          }
          error_page 403 404 = @missing;
          location @missing {
            add_header Cache-Control "no-store" always;
            return 404;
          }
        }
      }
      """)
  }

  private func nginxKeys(_ key: String) -> String {
    (keyHeaders.isEmpty ? [] : ["# Surrogate keys, by which caches purge."])
      .appending(keyHeaders.map { "add_header \($0) \"\(key)\";" }).joined(separator: "\n")
  }

  private var nginxPrefix: String {
    prefix.isEmpty
      ? ""
      : "\n\n    # The public URL has this before the paths of the folder.\n    rewrite \"^\(prefix.escapedForPatterns)(/.*)$\" $1;"
  }

  /// The refusal of other spellings of a path.
  var nginxPlainPaths: String {
    """
    # One spelling of each path: caches would keep the same bytes under another one, and no purge would name it.
    if ($request_uri !~ "^\(plainPath)(\\?|$)") { return 404; }
    """
  }

  /// So that it need not be root.
  var nginxTemporaryFolders: String {
    ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(state)/\($0);" }
      .joined(separator: "\n")
  }

  /// The map from `Accept-Language` to the payload in maintenance.
  var nginxLanguages: String {
    """
    # The first language of the reader for which there is a text.
    map $http_accept_language $asked_language {
      default "";
      "~*(?:^|,)\\s*(?<language>\(languages.alternatives))(?=[-,;\\s]|$)" $language;
    }
    map $asked_language $maintenance_locale {
      default "\(languages.source)";
    \(languages.rules.map { "\"\($0.tag)\" \"\($0.locale)\";" }.joined(separator: "\n").indented(by: 2))
    }
    """
  }

  /// The maintenance switch, and what it answers.
  func nginxSwitch(exceptPurges: Bool) -> String {
    let purges = exceptPurges ? "\nif ($uri ~ \"^/_purge/\") { set $maintenance \"\"; }" : ""
    return """
      # Maintenance: touch \(flag), and rm it when all is well.
      set $maintenance "";
      if (-f \(flag)) { set $maintenance "on"; }\(purges)
      if ($maintenance) { return 503; }
      error_page 503 @maintenance;
      location @maintenance {
        root \(maintenance);
        default_type application/json;
        etag off;
        if_modified_since off;
        add_header Retry-After "\(retryAfter)" always;
        add_header Cache-Control "no-store" always;
        try_files /$maintenance_locale.json /any.json =503;
      }
      """
  }
}

extension [String] {
  func appending(_ others: [String]) -> [String] { self + others }
}
