import ContentCaches
import ContentPurging
import ContentReleases
import ContentTargets
import SystemC
import TestServers
import Testing

/// Other spellings of a path.
///
/// A cache would store the same bytes under each spelling, and a purge would miss them.
@Suite(.needsServers) struct PathSpellingTests {
  static let key = "/objects/42/42ab.plist"
  static let spellings = [
    "/objects/42/./42ab.plist", "//objects/42/42ab.plist", "/objects//42/42ab.plist",
    "/objects/42/../42/42ab.plist",
    "/./objects/42/42ab.plist", "/x/../objects/42/42ab.plist", "/objects/42/42ab.plist/",
    "/objects/42/42ab.plist/.",
    "/objects/%2e/42/42ab.plist", "/objects/42/%2e%2e/42/42ab.plist", "/objects/42/42ab.plist;x=1",
  ]
  /// Spellings with an escape for a character that needs none.
  static let escaped = [
    "/objects/42/42ab%2eplist", "/%6fbjects/42/42ab.plist", "/objects/%34%32/42ab.plist",
  ]

  @Test(arguments: ServerKind.all.filter { $0.role == .origin }, ["", "/v1.0+a"])
  func originsServeOneSpelling(kind: ServerKind, prefix: String) throws {
    let scratch = try ScratchFolder()
    for folder in ["root", "root/objects", "root/objects/42"] { scratch.makeFolder(folder) }
    try scratch.write("root\(Self.key)", "roses")
    let server = try DeliveryServer(kind, root: scratch.path("root")) { $0.prefix = prefix }
    for query in ["", "?a=b"] {
      let plain = try server.get(prefix + Self.key + query)
      #expect(plain.status == 200 && plain.text == "roses", "\(server.output)")
    }
    for path in Self.spellings + Self.escaped {
      let answer = try server.get(prefix + path)
      #expect((400...499).contains(answer.status), "\(path): \(answer.status)")
      #expect(answer["Cache-Control"]?.contains("immutable") != true, "\(path)")
    }
  }

  @Test(
    arguments: ServerKind.caches + [.haproxy], ["", "/v1.0+a"])
  func cachesAcceptOnlyOneSpellingOfAPath(kind: ServerKind, prefix: String) throws {
    let origin = try ScriptedServer { _ in
      .answer(
        status: 200, headers: ["Cache-Control: public, max-age=31536000, immutable"],
        body: Array("roses".utf8))
    }
    defer { origin.stop() }
    let cache = try DeliveryServer(kind, upstream: origin.port) { $0.prefix = prefix }
    for query in ["", "?a=b"] {
      let plain = try cache.get(prefix + Self.key + query)
      #expect(plain.status == 200 && plain.text == "roses", "\(cache.output)")
    }
    let asked = origin.requests.count
    // Squid's rules see the path without its escapes, but the printed origins refuse escaped paths.
    for path in Self.spellings + (kind == .squid ? [] : Self.escaped) {
      let answer = try cache.get(prefix + path)
      // Traffic Server treats two leading slashes as one, in its cache, too.
      let isRefused =
        (400...499).contains(answer.status) || kind == .trafficServer && path.hasPrefix("//")
      #expect(isRefused, "\(path): \(answer.status)")
    }
    #expect(origin.requests.count == asked, "\(origin.requests.map(\.path))")
  }

  @Test(arguments: [
    "/squid-internal-mgr/menu", "/squid-internal-mgr/client_list", "//squid-internal-mgr/menu",
  ])
  func squidHidesItsManagementPages(path: String) throws {
    let origin = try ScriptedServer { _ in .answer(status: 404) }
    defer { origin.stop() }
    let cache = try DeliveryServer(.squid, upstream: origin.port)
    for source in ["127.0.0.1", "127.0.0.2"] {
      let answer = try cache.send("GET", path, from: source)
      #expect(
        (400...499).contains(answer.status) && !answer.text.contains("client_list\t"),
        "\(answer.text)")
    }
  }

  @Test(arguments: [ServerKind.nginx, .squid]) func makesTokenFilesPrivateToTheirOwner(
    kind: ServerKind
  ) throws {
    let scratch = try ScratchFolder()
    var settings = ServerSettings.sample(root: scratch.path("root"), home: scratch)
    settings.tokenVariable = "SHOP_TOKEN"
    settings.upstream = .placeholder
    let text = kind.configuration(settings).map(\.text).joined()
    let line = try #require(
      text.split(separator: "\n").first { $0.contains("SHOP_TOKEN") && $0.contains("printf") })
    let command = String(line.drop { $0 == " " || $0 == "#" })
    try Program.run("/usr/bin/env", ["SHOP_TOKEN=s3cret", "sh", "-c", "umask 022; \(command)"])
    let file = scratch.path(kind == .nginx ? "state/purge-token.conf" : "state/purge-token")
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(String(decoding: try ScratchFolder.read(file), as: UTF8.self).contains("s3cret"))
  }

  @Test func nginxDoesNotRedirectToFolders() throws {
    let scratch = try ScratchFolder()
    for folder in ["root", "root/objects", "root/objects/42"] { scratch.makeFolder(folder) }
    try scratch.write("root\(Self.key)", "roses")
    let server = try DeliveryServer(.nginx, root: scratch.path("root"))
    for path in ["/objects", "/objects/42", "/objects/42/", "/"] {
      let answer = try server.get(path, ["Host": "evil.example"])
      #expect(answer.status == 404 && !answer.has("Location"), "\(path)")
    }
  }
}
