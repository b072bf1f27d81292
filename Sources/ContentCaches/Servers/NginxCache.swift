extension ServerSettings {
  /// nginx as a cache before an origin.
  func nginxCache(before upstream: Upstream) -> ServerFile {
    ServerFile(
      named: "nginx.conf",
      """
      \(heading(["nginx caches what an origin sends."], run: "nginx -c THIS_FILE"))

      # Debian's libnginx-mod-http-cache-purge is loaded here; elsewhere: load_module …/ngx_http_cache_purge_module.so;
      include /etc/nginx/modules-enabled/*.conf;
      pid \(state)/nginx.pid;
      error_log \(state)/error.log;
      worker_processes auto;
      events {}

      http {
      \(nginxTemporaryFolders.indented(by: 2))
        server_tokens off;
        access_log off;
        proxy_cache_path \(state)/cache levels=1:2 keys_zone=answers:16m max_size=4g inactive=\(lifetimes.kept)s
          use_temp_path=off;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host "\(upstream.hostHeader)";

        upstream origin {
          server \(upstream.address);
          keepalive 16;
        }

        # Two variants at most of each answer.
        map $http_accept_encoding $encoding {
          default "";
          "~*gzip(?!\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$))" gzip;
        }

      \(nginxLifetimes.indented(by: 2))

      \(nginxLanguages.indented(by: 2))

        # nginx knows no header but Cache-Control, and no stale-while-revalidate with an end but the one in it. So the
        # cache below fetches through this server, which puts there what caches are told.
        # After a crash of nginx, remove the socket before it starts again.
        server {
          listen unix:\(state)/origin.sock;
          location / {
            proxy_pass \(upstream.scheme)://origin;\(nginxEncryption(upstream))
            proxy_connect_timeout 5s;
            proxy_read_timeout \(lifetimes.originTimeout)s;
            proxy_hide_header Cache-Control;
            add_header Cache-Control $cache_lifetime always;
            add_header X-Readers-Lifetime $readers_lifetime always;
          }
          # An origin that cannot be reached closes this connection, too: then stale-if-error holds, for as long as it says.
          error_page 502 504 = @unreachable;
          location @unreachable {
            return 444;
          }
        }

        server {
          # 80, or 443 ssl with ssl_certificate and ssl_certificate_key, for readers elsewhere.
          listen \(listen);

      \(nginxSwitch(exceptPurges: true).indented(by: 4))
      \(nginxPlainPaths.replacing("\"^", with: "\"^(/_purge)?").indented(by: 4))
          error_page 404 @missing;
          location @missing {
            add_header Cache-Control "no-store" always;
            return 404;
          }

          location / {
            limit_except GET { deny all; }
            # Nothing here depends on a query.
            set $args "";
            proxy_pass http://unix:\(state)/origin.sock;
            proxy_set_header Accept-Encoding $encoding;
            proxy_read_timeout \(lifetimes.originTimeout + 5)s;
            proxy_cache answers;
            proxy_cache_key "$uri $encoding";
            proxy_ignore_headers Vary Set-Cookie Expires X-Accel-Expires;
            proxy_cache_lock on;
            proxy_cache_lock_timeout \(lifetimes.originTimeout)s;
            proxy_cache_background_update on;
            proxy_cache_revalidate on;
            proxy_hide_header Cache-Control;
            proxy_hide_header X-Readers-Lifetime;
            proxy_hide_header X-Cache;
            add_header Cache-Control $upstream_http_x_readers_lifetime always;
            add_header X-Cache $upstream_cache_status always;
          }
          error_page 502 504 @failed;
          location @failed {
            add_header Cache-Control "no-store" always;
            return 502 "";
          }

      \(nginxPurge.indented(by: 4))
        }
      }
      """)
  }

  /// The lifetimes for the cache and for readers.
  private var nginxLifetimes: String {
    """
    # For config of origins that cannot send CDN-Cache-Control, such as buckets, what content.yaml says.
    map $uri $usual_lifetime {
      default $upstream_http_cache_control;
      "~^\(prefix.escapedForPatterns)\(ServedPaths.config)$" "\(lifetimes.cdnCacheControl)";
    }
    map $upstream_http_cdn_cache_control $own_lifetime {
      default $upstream_http_cdn_cache_control;
      "" $usual_lifetime;
    }
    # An error is never kept, whatever it says itself.
    map $upstream_status $cache_lifetime {
      default "no-store";
      "~^[23]" $own_lifetime;
    }
    map $upstream_status $readers_lifetime {
      default "no-store";
      "~^[23]" $upstream_http_cache_control;
    }
    """
  }

  private func nginxEncryption(_ upstream: Upstream) -> String {
    guard upstream.isEncrypted else { return "" }
    let lines = [
      "proxy_ssl_server_name on;", "proxy_ssl_name \(upstream.address.host);",
      "proxy_ssl_verify on;",
      "proxy_ssl_verify_depth 4;",
      "proxy_ssl_trusted_certificate /etc/ssl/certs/ca-certificates.crt;",
    ]
    return lines.map { "\n        \($0)" }.joined()
  }

  private var nginxPurge: String {
    let allowed = purgers.map { "allow \($0);" } + ["deny all;"]
    return """
      # Purges: GET /_purge/PATH, once for each Accept-Encoding (none, gzip); 404 where nothing was kept. Not the inline
      # form of the module's manual, which ends the worker of nginx 1.22 with a segmentation fault.
      location ~ "^/_purge(?<purged>/.*)$" {
      \(allowed.joined(separator: "\n").indented(by: 2))
      \("  " + nginxToken)proxy_cache_purge answers "$purged $encoding";
      }
      """
  }

  private var nginxToken: String {
    guard let tokenVariable else { return "" }
    let lines = [
      "# Whoever purges must know the token, too; the file is made with:",
      "# (umask 077; printf 'set $purge_token \"%s\";' \"$\(tokenVariable)\" > \(state)/purge-token.conf)",
      "include \(state)/purge-token.conf;",
      "if ($http_purge_token != $purge_token) { return 403; }", "",
    ]
    return lines.joined(separator: "\n  ")
  }
}
