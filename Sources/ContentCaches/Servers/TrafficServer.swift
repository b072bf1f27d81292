import ContentSource

extension PerVariantCDN {
  /// Returns the adapter for Apache Traffic Server: `PURGE /path`.
  package static func trafficServer(_ nodes: CacheNodes) -> PerVariantCDN {
    PerVariantCDN(.trafficserver, nodes: nodes)
  }
}

extension Cache {
  static let trafficServer = Cache(
    purges: "URLs, in each form of compression; purgers are known by their address only",
    server: .trafficServer
  ) { settings throws(CDNSettingsError) in PerVariantCDN.trafficServer(try settings.nodes()) }
}

extension ServerKind {
  package static let trafficServer = ServerKind(
    "trafficserver", .front, summary: "a cache",
    purges: "`PURGE /path`, for each `Accept-Encoding`: none, `gzip`", maintenance: .origin
  ) { settings, upstream in settings.trafficServer(before: upstream) }
}

extension ServerSettings {
  /// Apache Traffic Server as a cache before an origin: a folder of files.
  fileprivate func trafficServer(before upstream: Upstream) -> [ServerFile] {
    // Without the first slash, as the beginning of a pattern between slashes.
    let prefixFolders = prefix.split(separator: "/").map { "\(String($0).escapedForPatterns)\\/" }
    let purgerRules = purgers.map { address in
      """
      - apply: in
        ip_addrs: \(address)
        action: allow
        methods: [GET, HEAD, PURGE]
      """
    }
    let heading = heading(
      [
        "Apache Traffic Server caches what an origin sends. All these files lie in one folder, \(state)/etc:",
        "'contentc server trafficserver --into \(state)/etc' puts them there.",
      ],
      run: "traffic_server --run-root=\(state)/etc/runroot.yaml")
    return [
      ServerFile(
        named: "runroot.yaml",
        filled(PackageResources.trafficserver_runroot_yaml, with: ["heading": heading])),
      ServerFile(
        named: "records.config", filled(PackageResources.trafficserver_records_config)),
      ServerFile(
        named: "remap.config",
        """
        # Everything comes from the origin, by its path alone: nothing here depends on a query.
        map / \(upstream.url)/ @plugin=cachekey.so @pparam=--remove-all-params=true @pparam=--static-prefix=\(app)
        """),
      ServerFile(
        named: "ip_allow.yaml",
        filled(
          PackageResources.trafficserver_ip_allow_yaml,
          with: ["purgerRules": purgerRules.joined(separator: "\n")])),
      ServerFile(named: "plugin.config", "header_rewrite.so lifetimes.config"),
      ServerFile(
        named: "lifetimes.config",
        filled(
          PackageResources.trafficserver_lifetimes_config,
          with: ["prefixFolders": prefixFolders.joined()])),
      ServerFile(
        named: "storage.config",
        "# A file of this size in this folder; a disk of its own is better.\n\(state) 256M"),
    ]
  }
}
