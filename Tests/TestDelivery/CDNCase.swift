import ContentModel
import ContentSource
import HTTPTransport
import PropertyLists
import Testing

@testable import ContentCaches
@testable import ContentPurging

/// An adapter made from the settings of a `content.yaml`, and an independent statement of the
/// vendor's rules.
struct CDNCase: Sendable, CustomTestStringConvertible {
  static let secret = "s3cret-0123456789"

  let name: CacheName
  var settings: [String: [String]] = [:]
  var environment: [String: String] = [:]
  var rules: FakeCDN.Rules
  /// The addresses of the cache nodes, or of the vendor's API for a hosted CDN.
  var hosts: [String]
  /// The `Accept-Encoding` values for which the cache keeps separate copies.
  var variants: [String?] = [nil]
  /// The environment variable that holds the credentials.
  var variable: String
  /// `false` if the cache purges only single URLs while the origin sends no keys.
  var purgesManyAtOnce = true

  var testDescription: String { name.rawValue }

  private var hasKeys: Bool { name.settings.contains { $0.name == "keys" } }
  /// The valid values of the `keys` setting.
  var keySettings: [String] { hasKeys ? ["none", "origin"] : ["none"] }

  /// Returns the adapter, with `other` overriding environment variables and `api` the node or API
  /// address.
  func cdn(_ other: [String: String] = [:], keys: String = "none", api: String? = nil) throws
    -> any CDN
  {
    var all = settings
    if hasKeys { all["keys"] = [keys] }
    if let api { all[all["nodes"] == nil ? "api" : "nodes"] = [api] }
    let layer = CacheLayer(name, settings: all)
    let environment = environment
    return try CDNSettings(layer) { other[$0] ?? environment[$0] }.cdn()
  }

  /// Returns a scope with `count` URLs of objects.
  static func scope(_ count: Int, variesByEncoding: Bool = true) -> PurgeScope {
    let urls = (0..<count).map {
      "https://cdn.example.com/v1/objects/\(String($0, radix: 16)).plist"
    }
    return PurgeScope(
      urls: urls, keys: ["shop-objects"], prefix: "https://cdn.example.com/v1/objects/",
      variesByEncoding: variesByEncoding)
  }

  static let all = CacheName.allCases.flatMap(cases)
  static let hosted = all.filter { $0.settings["nodes"] == nil }

  private static func cases(of name: CacheName) -> [CDNCase] {
    switch name {
    case .akamai: [akamai]
    case .bunny: [bunny]
    case .cloudflare: [cloudflare("free"), cloudflare("enterprise")]
    case .cloudfront: [cloudFront]
    case .fastly: [fastly]
    case .frontdoor: [frontDoor]
    case .google: [google]
    case .nginx: [CDNCase(own: name, variants: ["gzip", "br", nil], read: nginx)]
    case .squid, .trafficserver: [CDNCase(own: name, variants: ["gzip", "br", nil], read: purge)]
    case .varnish: [CDNCase(own: name, purgesManyAtOnce: true, read: varnish)]
    }
  }

  /// Expects that the cache has forgotten the whole scope.
  ///
  /// A failure does not print tens of thousands of URLs.
  static func expectCovered(
    _ items: Set<FakeCDN.Item>, _ scope: PurgeScope, at location: SourceLocation = #_sourceLocation
  ) {
    let isCovered = covers(items, scope)
    #expect(isCovered, sourceLocation: location)
  }

  private static func covers(_ items: Set<FakeCDN.Item>, _ scope: PurgeScope) -> Bool {
    items.contains(.everything) || items.contains(.prefix(scope.prefix))
      || scope.keys.contains { items.contains(.key($0)) }
      || scope.urls.allSatisfy { items.contains(.url($0)) }
  }
}

// MARK: Self-hosted caches

extension CDNCase {
  private init(
    own name: CacheName, variants: [String?] = [nil], purgesManyAtOnce: Bool = false,
    read: @escaping @Sendable (HTTPRequest) -> FakeCDN.Reading
  ) {
    self.init(
      name: name,
      settings: [
        "nodes": ["http://10.0.0.1:6081/", "http://10.0.0.2:6081"], "token": ["PURGE_TOKEN"],
      ],
      environment: ["PURGE_TOKEN": Self.secret],
      rules: FakeCDN.Rules(read: read, credential: ("Purge-Token", Self.secret)),
      hosts: ["10.0.0.1:6081", "10.0.0.2:6081"], variants: variants, variable: "PURGE_TOKEN",
      purgesManyAtOnce: purgesManyAtOnce)
  }

  private static func header(_ name: String, _ request: HTTPRequest) -> String? {
    request.headers.first { $0.name == name }?.value
  }

