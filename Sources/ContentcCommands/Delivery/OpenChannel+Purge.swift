import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import HTTPTransport
import System

/// The caches of a channel that can be purged, and the problems with the others.
struct ReachableCaches {
  var purge: CachePurge
  /// The items of these caches in content.yaml, in the same order.
  var layers: [CacheLayer] = []
  /// The reasons for which other caches cannot be purged, as sentences.
  var problems: [String] = []
  /// What to do about environment variables that are not set, as sentences.
  var advice: [String] = []
}

extension OpenChannel {
  /// Returns the purge of the caches that content.yaml and the environment describe, and the
  /// problems with the others.
  ///
  /// Caches and machines in `without` are out of service and left out.
  func reachableCaches(without: [OmittedCache] = []) -> ReachableCaches {
    let requestSeconds = 30  // The slowest vendor answers within this time.
    let send = Self.send(requestSeconds: requestSeconds)
    var caches: [any CDN] = []
    var (layers, problems, advice) = ([CacheLayer](), [String](), [String]())
    for layer in channel.purgeableCaches(without: without) {
      do throws(CDNSettingsError) {
        caches.append(try CDNSettings(layer, environment: Environment.value).cdn())
        layers.append(layer)
      } catch {
        problems.append(error.description)
        if let remedy = error.advice { advice.append(remedy) }
      }
    }
    if channel.url == nil, !caches.isEmpty {
      problems.append(
        "'\(channel.name)' has caches but no 'url', so the addresses to purge are unknown; add 'url' to "
          + "'\(channel.name)' in content.yaml")
    }
    var purge = CachePurge(caches, send: send, environment: .system)
    purge.requestSeconds = requestSeconds
    purge.whenSlow = notes.waits
    let isSafe = isEmergency
    purge.whenNodeIsSlow = { [notes] node in notes.say(node.sentence(isEmergency: isSafe)) }
    return ReachableCaches(
      purge: purge, layers: layers, problems: problems.distinct, advice: advice.distinct)
  }

  /// Returns the caches and machines that a purge did not reach, without those that it left out.
  ///
  /// The result has a cache without its machines if the purge reached none of them.
  func unreachedCaches(
    by outcomes: [CachePurge.Outcome], without: [OmittedCache]
  ) -> [OmittedCache] {
    var unreached: [OmittedCache] = []
    let layers = channel.purgeableCaches(without: without)
    for name in layers.map(\.name.rawValue).distinct {
      let items = layers.filter { $0.name.rawValue == name }
      let nodes = items.flatMap(\.nodeHosts)
      let isUnusable = items.contains {
        (try? CDNSettings($0, environment: Environment.value).cdn()) == nil
      }
      let failures = outcomes.filter { $0.cache == name && $0.failure != nil }
      let failed = failures.flatMap(\.failedNodes).distinct.filter(nodes.contains)
      if channel.url == nil || isUnusable || (!failures.isEmpty && failed.count == nodes.count) {
        unreached.append(OmittedCache(cache: name))
      } else {
        unreached += failed.map { OmittedCache(cache: name, node: $0) }
      }
    }
    return unreached
  }

  /// The names of caches that cannot be purged, because content.yaml has no settings for them.
  var cachesWithoutSettings: [String] {
    channel.caches.filter { !$0.isPurgeable }.map(\.name.rawValue)
  }

  /// Returns the purge of the channel.
  func makePurge(_ console: PurgeConsole, without: [OmittedCache] = []) -> Purge {
    let times = project.lifetimes
    var caches = reachableCaches(without: without)
    caches.purge.progress = console.bar.advance
    var purge = Purge(
      place, caches: caches.purge, site: site,
      times: Purge.Times(
        originTimeout: channel.originTimeout.seconds, app: times.app.seconds,
        origin: times.origin.seconds,
        offline: times.offline.seconds), environment: .system)
    purge.problems = caches.problems
    purge.layers = caches.layers
    purge.lifetimesWithout = without.map {
      (cache: $0.word, seconds: bound.correction.seconds - times.app.seconds)
    }
    purge.extras = publisher.extras
    return purge
  }

  /// Returns an observer of a session of purges, which prints each step.
  ///
  /// Once the session finishes an earlier purge, Control-C says so, unless the session's own release is
  /// live.
  func watch(_ console: PurgeConsole) -> Purge.Watch {
    var isPublished = false
    return { event in
      switch event.step {
      case .published: isPublished = true
      case .resuming(let purge) where !isPublished:
        Terminal.setLastLine(
          "Interrupted: purge \(purge.begun.number) of '\(channel.name)' is live, but not finished; run the same command again"
        )
      default: break
      }
      console.watch(event)
    }
  }

  /// The public site; `nil` if the channel has no `url`.
  var site: PublicSite? {
    channel.url.map {
      PublicSite(
        $0.withoutTrailingSlashes, send: Self.send(requestSeconds: 10), environment: .system)
    }
  }

  /// Returns a function that sends requests, each of which may take a number of seconds.
  static func send(requestSeconds: Int) -> CachePurge.Send {
    var limits = HTTPLimits()
    limits.requestMilliseconds = requestSeconds * 1_000
    limits.silentSeconds = requestSeconds
    limits.answerBytes = 4 << 20
    let client = HTTPClient(limits: limits, certificates: Environment.value(of: "SSL_CERT_FILE"))
    return { request throws(HTTPFailure) in try client.send(request) }
  }
}

extension CachePurge.SlowNode {
  /// The state of the other machines, and the longest wait, as a sentence.
  func sentence(isEmergency: Bool) -> String {
    let done =
      confirmed.isEmpty
      ? "no other node of \(cache) has confirmed yet"
      : "confirmed by \(confirmed.count) of \(count) nodes of \(cache): "
        + confirmed.joined(separator: ", ")
    let wait = TimeSpan(seconds: seconds).map { "; waiting for at most \($0)" } ?? ""
    return "  \(done)\(wait)" + (isEmergency ? "; Ctrl-C is safe" : "")
  }
}
