extension ServerSettings {
  /// Squid as a cache before an origin.
  func squid(before upstream: Upstream) -> ServerFile {
    // The system's certificates are trusted, and no others.
    let encryption = upstream.isEncrypted ? " tls" : ""
    return ServerFile(
      named: "squid.conf",
      """
      \(heading(
        ["Squid caches what an origin sends. Started by root, it becomes the user proxy, who must own the folder for its log."],
        run: "{ [ \"$(id -u)\" != 0 ] || chown proxy: \(state); } && squid -N -f THIS_FILE"))

      # 80 for readers elsewhere. Which name they ask for does not matter, so that a purge need not know it.
      http_port \(listen) accel defaultsite=\(upstream.hostHeader) no-vhost
      cache_peer \(upstream.address.host) parent \(upstream.address.port) 0 no-query no-digest no-netdb-exchange originserver name=origin connect-timeout=5\(encryption)
      never_direct allow all
      visible_hostname \(app)
      pid_filename \(state)/squid.pid
      cache_log \(state)/cache.log
      access_log none
      cache_store_log none
      coredump_dir \(state)
      # In memory; cache_dir adds a disk.
      cache_mem 256 MB
      maximum_object_size_in_memory 16 MB
      read_timeout \(lifetimes.originTimeout) seconds
      shutdown_lifetime 1 seconds
      via off
      pinger_enable off
      forwarded_for transparent
      httpd_suppress_version_string on

      # Who may purge: PURGE /path.
      acl purge method PURGE
      acl purgers src \(purgers.joined(separator: " "))
      acl reading method GET HEAD
      # One spelling of each path: the same bytes would be kept under another one, and no purge would name it.
      acl plain urlpath_regex ^\(plainPath)(\\?.*)?$
      # What Squid tells of itself, readers' addresses among it.
      acl internal urlpath_regex -i ^/+squid-internal-
      http_access deny manager
      http_access deny internal
      http_access deny !plain
      \(squidToken)
      http_access deny purge
      http_access allow reading
      http_access deny all

      # Squid cannot bring Accept-Encoding to gzip or nothing, and a purge removes only the variant that it names itself. So
      # it keeps what has one form only: config and records; objects pass. Nothing here depends on a query: what has one
      # passes, too.
      acl varying rep_header Vary .
      acl asking urlpath_regex \\?
      store_miss deny varying
      send_hit deny varying
      cache deny asking

      # Only what says how long; errors never, whatever they say. Squid reads Cache-Control, and CDN-Cache-Control not: it
      # keeps config for \(lifetimes.app) s. Where the origin sends Surrogate-Control, as those that contentc prints do if
      # content.yaml names squid among a channel's caches, it keeps config for \(lifetimes.edge) s.
      refresh_pattern . 0 0% 0
      acl failed http_status 400-599
      store_miss deny failed
      negative_ttl 0 seconds
      max_stale \(lifetimes.staleIfError) seconds
      """)
  }

  private var squidToken: String {
    guard let tokenVariable else { return "http_access allow purge purgers" }
    return """
      # Whoever purges must know the token, too; the file is made with:
      #   (umask 077; printf '^%s$' "$\(tokenVariable)" > \(state)/purge-token)
      acl token req_header Purge-Token "\(state)/purge-token"
      http_access allow purge purgers token
      """
  }
}
