import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import SystemC
import TestServers
import Testing

/// Caches before an origin, with the configurations from `contentc server`.
@Suite(.needsServers) struct EdgeCacheTests {
  private static let config = "/qa/config.plist"
  let scratch: ScratchFolder
  let target: FolderTarget
  let object: SampleObject

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    target = FolderTarget(scratch.path)
    object = try SampleObject(String(repeating: "roses ", count: 500))
    #expect(try target.create(object.key, as: object.file))
    #expect(try target.replace("qa/config.plist", with: .config("release 1"), tagged: nil))
  }

  @Test(arguments: ServerKind.caches) func keepsConfigUntilItIsPurged(kind: ServerKind) throws {
    let (_, cache) = try start(kind)
    #expect(try cache.get(Self.config).text == "release 1", "\(cache.output)")
    usleep(300_000)
    try publish("release 2")
    let kept = try cache.get("\(Self.config)")
    #expect(kept.text == "release 1" && kept.isWhole)
    #expect(kept["Cache-Control"] == "public, max-age=60" && !kept.has("X-Readers-Lifetime"))
    #expect(kept.has("Age") == kind.cache?.countsAge)

    #expect(try cache.purge(Self.config, from: "127.0.0.2") == 403)
    #expect(try cache.get(Self.config).text == "release 1")
    #expect(try cache.purge(Self.config) == 200)
    for _ in 0..<5 { #expect(try cache.get(Self.config).text == "release 2") }
  }

  @Test(arguments: ServerKind.caches) func purgesEveryVariantOfAnObject(kind: ServerKind) throws {
    let (_, cache) = try start(kind)
    for encoding in [nil, "gzip", "gzip, deflate, br", "br"] {
      let headers = encoding.map { ["Accept-Encoding": $0] } ?? [:]
      let answer = try cache.get("/\(object.key)", headers)
      #expect(answer.status == 200, "\(cache.output)")
      #expect(answer.has("Content-Encoding") == (encoding?.contains("gzip") ?? false))
      #expect(answer["Cache-Control"] == "public, max-age=31536000, immutable")
    }
    usleep(300_000)
    unlink(scratch.path(object.key))
    unlink(scratch.path("\(object.key).gz"))
    // Squid stores no answer with a `Vary` header.
    let kept = kind == .squid ? 404 : 200
    #expect(try cache.get("/\(object.key)", ["Accept-Encoding": "gzip, br"]).status == kept)
    for encoding in [nil, "gzip"] { _ = try cache.purge("/\(object.key)", encoding: encoding) }
    for encoding in [nil, "gzip", "gzip, deflate, br", "br", "identity"] {
      let answer = try cache.get("/\(object.key)", encoding.map { ["Accept-Encoding": $0] } ?? [:])
      #expect(answer.status == 404 && answer["Cache-Control"] == "no-store")
    }
  }

  @Test(arguments: ServerKind.caches) func doesNotCacheMaintenanceAnswers(kind: ServerKind) throws {
    let (origin, cache) = try start(kind)
    try origin.setMaintenance(true)
    for _ in 0..<2 {
      let answer = try cache.get(Self.config, ["Accept-Language": "fr-CH, en"])
      #expect(answer.status == 503 && answer.text.contains("Panne"))
      #expect(answer["Cache-Control"] == "no-store" && answer["Retry-After"] == "300")
    }
    try origin.setMaintenance(false)
    #expect(try cache.get(Self.config).text == "release 1")
  }

  @Test(arguments: ServerKind.caches) func doesNotCacheA503ThatAllowsCaching(kind: ServerKind)
    throws
  {
    let faulty = try ScriptedServer { _ in
      .answer(
        status: 503,
        headers: ["Cache-Control: public, max-age=30", "CDN-Cache-Control: max-age=30"])
    }
    defer { faulty.stop() }
    let port = try #require(faulty.address.split(separator: ":").last.flatMap { UInt16($0) })
    let cache = try DeliveryServer(kind, upstream: port)
    for count in 1...3 {
      #expect(try cache.get(Self.config).status == 503, "\(cache.output)")
      #expect(faulty.requests.count >= count)
    }
  }

  /// All servers count whole seconds, so each lifetime may last one second more.
  @Test(arguments: ServerKind.caches) func servesStaleConfigNoLongerThanAllowed(kind: ServerKind)
    throws
  {
    let (_, cache) = try start(kind) { settings in
      (settings.lifetimes.edge, settings.lifetimes.staleWhileRevalidate) = (2, 1)
      settings.sendsSurrogateControl = true
    }
    #expect(try cache.get(Self.config).text == "release 1", "\(cache.output)")
    try publish("release 2")
    var rounds = 0
    while try cache.get(Self.config).text == "release 1", rounds < 200 {
      usleep(50_000)
      rounds += 1
    }
    #expect((10...90).contains(rounds), "stale for \(rounds) rounds")
    #expect(try cache.get(Self.config).text == "release 2")
  }

  @Test(arguments: ServerKind.cachesOfLifetimes)
  func servesStaleConfigForAWhileIfTheOriginIsDown(kind: ServerKind) throws {
    let origin = try DeliveryServer(.nginx, root: scratch.path) { $0.lifetimes = .brief }
    let cache = try DeliveryServer(kind, before: origin) { $0.lifetimes = .brief }
    #expect(try cache.get(Self.config).text == "release 1", "\(cache.output)")
    origin.stop()
    usleep(2_500_000)
    for _ in 0..<2 { #expect(try cache.get(Self.config).text == "release 1", "\(cache.output)") }
    usleep(4_500_000)
    let answer = try cache.get(Self.config)
    #expect(answer.status >= 500 && answer["Cache-Control"]?.contains("no-") ?? false)
  }

  // Traffic Server counts whole seconds.
  @Test(arguments: ServerKind.cachesOfLifetimes.filter { $0.cache?.countsAge == true })
  func countsTheAgeOfAnAnswer(kind: ServerKind) throws {
    let shield = try ScriptedServer { _ in
      .answer(
        status: 200,
        headers: ["Age: 297", "CDN-Cache-Control: max-age=300", "Cache-Control: max-age=60"])
    }
    defer { shield.stop() }
    let port = try #require(shield.address.split(separator: ":").last.flatMap { UInt16($0) })
    let cache = try DeliveryServer(kind, upstream: port)
    _ = try cache.get("/\(object.key)")
    usleep(300_000)
    let kept = try cache.get("/\(object.key)")
    #expect(
      kept["Age"].flatMap { Int($0) }.map { (297...299).contains($0) } ?? false, "\(cache.output)")
    #expect(shield.requests.count == 1)
    usleep(5_000_000)
    _ = try cache.get("/\(object.key)")
    // Varnish fetches in the background, after the answer.
    usleep(300_000)
    #expect(shield.requests.count == 2)
  }

  /// A bucket sends only `Cache-Control`.
  @Test(arguments: ServerKind.cachesOfLifetimes, ["", "/v1"])
  func usesTheConfiguredLifetimeForABucket(
    kind: ServerKind, prefix: String
  ) throws {
    let bucket = try ScriptedServer { _ in
      .answer(
        status: 200, headers: ["Cache-Control: public, max-age=600"], body: Array("config".utf8))
    }
    defer { bucket.stop() }
    let port = try #require(bucket.address.split(separator: ":").last.flatMap { UInt16($0) })
    let cache = try DeliveryServer(kind, upstream: port) { settings in
      settings.prefix = prefix
      (settings.lifetimes.edge, settings.lifetimes.staleWhileRevalidate) = (2, 0)
    }
    let path = "\(prefix)\(Self.config)"
    for _ in 0..<2 {
      let answer = try cache.get(path)
      #expect(
        answer.text == "config" && answer["Cache-Control"] == "public, max-age=600",
        "\(cache.output)")
      usleep(300_000)
    }
    #expect(bucket.requests.count == 1)
    usleep(2_700_000)
    _ = try cache.get(path)
    #expect(bucket.requests.count == 2)
  }

  @Test func purgesByKeyAndByPrefixOnVarnish() throws {
    let (_, cache) = try start(.varnish)
    _ = try cache.get(Self.config)
    _ = try cache.get("/\(object.key)")
    try publish("release 2")
    unlink(scratch.path(object.key))
    unlink(scratch.path("\(object.key).gz"))
    for (method, header, value) in [
      ("PURGEKEYS", "xkey-purge", "shop-qa-config"), ("BAN", "x-ban-prefix", "/objects/"),
    ] {
      #expect(try cache.send(method, "/", [header: value], from: "127.0.0.2").status == 403)
      #expect(try cache.send(method, "/").status == 400)
    }
    #expect(try cache.send("BAN", "/", ["x-ban-prefix": "/ || obj.status == 200"]).status == 400)
    #expect(try cache.get("/\(object.key)").status == 200)
    #expect(try cache.send("PURGEKEYS", "/", ["xkey-purge": "shop-qa-config other"]).status == 200)
    #expect(
      try cache.get(Self.config).text == "release 2" && cache.get("/\(object.key)").status == 200)
    #expect(try cache.send("BAN", "/", ["x-ban-prefix": "/objects/"]).status == 200)
    #expect(try cache.get("/\(object.key)").status == 404)
  }

  @Test func requiresThePurgeToken() throws {
    let origin = try DeliveryServer(.nginx, root: scratch.path)
    let cache = try DeliveryServer(.varnish, before: origin, environment: ["SHOP_TOKEN=s3cret"]) {
      $0.tokenVariable = "SHOP_TOKEN"
    }
    for (token, status) in [("", 403), ("other", 403), ("s3cret", 200)] {
      #expect(
        try cache.send("PURGE", Self.config, ["Purge-Token": token]).status == status,
        "\(cache.output)")
    }
  }

  private func start(_ kind: ServerKind, change: (inout ServerSettings) -> Void = { _ in }) throws
    -> (
      origin: DeliveryServer, cache: DeliveryServer
    )
  {
    let origin = try DeliveryServer(.nginx, root: scratch.path, change: change)
    return (origin, try DeliveryServer(kind, before: origin, change: change))
  }

  private func publish(_ text: String) throws {
    let tag = try target.read("qa/config.plist")?.tag
    #expect(try target.replace("qa/config.plist", with: .config(text), tagged: tag))
  }
}

extension ServerSettings.Lifetimes {
  /// Lifetimes of one second at the edge, and four more while the origin is down.
  fileprivate static var brief: Self {
    Self(app: 60, edge: 1, staleWhileRevalidate: 0, staleIfError: 4, originTimeout: 5)
  }
}
