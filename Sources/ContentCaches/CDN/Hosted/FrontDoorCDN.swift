import ContentModel
package import ContentSource
package import HTTPTransport

/// Azure Front Door, through "AFD Endpoints - Purge Content" of Azure Resource Manager
/// (learn.microsoft.com/rest/api/frontdoorservice).
///
/// The adapter follows the operation of a purge until it has ended, as "Track asynchronous Azure
/// operations" describes.
package struct FrontDoorCDN: CDN {
  /// The largest number of URLs in one request ("URLs in a single cache purge call").
  private static let paths = 100
  /// The quota of Azure Resource Manager for writes to a subscription, and the longest time of a
  /// purge: "can take up to 10 minutes to propagate".
  private static let pace = CDNPace(
    requests: CDNPace.Bucket(200, perSecond: 10), atOnce: 16, answerMilliseconds: 600_000)
  /// The seconds between two polls if Azure names none.
  private static let pollSeconds = 5.0
  /// The seconds until a purge that Azure answered with 409 is repeated, if Azure names none.
  private static let conflictSeconds = 30.0

  package let name = CacheName.frontdoor
  private let token: CDNSecret
  private let api: String
  private let url: String

  package init(
    subscription: String, resourceGroup: String, profile: String, endpoint: String,
    token: CDNSecret, api: String = "https://management.azure.com"
  ) {
    (self.token, self.api) = (token, api)
    // The names of resource groups may have parentheses and letters beyond ASCII.
    let segment = URLEscape.segment
    url =
      "\(api)/subscriptions/\(segment(subscription))/resourceGroups/\(segment(resourceGroup))"
      + "/providers/Microsoft.Cdn/profiles/\(segment(profile))/afdEndpoints/\(segment(endpoint))"
      + "/purge?api-version=2023-05-01"
  }

  package func plan(_ scope: PurgeScope) -> CDNPlan {
    guard let prefix = WebAddress(scope.prefix) else {
      return CDNPlan(.urls, requests: [], pace: Self.pace)
    }
    // Front Door ignores queries. All URLs of a scope have the host of its prefix.
    let paths = scope.urls.compactMap(WebAddress.init).map { address in
      String(address.target.prefix { $0 != "?" })
    }
    let urls = paths.distinct.batches(of: Self.paths).map { purge($0, at: prefix.host) }
    return .smallest(
      of: CDNPlan(.urls, requests: urls, pace: Self.pace),
      CDNPlan(.prefix, requests: [purge([prefix.target + "*"], at: prefix.host)], pace: Self.pace))
  }

  private func purge(_ paths: [String], at host: String) -> CDNRequest {
    let body: Value = [
      "contentPaths": .array(paths.map(Value.string)), "domains": [.string(host)],
    ]
    return CDNRequest(.post(json: body, to: url), units: paths.count)
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var request = request.request
    request.headers.append(("Authorization", "Bearer \(token.value)"))
    return request
  }

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    // The reference of this operation documents only 200 and 202. Several purges of an endpoint may
    // run at once, and other resources of Azure answer 409 while an operation changes them.
    // Microsoft advises clients to repeat such a request.
    if answer.status == 409 {
      return .again(
        afterSeconds: answer.retryAfterSeconds ?? Self.conflictSeconds,
        "answers 409: another operation may be in progress")
    }
    let verdict = CDNVerdict.byStatus(
      answer,
      permission:
        "check that \(token.variable) holds a token that is in force and may purge this endpoint")
    guard case .done = verdict else { return verdict }
    let seconds = answer.retryAfterSeconds ?? Self.pollSeconds
    if request.request.method == .post {
      guard answer.status != 200 else { return .done }
      guard let operation = operation(of: answer) else {
        return .refused("answers \(answer.status) with no operation")
      }
      return .begun(operation, afterSeconds: seconds)
    }
    // Without a body, any status other than 202 means that the operation has ended.
    let status = answer.word(after: "status") ?? (answer.status == 202 ? "" : "\"Succeeded\"")
    return switch status {
    case "\"Succeeded\"": .done
    case "\"Failed\"", "\"Canceled\"": .refused("has ended the purge without success")
    default: .begun(request, afterSeconds: seconds)
    }
  }

  /// Returns the request for the state of the operation that an answer names.
  ///
  /// The request always goes to the API's host, because no other host may receive the token.
  private func operation(of answer: HTTPAnswer) -> CDNRequest? {
    (answer.header("Azure-AsyncOperation") ?? answer.header("Location")).flatMap(WebAddress.init)
      .map { CDNRequest(HTTPRequest(.get, api + $0.target), units: 0) }
  }
}

extension Cache {
  static let frontDoor = hosted(
    .frontdoor, title: "Azure Front Door",
    purges: "paths, by 100; a prefix where they are many; may take ten minutes",
    steps: \.frontDoorSteps
  ) { settings throws(CDNSettingsError) in
    FrontDoorCDN(
      subscription: try settings.name("subscription"),
      resourceGroup: try settings.nameInAnyScript("resourceGroup"),
      profile: try settings.name("profile"),
      endpoint: try settings.name("endpoint"), token: try settings.secret("token"),
      api: settings.address("api") ?? "https://management.azure.com")
  }
}

extension ServerSettings {
  fileprivate var frontDoorSteps: [String] {
    [
      """
      Config, \(configPath): a rule 'Route configuration override' with caching on, cache behavior 'Override always' and a
      duration of \(lifetimes.edge) s. Front Door reads Cache-Control, \(lifetimes.app) s, and Expires; the rule holds in their place, and
      no-store holds in any case.
      """,
      """
      Domains: name each one that readers use. Purges do not reach the domains of a wildcard.
      """,
      "Who may purge: only holders of a token whose role allows Microsoft.Cdn/profiles/afdEndpoints/Purge/action.",
      token(
        "an access token for https://management.azure.com/ of a service principal with this action on the resource group, "
          + "where the end of a purge is read, and nothing else. It is in force for about an hour: get one before a purge."
      ),
      "Time of a purge: up to ten minutes. If contentc stops waiting before, the same command finishes what was left.",
    ]
  }
}
