extension ServerKind {
  package static let haproxy = ServerKind(
    "haproxy", .front, summary: "a proxy before other servers",
    purges: "passes purges of `--purgers` on and refuses others", maintenance: .socket
  ) { settings, upstream in settings.haproxy(before: upstream) }
}

extension ServerSettings {
  /// HAProxy before an origin or before caches, and the maps that it reads.
  fileprivate func haproxy(before upstream: Upstream) -> [ServerFile] {
    [
      haproxyConfiguration(upstream),
      ServerFile(named: "maintenance.map", "# 'on' or 'off' when HAProxy starts.\nmaintenance off"),
      ServerFile(
        named: "tags.map",
        "# The first language of a reader for which there is a text.\n\(languages.pattern) \\1"),
      ServerFile(
        named: "locales.map", "# Which payload that is.\n" + languageLines { "\($0) \($1)" }),
    ]
  }

  private func haproxyConfiguration(_ upstream: Upstream) -> ServerFile {
    let encryption =
      " ssl verify required ca-file /etc/ssl/certs/ca-certificates.crt "
      + "sni str(\(upstream.address.host))"
    return ServerFile(
      named: "haproxy.cfg",
      filled(
        PackageResources.haproxy_cfg, before: upstream,
        with: [
          "heading": heading(
            [
              "HAProxy passes on, and stands in when the service is down. The maps lie beside this file."
            ],
            run: "haproxy -db -f THIS_FILE"),
          "answers": haproxyAnswers,
          "encryptedHost": upstream.isEncrypted ? upstream.hostHeader : nil,
          "encryption": upstream.isEncrypted ? encryption : "",
        ]))
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
