extension ServerSettings {
  /// Apache Traffic Server as a cache before an origin: a folder of files.
  func trafficServer(before upstream: Upstream) -> [ServerFile] {
    [
      ServerFile(named: "runroot.yaml", trafficServerFolders),
      ServerFile(named: "records.config", trafficServerRecords),
      ServerFile(
        named: "remap.config",
        """
        # Everything comes from the origin, by its path alone: nothing here depends on a query.
        map / \(upstream.url)/ @plugin=cachekey.so @pparam=--remove-all-params=true @pparam=--static-prefix=\(app)
        """),
      ServerFile(named: "ip_allow.yaml", trafficServerAddresses),
      ServerFile(named: "plugin.config", "header_rewrite.so lifetimes.config"),
      ServerFile(named: "lifetimes.config", trafficServerLifetimes),
      ServerFile(
        named: "storage.config",
        "# A file of this size in this folder; a disk of its own is better.\n\(state) 256M"),
    ]
  }

  /// The programs are Debian's; all files are written to their folder.
  private var trafficServerFolders: String {
    """
    \(heading(
      ["Apache Traffic Server caches what an origin sends. All these files lie in one folder, \(state)/etc:",
        "'contentc server trafficserver --into \(state)/etc' puts them there."],
      run: "traffic_server --run-root=\(state)/etc/runroot.yaml"))
    prefix: /usr
    exec_prefix: /usr
    bindir: /usr/bin
    sbindir: /usr/bin
    sysconfdir: \(state)/etc
    datadir: \(state)
    includedir: /usr/include
    libdir: /usr/lib/trafficserver
    libexecdir: /usr/lib/trafficserver/modules
    localstatedir: \(state)
    runtimedir: \(state)
    logdir: \(state)
    cachedir: \(state)
    """
  }

  private var trafficServerRecords: String {
    """
    # 80 for readers elsewhere; Traffic Server has no switch for maintenance: it passes on the origin's, and keeps none.
    CONFIG proxy.config.http.server_ports STRING \(listen.port):ip-in=\(listen.host)
    CONFIG proxy.config.reverse_proxy.enabled INT 1
    CONFIG proxy.config.url_remap.remap_required INT 1
    CONFIG proxy.config.url_remap.pristine_host_hdr INT 0
    # Two variants at most of each answer: gzip or nothing.
    CONFIG proxy.config.http.normalize_ae INT 1
    # Only what says how long; errors never, and never in place of them what is too old.
    CONFIG proxy.config.http.cache.required_headers INT 2
    CONFIG proxy.config.http.wait_for_cache INT 1
    CONFIG proxy.config.http.negative_caching_enabled INT 0
    CONFIG proxy.config.http.negative_revalidating_enabled INT 0
    CONFIG proxy.config.http.cache.max_stale_age INT \(lifetimes.staleIfError)
    CONFIG proxy.config.http.insert_age_in_response INT 1
    CONFIG proxy.config.http.insert_response_via_str INT 0
    CONFIG proxy.config.http.connect_attempts_timeout INT 5
    CONFIG proxy.config.http.transaction_no_activity_timeout_out INT \(lifetimes.originTimeout)
    CONFIG proxy.config.ssl.client.verify.server.policy STRING ENFORCED
    CONFIG proxy.config.log.logging_enabled INT 1
    CONFIG proxy.config.diags.logfile.filename STRING diags.log
    # Runs as whoever starts it; a name here, such as Debian's trafficserver, if that is root.
    CONFIG proxy.config.admin.user_id STRING #-1
    """
  }

  private var trafficServerAddresses: String {
    let rule = "    action: allow\n    methods: [GET, HEAD, PURGE]"
    return """
      # Who may purge: PURGE /path, once for each Accept-Encoding (none, gzip).
      ip_allow:
      \(purgers.map { "  - apply: in\n    ip_addrs: \($0)\n\(rule)" }.joined(separator: "\n"))
        - apply: in
          ip_addrs: [0/0, ::/0]
          action: allow
          methods: [GET, HEAD]
      """
  }

  /// Without the first slash, as the beginning of a pattern between slashes.
  private var trafficServerPrefix: String {
    prefix.split(separator: "/").map { "\(String($0).escapedForPatterns)\\/" }.joined()
  }

  private var trafficServerLifetimes: String {
    """
    # One spelling of each path: the same bytes would be kept under another one, and no purge would name it.
    cond %{READ_REQUEST_PRE_REMAP_HOOK} [AND]
    cond %{CLIENT-URL:URL} /^[a-z]+:\\/\\/[^\\/]*\\/\(trafficServerPrefix)\(ServedPaths.part)(\\/\(ServedPaths.part))*(\\?.*)?$/ [NOT]
      set-status 404

    # Traffic Server reads Cache-Control only. What caches are told comes in there (RFC 9213), and goes out again as readers
    # are told it.
    cond %{READ_RESPONSE_HDR_HOOK} [AND]
    cond %{HEADER:CDN-Cache-Control} /max-age/
      set-header X-Readers-Lifetime %{HEADER:Cache-Control}
      set-header Cache-Control "public, max-age=\(lifetimes.edge)"

    # Config of an origin that cannot send it, such as a bucket.
    cond %{READ_RESPONSE_HDR_HOOK} [AND]
    cond %{STATUS} =200 [AND]
    cond %{CLIENT-URL:PATH} /^\(trafficServerPrefix)[^\\/]+\\/config\\.(plist|json)$/ [AND]
    cond %{HEADER:X-Readers-Lifetime} =""
      set-header X-Readers-Lifetime %{HEADER:Cache-Control}
      set-header Cache-Control "public, max-age=\(lifetimes.edge)"

    # An error is never kept, whatever it says itself.
    cond %{READ_RESPONSE_HDR_HOOK} [AND]
    cond %{STATUS} >399
      set-header Cache-Control "no-store"

    cond %{SEND_RESPONSE_HDR_HOOK} [AND]
    cond %{HEADER:X-Readers-Lifetime} /./
      set-header Cache-Control %{HEADER:X-Readers-Lifetime}
      rm-header X-Readers-Lifetime
    """
  }
}