  private static func url(_ request: HTTPRequest, below path: String = "") -> FakeCDN.Item? {
    guard let host = header("Host", request), let target = WebAddress(request.url)?.target,
      target.hasPrefix(path)
    else { return nil }
    return .url("https://\(host)\(target.dropFirst(path.count))")
  }

  @Sendable private static func purge(_ request: HTTPRequest) -> FakeCDN.Reading {
    guard request.method == .purge, let url = url(request) else { return .strange }
    return .purge([url], variant: header("Accept-Encoding", request))
  }

  @Sendable private static func nginx(_ request: HTTPRequest) -> FakeCDN.Reading {
    guard request.method == .get, let url = url(request, below: "/_purge") else { return .strange }
    return .purge([url], variant: header("Accept-Encoding", request))
  }

  @Sendable private static func varnish(_ request: HTTPRequest) -> FakeCDN.Reading {
    switch request.method {
    case .purge: purge(request)
    case .purgeKeys:
      .purge((header("xkey-purge", request) ?? "").split(separator: " ").map { .key(String($0)) })
    case .ban:
      .purge([
        .prefix("https://\(header("Host", request) ?? "")\(header("x-ban-prefix", request) ?? "")")
      ])
    default: .strange
    }
  }
}

// MARK: Hosted CDNs

