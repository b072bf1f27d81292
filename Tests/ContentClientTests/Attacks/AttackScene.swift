import ContentClientTesting
import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

extension ClientScene {
  /// The published config, without its signatures.
  var config: [UInt8] {
    get throws { Envelope.config(in: try #require(memory.read("production/config.plist")).bytes) }
  }

  /// Returns the published config after a change.
  func config(_ change: (inout Members) -> Void) throws -> [UInt8] {
    var members = try #require(try PropertyList.decode(config).value.members)
    change(&members)
    return try PropertyList.encode(.dictionary(members), as: .binary)
  }

  /// Serves a config, signed if the channel is, and the objects of the target.
  func serve(config: [UInt8]) throws {
    let bytes = try sealed(config)
    transport.answer { [memory] request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: bytes) : Self.answer(request, from: memory)
    }
  }

  /// Serves the target, but changes the answers to requests for one object.
  func serve(
    _ object: SiteObject, as change: @escaping @Sendable (ContentResponse) -> ContentResponse
  ) {
    transport.answer { [memory] request in
      let answer = Self.answer(request, from: memory)
      return request.url.hasSuffix(object.path) ? change(answer) : answer
    }
  }

  /// The objects without which the published release is not shown: the index, the catalog and the
  /// texts for maintenance.
  func neededObjects(_ locale: String = "en") throws -> [SiteObject] {
    let config = try SiteConfig(try self.config)
    let served = ServedContext(locale: ExactString(locale), device: "any")
    let index = try #require(config.index(served))
    let bytes = try #require(memory.read(index.path)).bytes
    let rows = try SiteIndex(bytes, ending: "plist").rows
    let catalog = try #require(rows["catalog"]).version(for: ReaderContext(locales: [locale]))
    return [index, catalog.object] + [config.maintenancePayload(served)].compactMap(\.self)
  }

  /// Publishes a second release in which each needed object except the texts for maintenance
  /// differs.
  func publishAnother() throws { try publish(Self.another) }

  /// Returns a client that stores and shows release 1; release 2 is published.
  func clientOfFirstRelease() async throws -> ContentClient {
    let client = try client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try publishAnother()
    return client
  }

  /// The languages differ in no length: a server can offer each in place of the other.
  static let another = [
    "entries/product/rose.yaml": "title: New\n", "entries/product/rose.fr.yaml": "title: Neu\n",
  ]

  /// Ends a refresh: lets time pass while it waits.
  func end(_ task: RefreshTask) async -> RefreshOutcome {
    let ended = Locked<RefreshOutcome?>(nil)
    Task {
      let outcome = await task.outcome
      ended.withLock { $0 = outcome }
    }
    while true {
      if let outcome = ended.current { return outcome }
      if clock.sleepers > 0 { clock.advance(by: 1) }
      await Task.yield()
    }
  }
}

/// The events of a client, as they happen.
///
/// A class, since a task adds events while a test reads them.
final class EventLog: Sendable {
  private let log = Locked<[ContentEvent]>([])
  private let task: Task<Void, Never>

  init(_ client: ContentClient) {
    let (events, log) = (client.events, log)
    task = Task { for await event in events { log.withLock { $0.append(event) } } }
  }

  deinit { task.cancel() }

  var events: [ContentEvent] { log.current }

  /// Waits for an event, and returns whether it happened.
  func has(_ condition: (ContentEvent) -> Bool) async -> Bool {
    for _ in 0..<100_000 {
      if events.contains(where: condition) { return true }
      await Task.yield()
    }
    return false
  }

  /// Waits for a refusal whose reason contains some words.
  func hasRefusal(_ words: String) async -> Bool {
    await has { event in
      guard case .refused(let error) = event else { return false }
      return error.kind == .refused && error.reason.contains(words)
    }
  }
}
