extension ServerSettings {
  /// HAProxy before an origin or before caches, and the maps that it reads.
  func haproxy(before upstream: Upstream) -> [ServerFile] {
    [
      haproxyConfiguration(upstream),
      ServerFile(named: "maintenance.map", "# 'on' or 'off' when HAProxy starts.\nmaintenance off"),
      ServerFile(
        named: "tags.map",
        "# The first language of a reader for which there is a text.\n\(languages.pattern) \\1"),
      ServerFile(
        named: "locales.map",
        "# Which payload that is.\n"
          + languages.rules.map { "\($0.tag) \($0.locale)" }.joined(separator: "\n")),
    ]
  }

  private func haproxyConfiguration(_ upstream: Upstream) -> ServerFile {
    let encryption =
      upstream.isEncrypted
      ? " ssl verify required ca-file /etc/ssl/certs/ca-certificates.crt sni str(\(upstream.address.host))"
      : ""
    let host = upstream.isEncrypted ? "\n  http-request set-header Host \(upstream.hostHeader)" : ""
    return ServerFile(
      named: "haproxy.cfg",
      """
      \(heading(
        ["HAProxy passes on, and stands in when the service is down. The maps lie beside this file."],
        run: "haproxy -db -f THIS_FILE"))

      global
        default-path config
        stats socket \(state)/haproxy.sock mode 600 level admin

      defaults
        mode http
        timeout connect 5s
        timeout client 30s
        timeout server \(lifetimes.originTimeout + 5)s
        timeout http-request 10s
        # What readers get when nobody behind answers.
        errorfile 503 \(maintenance)/\(languages.source).http

      frontend readers
        # *:80, or *:443 ssl crt FILE, for readers elsewhere.
        bind \(listen)

        # Who may purge. The caches see HAProxy's address, so that their own lists cannot tell strangers apart.
        acl purges method PURGE PURGEKEYS BAN
        acl purges path,url_dec -m reg -i /_purge(/|$)
        acl purger src \(purgers.joined(separator: " "))
        http-request deny deny_status 403 if purges !purger

        # One spelling of each path: caches would keep the same bytes under another one, and no purge would name it.
        http-request deny deny_status 404 unless { path -m reg ^\(plainPath)$ } || purges

        # Maintenance, at once and until HAProxy starts again (then maintenance.map decides):
        #   echo 'set map maintenance.map maintenance on' | socat stdio \(state)/haproxy.sock
        acl maintenance str(maintenance),map(maintenance.map,off) -m str on
        http-request set-var(txn.locale) req.fhdr(accept-language),lower,map_regm(tags.map,none),map(locales.map,\(languages.source)) if maintenance
        # Files are read when HAProxy starts.
      \(haproxyAnswers.indented(by: 2))
        default_backend origin

      backend origin\(host)
        server origin \(upstream.address)\(encryption)
      """)
  }

  private var haproxyAnswers: String {
    var locales: [String] = []
    for rule in languages.rules
    where !locales.contains(rule.locale) && rule.locale != languages.source {
      locales.append(rule.locale)
    }
    let answers = locales.sorted().map { "\(haproxyAnswer($0)) { var(txn.locale) -m str \($0) }" }
    return (answers + [haproxyAnswer(languages.source)]).joined(separator: "\n")
  }

  private func haproxyAnswer(_ locale: String) -> String {
    "http-request return status 503 content-type application/json file \(maintenance)/\(locale).json "
      + "hdr Retry-After \(retryAfter) hdr Cache-Control no-store if maintenance !purges"
  }
}
