import HTTPTransport
import Testing

@testable import ContentCaches
@testable import TestDelivery

/// Requests as the vendors document them, byte for byte.
@Suite struct CDNRequestTests {
  private static let host = "https://cdn.example.com/v1"
  private static let two = PurgeScope(
    urls: ["\(host)/a.plist", "\(host)/b%20c.plist"], keys: ["shop-objects", "shop-live-config"],
    prefix: "\(host)/",
    variesByEncoding: false)

  private func sent(_ cdn: any CDN, _ requests: [CDNRequest]) -> [String] {
    requests.map { request in
      let request = cdn.authorized(request, at: 1_800_000_000, unique: 1)
      let head =
        ["\(request.method.rawValue) \(request.url)"]
        + request.headers.map { "\($0.name): \($0.value)" }
      return head.joined(separator: "\n")
        + (request.body.isEmpty ? "" : "\n\n" + String(decoding: request.body, as: UTF8.self))
    }
  }

  @Test func sendsVarnishRequests() throws {
    let nodes = CacheNodes(
      ["http://10.0.0.1:6081/"], token: CDNSecret(variable: "PURGE_TOKEN", value: "t0ken"))
    let cdn = VarnishCDN(nodes, hasKeys: true)
    #expect(
      sent(cdn, cdn.plan(Self.two).requests) == [
        "PURGE http://10.0.0.1:6081/v1/a.plist\nHost: cdn.example.com\nPurge-Token: t0ken",
        "PURGE http://10.0.0.1:6081/v1/b%20c.plist\nHost: cdn.example.com\nPurge-Token: t0ken",
      ])
    let many = CDNCase.scope(25_000)
    #expect(
      sent(cdn, cdn.plan(many).requests) == [
        "PURGEKEYS http://10.0.0.1:6081/\nHost: cdn.example.com\nxkey-purge: shop-objects\nPurge-Token: t0ken"
      ])
    let plain = VarnishCDN(CacheNodes(["http://10.0.0.1:6081"]))
    #expect(
      sent(plain, plain.plan(many).requests) == [
        "BAN http://10.0.0.1:6081/\nHost: cdn.example.com\nx-ban-prefix: /v1/objects/"
      ])
  }

  @Test func splitsVarnishKeysByHeaderSize() {
    let keys = (0..<500).map { "shop-objects-\($0)" }
    let scope = PurgeScope(
      urls: CDNCase.scope(25_000).urls, keys: keys, prefix: "https://cdn.example.com/v1/")
    let requests = VarnishCDN(CacheNodes(["http://10.0.0.1"]), hasKeys: true).plan(scope).requests
    let lines = requests.compactMap { $0.request.headers.first { $0.name == "xkey-purge" }?.value }
    #expect(lines.count > 1 && lines.allSatisfy { $0.utf8.count <= 4_096 })
    #expect(lines.joined(separator: " ") == keys.joined(separator: " "))
  }

  @Test func sendsNginxRequestsToThePurgeLocation() {
    let cdn = PerVariantCDN.nginx(CacheNodes(["http://10.0.0.1", "http://10.0.0.2"]))
    var scope = Self.two
    scope.urls = ["\(Self.host)/a.plist"]
    #expect(
      sent(cdn, cdn.plan(scope).requests) == [
        "GET http://10.0.0.1/_purge/v1/a.plist\nHost: cdn.example.com",
        "GET http://10.0.0.2/_purge/v1/a.plist\nHost: cdn.example.com",
      ])
  }

  @Test func purgesEachEncodingVariant() {
    var scope = Self.two
    (scope.urls, scope.variesByEncoding) = (["\(Self.host)/a.plist"], true)
    let nodes = CacheNodes(["http://10.0.0.1"])
    for cdn in [PerVariantCDN.trafficServer(nodes), .squid(nodes)] {
      #expect(
        sent(cdn, cdn.plan(scope).requests) == [
          "PURGE http://10.0.0.1/v1/a.plist\nHost: cdn.example.com\nAccept-Encoding: gzip",
          "PURGE http://10.0.0.1/v1/a.plist\nHost: cdn.example.com\nAccept-Encoding: br",
          "PURGE http://10.0.0.1/v1/a.plist\nHost: cdn.example.com",
        ])
    }
  }

  @Test func sendsFastlyRequests() {
    let cdn = FastlyCDN(
      service: "SU1Z", token: CDNSecret(variable: "FASTLY_TOKEN", value: "t0ken"), hasKeys: true)
    let api = "POST https://api.fastly.com"
    #expect(
      sent(cdn, cdn.plan(Self.two).requests) == [
        "\(api)/purge/cdn.example.com/v1/a.plist\nFastly-Key: t0ken",
        "\(api)/purge/cdn.example.com/v1/b%20c.plist\nFastly-Key: t0ken",
      ])
    var scope = CDNCase.scope(25_000)
    scope.keys = Self.two.keys
    #expect(
      sent(cdn, cdn.plan(scope).requests) == [
        "\(api)/service/SU1Z/purge\nContent-Type: application/json\nFastly-Key: t0ken\n\n"
          + #"{"surrogate_keys":["shop-objects","shop-live-config"]}"#
      ])
    let plain = FastlyCDN(
      service: "SU1Z", token: CDNSecret(variable: "FASTLY_TOKEN", value: "t0ken"))
    #expect(
      sent(plain, plain.plan(scope).requests) == [
        "\(api)/service/SU1Z/purge_all\nFastly-Key: t0ken"
      ])
    scope.keys = (0..<600).map { "k\($0)" }
    #expect(cdn.plan(scope).requests.map(\.units) == [256, 256, 88])
  }

  @Test func sendsCloudflareRequests() {
    let token = CDNSecret(variable: "CF_TOKEN", value: "t0ken")
    let head =
      "POST https://api.cloudflare.com/client/v4/zones/023e/purge_cache\nContent-Type: application/json\n"
      + "Authorization: Bearer t0ken\n\n"
    let cdn = CloudflareCDN(zone: "023e", token: token, hasKeys: true)
    let files =
      #"{"files":["https://cdn.example.com/v1/a.plist","https://cdn.example.com/v1/b%20c.plist"]}"#
    #expect(sent(cdn, cdn.plan(Self.two).requests) == [head + files])
    #expect(
      sent(cdn, cdn.plan(CDNCase.scope(25_000)).requests) == [head + #"{"tags":["shop-objects"]}"#])
    let plain = CloudflareCDN(zone: "023e", token: token)
    #expect(
      sent(plain, plain.plan(CDNCase.scope(25_000)).requests)
        == [head + #"{"prefixes":["cdn.example.com/v1/objects/"]}"#])
    #expect(
      plain.plan(CDNCase.scope(3_000)).requests.map(\.units) == Array(repeating: 100, count: 30))
    let large = CloudflareCDN(zone: "023e", token: token, plan: .enterprise)
    #expect(
      large.plan(CDNCase.scope(25_000)).requests.map(\.units) == Array(repeating: 500, count: 50))
  }

  @Test func sendsGoogleRequests() {
    let token = CDNSecret(variable: "GOOGLE_TOKEN", value: "t0ken")
    let head =
      "POST https://compute.googleapis.com/compute/v1/projects/shop-1/global/urlMaps/web/invalidateCache\n"
      + "Content-Type: application/json\nAuthorization: Bearer t0ken\n\n"
    let cdn = GoogleCDN(project: "shop-1", urlMap: "web", token: token, hasKeys: true)
    #expect(
      sent(cdn, cdn.plan(Self.two).requests) == [
        head + #"{"host":"cdn.example.com","path":"/v1/a.plist"}"#,
        head + #"{"host":"cdn.example.com","path":"/v1/b%20c.plist"}"#,
      ])
    #expect(
      sent(cdn, cdn.plan(CDNCase.scope(25_000)).requests) == [
        head + #"{"cacheTags":["shop-objects"]}"#
      ])
    let plain = GoogleCDN(project: "shop-1", urlMap: "web", token: token)
    #expect(
      sent(plain, plain.plan(CDNCase.scope(25_000)).requests)
        == [head + #"{"host":"cdn.example.com","path":"/v1/objects/*"}"#])
  }

  @Test func sendsBunnyRequests() {
    let token = CDNSecret(variable: "BUNNY_KEY", value: "t0ken")
    let cdn = BunnyCDN(pullZone: "12345", token: token, hasKeys: true)
    let api = "POST https://api.bunny.net"
    #expect(
      sent(cdn, cdn.plan(Self.two).requests) == [
        "\(api)/purge?url=https%3A%2F%2Fcdn.example.com%2Fv1%2Fa.plist&async=false&exactPath=false\nAccessKey: t0ken",
        "\(api)/purge?url=https%3A%2F%2Fcdn.example.com%2Fv1%2Fb%2520c.plist&async=false&exactPath=false\nAccessKey: t0ken",
      ])
    #expect(
      sent(cdn, cdn.plan(CDNCase.scope(25_000)).requests) == [
        "\(api)/pullzone/12345/purgeCache\nContent-Type: application/json\nAccessKey: t0ken\n\n"
          + #"{"CacheTag":"shop-objects"}"#
      ])
    let plain = BunnyCDN(pullZone: "12345", token: token)
    #expect(
      sent(plain, plain.plan(CDNCase.scope(25_000)).requests) == [
        "\(api)/purge?url=https%3A%2F%2Fcdn.example.com%2Fv1%2Fobjects%2F%2A&async=false&exactPath=false\n"
          + "AccessKey: t0ken"
      ])
  }

  @Test func sendsFrontDoorRequests() {
    let cdn = FrontDoorCDN(
      subscription: "5f3c", resourceGroup: "shop", profile: "contoso", endpoint: "web",
      token: CDNSecret(variable: "AZ_TOKEN", value: "t0ken"))
    let head =
      "POST https://management.azure.com/subscriptions/5f3c/resourceGroups/shop/providers/Microsoft.Cdn"
      + "/profiles/contoso/afdEndpoints/web/purge?api-version=2023-05-01\n"
      + "Content-Type: application/json\nAuthorization: Bearer t0ken\n\n"
    #expect(
      sent(cdn, cdn.plan(Self.two).requests) == [
        head
          + #"{"contentPaths":["/v1/a.plist","/v1/b%20c.plist"],"domains":["cdn.example.com"]}"#
      ])
    #expect(
      sent(cdn, cdn.plan(CDNCase.scope(25_000)).requests) == [
        head + #"{"contentPaths":["/v1/objects/*"],"domains":["cdn.example.com"]}"#
      ])
    #expect(cdn.plan(CDNCase.scope(100)).requests.map(\.units) == [100])
  }
}