extension CDNCase {
  static let fastly = CDNCase(
    name: .fastly, settings: ["service": ["FASTLY_SERVICE"], "token": ["FASTLY_TOKEN"]],
    environment: ["FASTLY_SERVICE": "SU1Z0isxPaozGVKXdv0eY", "FASTLY_TOKEN": secret],
    rules: FakeCDN.Rules(
      read: readFastly, credential: ("Fastly-Key", secret), refusal: 401, itemLimit: 256,
      success: #"{"status":"ok"}"#),
    hosts: ["api.fastly.com"], variable: "FASTLY_TOKEN")

  static func cloudflare(_ plan: String) -> CDNCase {
    let isFree = plan == "free"
    return CDNCase(
      name: .cloudflare, settings: ["zone": ["CF_ZONE"], "token": ["CF_TOKEN"], "plan": [plan]],
      environment: ["CF_ZONE": "023e105f4ecef8ad9ca31a8372d0c353", "CF_TOKEN": secret],
      rules: FakeCDN.Rules(
        read: readCloudflare, credential: ("Authorization", "Bearer \(secret)"),
        itemLimit: isFree ? 100 : 500,
        requests: isFree
          ? CDNPace.Bucket(25, perSecond: 5.0 / 60) : CDNPace.Bucket(500, perSecond: 50),
        units: isFree
          ? CDNPace.Bucket(800, perSecond: 800) : CDNPace.Bucket(3_000, perSecond: 3_000),
        success: #"{"success": true, "errors": [], "messages": [], "result": {"id": "023e"}}"#),
      hosts: ["api.cloudflare.com"], variable: "CF_TOKEN")
  }

  static let google = CDNCase(
    name: .google,
    settings: ["project": ["GOOGLE_PROJECT"], "urlMap": ["GOOGLE_MAP"], "token": ["GOOGLE_TOKEN"]],
    environment: ["GOOGLE_PROJECT": "shop-1", "GOOGLE_MAP": "web-map", "GOOGLE_TOKEN": secret],
    rules: FakeCDN.Rules(
      read: readGoogle, credential: ("Authorization", "Bearer \(secret)"), refusal: 401,
      itemLimit: 1,
      requests: CDNPace.Bucket(500, perSecond: 500.0 / 60),
      success:
        #"{"kind": "compute#operation", "name": "operation-1-a", "status": "RUNNING", "progress": 0}"#,
      ended:
        #"{"kind": "compute#operation", "name": "operation-1-a", "status": "DONE", "progress": 100}"#
    ),
    hosts: ["compute.googleapis.com"], variable: "GOOGLE_TOKEN")

  static let bunny = CDNCase(
    name: .bunny, settings: ["pullZone": ["BUNNY_ZONE"], "token": ["BUNNY_KEY"]],
    environment: ["BUNNY_ZONE": "12345", "BUNNY_KEY": secret],
    rules: FakeCDN.Rules(
      read: readBunny, credential: ("AccessKey", secret), refusal: 401, itemLimit: 1,
      requests: CDNPace.Bucket(120, perSecond: 5)),
    hosts: ["api.bunny.net"], variable: "BUNNY_KEY")

  static let frontDoor = CDNCase(
    name: .frontdoor,
    settings: [
      "subscription": ["AZ_SUBSCRIPTION"], "resourceGroup": ["AZ_GROUP"],
      "profile": ["AZ_PROFILE"], "endpoint": ["AZ_ENDPOINT"], "token": ["AZ_TOKEN"],
    ],
    environment: [
      "AZ_SUBSCRIPTION": "5f3c", "AZ_GROUP": "shop", "AZ_PROFILE": "contoso", "AZ_ENDPOINT": "web",
      "AZ_TOKEN": secret,
    ],
    rules: FakeCDN.Rules(
      read: readFrontDoor, credential: ("Authorization", "Bearer \(secret)"), itemLimit: 100,
      requests: CDNPace.Bucket(200, perSecond: 10), status: 202,
      // The address of another host must not get the token.
      headers: [("Azure-AsyncOperation", "https://other.example\(frontDoorOperation)")],
      success: "", ended: #"{"status": "Succeeded"}"#, conflict: 409),
    hosts: ["management.azure.com"], variable: "AZ_TOKEN")

  private static let frontDoorOperation =
    "/subscriptions/5f3c/providers/Microsoft.Cdn/operationresults/1?api-version=2023-05-01"

  static func path(_ request: HTTPRequest) -> String { WebAddress(request.url)?.target ?? "" }

  static func texts(_ request: HTTPRequest, _ key: String) -> [String]? {
    (try? PropertyList.decode(request.body, as: .json).value)?[key]?.items?.compactMap(\.text)
  }

  static func text(_ request: HTTPRequest, _ key: String) -> String? {
    (try? PropertyList.decode(request.body, as: .json).value)?[key]?.text
  }

  @Sendable private static func readFastly(_ request: HTTPRequest) -> FakeCDN.Reading {
    let path = path(request)
    guard request.method == .post else { return .strange }
    if path.hasPrefix("/purge/") { return .purge([.url("https://" + path.dropFirst(7))]) }
    switch path {
    case "/service/SU1Z0isxPaozGVKXdv0eY/purge_all": return .purge([.everything])
    case "/service/SU1Z0isxPaozGVKXdv0eY/purge":
      return .purge((texts(request, "surrogate_keys") ?? []).map(FakeCDN.Item.key))
    default: return .strange
    }
  }

  @Sendable private static func readCloudflare(_ request: HTTPRequest) -> FakeCDN.Reading {
    guard request.method == .post,
      path(request) == "/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache"
    else { return .strange }
    if let files = texts(request, "files") { return .purge(files.map(FakeCDN.Item.url)) }
    if let tags = texts(request, "tags") { return .purge(tags.map(FakeCDN.Item.key)) }
    if let prefixes = texts(request, "prefixes") {
      return .purge(prefixes.map { .prefix("https://" + $0) })
    }
    let isAll = request.body == Array(#"{"purge_everything":true}"#.utf8)
    return isAll ? .purge([.everything]) : .strange
  }

  @Sendable private static func readFrontDoor(_ request: HTTPRequest) -> FakeCDN.Reading {
    if request.method == .get { return path(request) == frontDoorOperation ? .poll : .strange }
    let endpoint =
      "/subscriptions/5f3c/resourceGroups/shop/providers/Microsoft.Cdn/profiles/contoso/afdEndpoints/web"
    guard request.method == .post, path(request) == "\(endpoint)/purge?api-version=2023-05-01",
      let paths = texts(request, "contentPaths"), let hosts = texts(request, "domains")
    else { return .strange }
    return .purge(
      hosts.flatMap { host in
        paths.map { path in
          let url = "https://\(host)\(path)"
          return path.hasSuffix("*") ? .prefix(String(url.dropLast())) : .url(url)
        }
      })
  }

  @Sendable private static func readGoogle(_ request: HTTPRequest) -> FakeCDN.Reading {
    let global = "/compute/v1/projects/shop-1/global"
    if request.method == .get {
      return path(request) == "\(global)/operations/operation-1-a" ? .poll : .strange
    }
    guard path(request) == "\(global)/urlMaps/web-map/invalidateCache" else { return .strange }
    if let tags = texts(request, "cacheTags") { return .purge(tags.map(FakeCDN.Item.key)) }
    guard let path = text(request, "path") else { return .strange }
    guard let host = text(request, "host") else {
      return path == "/*" ? .purge([.everything]) : .strange
    }
    return .purge([
      path.hasSuffix("/*")
        ? .prefix("https://\(host)\(path.dropLast())") : .url("https://\(host)\(path)")
    ]
    )
  }

  @Sendable private static func readBunny(_ request: HTTPRequest) -> FakeCDN.Reading {
    let path = path(request)
    if path == "/pullzone/12345/purgeCache" {
      return .purge([text(request, "CacheTag").map(FakeCDN.Item.key) ?? .everything])
    }
    guard path.hasPrefix("/purge?url="), path.hasSuffix("&async=false&exactPath=false"),
      let url = URLEscape.unescaped(path.dropFirst(11).prefix { $0 != "&" })
    else { return .strange }
    return .purge([url.hasSuffix("*") ? .prefix(String(url.dropLast())) : .url(url)])
  }
}
