import ContentModel
import ContentSource
import HTTPTransport
import XML

@testable import ContentCaches

// CDNs with signed requests. Tests beside the adapters check the signatures themselves.
extension CDNCase {
  static let cloudFront = CDNCase(
    name: .cloudfront,
    settings: [
      "distribution": ["CF_DISTRIBUTION"], "accessKey": ["CF_KEY"], "secretKey": ["CF_SECRET"],
      "sessionToken": ["CF_SESSION"],
    ],
    environment: [
      "CF_DISTRIBUTION": "EDFDVBD6EXAMPLE", "CF_KEY": "AKIDEXAMPLE", "CF_SECRET": secret,
    ],
    rules: FakeCDN.Rules(
      read: readCloudFront, credential: ("Authorization", "Credential=AKIDEXAMPLE/"),
      itemLimit: 3_000, status: 201,
      success: "<Invalidation><Id>I2J0</Id><Status>InProgress</Status></Invalidation>",
      ended: "<Invalidation><Id>I2J0</Id><Status>Completed</Status></Invalidation>"),
    hosts: ["cloudfront.amazonaws.com"], variable: "CF_KEY")

  static let akamai = CDNCase(
    name: .akamai,
    settings: [
      "host": ["AK_HOST"], "clientToken": ["AK_CLIENT"], "clientSecret": ["AK_SECRET"],
      "accessToken": ["AK_ACCESS"],
    ],
    environment: [
      "AK_HOST": "akab-h.luna.akamaiapis.net", "AK_CLIENT": "akab-client", "AK_SECRET": secret,
      "AK_ACCESS": "akab-a",
    ],
    rules: FakeCDN.Rules(
      read: readAkamai, credential: ("Authorization", "access_token=akab-a;"), refusal: 401,
      bodyLimit: 50_000,
      requests: CDNPace.Bucket(100, perSecond: 50), units: CDNPace.Bucket(10_000, perSecond: 200),
      status: 201,
      success:
        #"{"httpStatus": 201, "detail": "Request accepted", "estimatedSeconds": 5, "purgeId": "e535"}"#
    ),
    hosts: ["akab-h.luna.akamaiapis.net"], variable: "AK_ACCESS", purgesManyAtOnce: false)

  @Sendable private static func readCloudFront(_ request: HTTPRequest) -> FakeCDN.Reading {
    let place = "/2020-05-31/distribution/EDFDVBD6EXAMPLE/invalidation"
    if request.method == .get { return path(request) == "\(place)/I2J0" ? .poll : .strange }
    guard request.method == .post, path(request) == place, let batch = XMLTree(request.body)
    else { return .strange }
    let paths = batch["Paths"]?["Items"]?.children.map(\.text) ?? []
    return .purge(
      paths.map { path in
        if path.hasPrefix("#") { return .key(String(path.dropFirst())) }
        let url = "https://cdn.example.com\(path)"
        return path.hasSuffix("*") ? .prefix(String(url.dropLast())) : .url(url)
      })
  }

  @Sendable private static func readAkamai(_ request: HTTPRequest) -> FakeCDN.Reading {
    let objects = texts(request, "objects") ?? []
    switch path(request) {
    case "/ccu/v3/delete/url/production": return .purge(objects.map(FakeCDN.Item.url))
    case "/ccu/v3/delete/tag/production": return .purge(objects.map(FakeCDN.Item.key))
    case let path where path.hasPrefix("/ccu/v3/rate-limit-status/"): return .poll
    default: return .strange
    }
  }
}
