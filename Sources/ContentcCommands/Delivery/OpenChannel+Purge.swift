import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import HTTPTransport
import System

extension OpenChannel {
  /// Returns the purge of the caches that content.yaml and the environment describe, and the
  /// problems with the others.
  ///
  /// Caches in `without` are out of service and left out.
  func makeCachePurge(
    without: [String] = []
  ) -> (caches: CachePurge, layers: [CacheLayer], problems: [String]) {
    // The slowest vendor answers within 30 seconds.
    let send = Self.send(requestSeconds: 30)
    var caches: [any CDN] = []
    var (layers, problems) = ([CacheLayer](), [String]())
    for layer in channel.caches where layer.isPurgeable && !without.contains(layer.name.rawValue) {
      do throws(CDNSettingsError) {
        caches.append(try CDNSettings(layer, environment: Environment.value).cdn())
        layers.append(layer)
      } catch {
        problems.append(error.description)
      }
    }
    if channel.url == nil, !caches.isEmpty {
      problems.append(
        "'\(channel.name)' has caches but no 'url', so the addresses to purge are unknown; add 'url' to "
          + "'\(channel.name)' in content.yaml")
    }
    var purge = CachePurge(caches, send: send, environment: .system)
    purge.whenSlow = notes.waits
    return (purge, layers, problems)
  }

  /// Returns the names of the caches that a purge did not reach, without those that it left out.
  func unreachedCaches(by outcome: Purge.Outcome) -> [String] {
    let failed = outcome.caches.filter { $0.failure != nil }.map(\.cache)
    var names: [String] = []
    for layer in channel.caches where layer.isPurgeable {
      let name = layer.name.rawValue
      if names.contains(name) || outcome.without.contains(name) { continue }
      let isUsable = (try? CDNSettings(layer, environment: Environment.value).cdn()) != nil
      if channel.url == nil || failed.contains(name) || !isUsable { names.append(name) }
    }
    return names
  }

  /// The names of caches that cannot be purged, because content.yaml has no settings for them.
  var cachesWithoutSettings: [String] {
    channel.caches.filter { !$0.isPurgeable }.map(\.name.rawValue)
  }

  /// Returns the purge of the channel.
  func makePurge(_ console: PurgeConsole, without: [String] = []) -> Purge {
    let times = project.lifetimes
    var (caches, layers, problems) = makeCachePurge(without: without)
    caches.progress = console.bar.advance
    var purge = Purge(
      place, caches: caches, site: site,
      times: Purge.Times(
        originTimeout: channel.originTimeout.seconds, app: times.app.seconds,
        origin: times.origin.seconds,
        offline: times.offline.seconds), environment: .system)
    purge.problems = problems
    purge.layers = layers
    purge.lifetimesWithout = without.map {
      (cache: $0, seconds: bound.correction.seconds - times.app.seconds)
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
