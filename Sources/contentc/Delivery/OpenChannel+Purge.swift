import ContentDelivery
import ContentModel
import ContentSource
import HTTPTransport

extension OpenChannel {
  /// What makes the channel's caches forget.
  ///
  /// - Throws: what content.yaml or the environment lacks.
  func cachePurge() throws -> CachePurge {
    let caches = try channel.caches.map { try CDNSettings($0, environment: Environment.value).cdn() }
    guard caches.isEmpty || channel.url != nil else {
      throw Failure(
        .usage, "missing-url", "'\(channel.name)' has caches, but no 'url': nobody knows what they are to forget")
    }
    return CachePurge(caches, send: Self.send(requestSeconds: 30), surroundings: .system)
  }

  /// What takes things away from the channel's readers.
  func purge() throws -> Purge {
    let times = project.lifetimes
    return Purge(
      place, caches: try cachePurge(), site: site,
      times: Purge.Times(
        originTimeout: channel.originTimeout.seconds, app: times.app.seconds, origin: times.origin.seconds,
        offline: times.offline.seconds), surroundings: .system)
  }

  /// What readers get, if the project says where.
  var site: PublicSite? {
    channel.url.map {
      PublicSite($0.withoutTrailingSlashes, send: Self.send(requestSeconds: 10), surroundings: .system)
    }
  }

  static func send(requestSeconds: Int) -> CachePurge.Send {
    var limits = HTTPLimits()
    limits.requestMilliseconds = requestSeconds * 1_000
    limits.silentSeconds = requestSeconds
    limits.answerBytes = 4 << 20
    let client = HTTPClient(limits: limits, certificates: Environment.value(of: "SSL_CERT_FILE"))
    return { request throws(HTTPFailure) in try client.send(request) }
  }
}
