import ContentClientTesting
package import ContentModel
import PropertyLists
import SiteFormat

@testable package import ContentClient

/// An app that reads a site with `ContentClient`, and looks for a newer release when a test says
/// so.
package struct ClientReader: Sendable {
  /// Returns a file's bytes, or `nil` for status 404; throws if no server answers.
  package typealias Fetch = @Sendable (_ key: String) throws -> [UInt8]?

  package let client: ContentClient

  private static let site = "https://site.example"

  /// Creates a reader without content.
  package init(_ configuration: ContentConfiguration) throws {
    client = try ContentClient(configuration)
  }

  /// Creates a reader without content, which loads the bundles `eager` with each release, and
  /// perhaps pins the key document at a path.
  ///
  /// Without a `unit`, the reader is outside all rollouts.
  package init(
    app: String = "shop", channel: String, locale: String, device: String = "any",
    eager: [BundleName] = ["catalog", "home", "product"], clock: StoppedClock = StoppedClock(),
    pinning document: String? = nil, unit: String? = nil,
    fetch: @escaping Fetch
  ) throws {
    var configuration = ContentConfiguration(url: Self.site, app: app, channel: channel)
    configuration.context = ReaderContext(locales: [locale], device: device)
    configuration.eager = eager
    if let document { configuration.trust = .pinned(path: document) }
    configuration.unit = unit
    configuration.transport = ScriptedTransport { request throws(TransportFailure) in
      try Self.answer(request, fetch)
    }
    (configuration.clock, configuration.random) = (clock, SeededRandom(seed: 1))
    try self.init(configuration)
  }

  /// Answers as a file server does.
  private static func answer(
    _ request: ContentRequest, _ fetch: Fetch
  ) throws(TransportFailure) -> ContentResponse {
    let bytes: [UInt8]?
    do { bytes = try fetch(String(request.url.dropFirst(site.count + 1))) } catch {
      throw .unreachable
    }
    guard let bytes else { return ContentResponse(status: 404) }
    let tag = "\"\(Digest(of: bytes).hex.prefix(16))\""
    if request.entityTag == tag { return ContentResponse(status: 304) }
    return ContentResponse(status: 200, headers: [("ETag", tag)], body: bytes)
  }

  /// Looks for a newer release, and returns `true` if the newest one is shown.
  package func refresh() async -> Bool {
    // This reason obeys no wait after a refused release.
    let outcome = await client.refresh(.context).outcome
    // The removal of what a purge replaced does not delay the outcome.
    await client.refresher.tidying?.value
    return switch outcome {
    case .updated, .unchanged: true
    case .postponed, .failed: false
    }
  }

  /// The visible content by entry id, of all stored bundles; a later bundle overrides earlier ones.
  package var screen: [String: Value] {
    let snapshot = client.snapshot
    var entries: [String: Value] = [:]
    for name in snapshot.bundles {
      let parts = snapshot.content?.rows(ofFamily: name)?.keys.sorted() ?? [name]
      for entry in parts.flatMap({ snapshot.entries(in: $0) }) {
        entries[entry.id.text] = .dictionary(entry.fields)
      }
    }
    return entries
  }

  /// The number of the release in use; 0 without content.
  package var shownRelease: Int { client.snapshot.release }

  /// The stored objects, by hash.
  package var disk: [Digest: [UInt8]] {
    get async {
      let storage = await client.refresher.shelf.storage
      let objects = storage.objects().map { ($0.object.digest, storage.bytes(of: $0.object) ?? []) }
      return Dictionary(objects) { first, _ in first }
    }
  }
}

/// A clock whose time only a test changes, and on which each wait ends at once.
///
/// A class, since client and test share the time.
package final class StoppedClock: ContentClock {
  private let time: Locked<Instant>

  /// Creates a clock; by default, at 2027-01-15T08:00:00Z.
  package init(_ now: Instant = Instant(secondsSince1970: 1_800_000_000)) { time = Locked(now) }

  package var now: Instant { time.withLock { $0 } }

  package var uptime: Uptime { Uptime(boot: "boot", seconds: 1_000) }

  package func sleep(seconds: Double) async throws { try Task.checkCancellation() }

  package func set(_ now: Instant) { time.withLock { $0 = now } }
}
