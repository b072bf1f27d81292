import ContentClientTesting
import ContentModel
import ContentPurging
import ContentTargets
import PropertyLists
import SiteFormat
import SystemC
import TestInputs
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The events that a client reports, and their order.
@Suite(.timeLimit(.minutes(10))) struct EventTests {
  private let scene: ClientScene

  init() throws { scene = try ClientScene() }

  private func isStorage(_ kind: ContentError.Kind, _ event: ContentEvent) -> Bool {
    guard case .storage(let error) = event else { return false }
    return error.kind == kind
  }

  /// The table in docs/reference/client.md has a row for each case: its declaration, and its doc comment.
  @Test func documentsEachEvent() throws {
    let source = try CheckedOutFiles.text("Sources/ContentClient/Updates/ContentEvent.swift")
    let cases = source.matches(of: /((?: {2}\/\/\/ .+\n)+) {2}case (.+)\n/)
    #expect(source.split(separator: "\n").count { $0.hasPrefix("  case ") } == cases.count)
    let rows = cases.map { found in
      let meaning = found.output.1.split(separator: "\n").map { $0.dropFirst(6) }
      return ["`\(found.output.2)`", meaning.joined(separator: " ")]
    }
    try DerivedTable(["event", "meaning"], rows).expect(in: "docs/reference/client.md")
  }

  @Test func reportsChecksBytesAndSwitchesInOrder() async throws {
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated)
    #expect(await log.has { $0 == .switched(release: 1) })
    let sizes = try scene.neededObjects().map { scene.memory.read($0.path)?.bytes.count ?? 0 }
    let events = log.events
    #expect(events.first == .looked(status: 200) && events.last == .switched(release: 1))
    let loaded = events.compactMap { if case .loaded(let bytes) = $0 { bytes } else { nil } }
    #expect(loaded.sorted() == sizes.sorted() && events.count == sizes.count + 2)
    #expect(await client.refreshed().isUnchanged)
    #expect(await log.has { $0 == .looked(status: 304) })
    scene.goOffline()
    #expect(await client.refreshed().failure != nil)
    #expect(await log.has { $0 == .failed(.noConnection) })
    #expect(
      log.events.suffix(3) == [
        .looked(status: 304), .looked(status: 0), .failed(.noConnection),
      ])
    #expect(log.events.map(\.description).allSatisfy { !$0.contains("shop.example") })
  }

  /// A refusal is one event, and no failure beside it.
  @Test func reportsARefusalWithItsReason() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let log = EventLog(client)
    try scene.serve(config: try scene.config { $0["app"] = "other" })
    let outcome = await client.refreshed()
    let error = try #require(outcome.failure)
    #expect(await log.has { $0 == .refused(error) })
    #expect(error.reason == "the config is of another app or channel")
    #expect(log.events == [.looked(status: 200), .refused(error)])
  }

  /// The bytes are those that were published, but no bundle.
  @Test func reportsContentThatCannotBeRead() async throws {
    var configuration = scene.configuration()
    let text = Array("no index".utf8)
    let digest = Digest(of: text)
    let config = try scene.config { $0["indexes"] = ["en": ["any": .data(digest.bytes)]] }
    configuration.transport = ScriptedTransport { request in
      ContentResponse(status: 200, body: request.url.hasSuffix("config.plist") ? config : text)
    }
    let client = try ContentClient(configuration)
    let log = EventLog(client)
    #expect(await client.refreshed().failure?.kind == .damaged)
    #expect(
      await log.has {
        guard case .failed(let error) = $0 else { return false }
        return error.kind == .damaged
      })
  }

  @Test func reportsAnEntryThatDoesNotDecode() async throws {
    struct Priced: Decodable { var price: Double }
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let log = EventLog(client)
    #expect(client.snapshot.entries(Priced.self, in: "catalog").isEmpty)
    #expect(
      await log.has { event in
        guard case .undecodable(let error) = event else { return false }
        return error.kind == .damaged && error.reason.contains("product/rose in 'catalog'")
      })
    let undecodable = log.events.filter { if case .undecodable = $0 { true } else { false } }
    #expect(undecodable.count == 2, "one for each entry that is left out")
  }

  @Test func reportsAPurgeOnce() async throws {
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let other = try scene.client(storing: true)
    let (log, otherLog) = (EventLog(client), EventLog(other))
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(await client.refreshed().isUpdated)
    #expect(await client.refreshed().isUnchanged)
    #expect(await log.has { $0 == .looked(status: 304) })
    #expect(log.events.filter { $0 == .purged(sequence: 1) }.count == 1)
    let (purge, shown) = (
      log.events.firstIndex(of: .purged(sequence: 1)),
      log.events.firstIndex(of: .switched(release: 2))
    )
    #expect(try #require(purge) < #require(shown), "a purge waits for no object")
    // The other process learns of it from the shared folder.
    await other.refresher.adoptOtherProcesses()
    #expect(await otherLog.has { $0 == .purged(sequence: 1) })
  }

  @Test func reportsAReleaseThatIsAvoided() async throws {
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    first.markHealthy()
    #expect(try await scene.stores { $0.trial == nil })
    try scene.publish(["entries/product/rose.yaml": "title: Crash\n"])
    #expect(await first.refreshed().isUpdated)
    for start in 1...2 {
      #expect(try scene.client(storing: true).title("product/rose") == "Crash")
      #expect(try await scene.stores { $0.trial?.starts == start })
    }
    let third = try scene.client(storing: true)
    #expect(third.title("product/rose") == "Rose")
    let log = EventLog(third)
    #expect(await log.has { $0 == .avoided(release: 2) })
    // Events before the first listener are for it alone.
    let later = EventLog(third)
    #expect(await third.refreshed().isUnchanged)
    #expect(await later.has { if case .looked = $0 { true } else { false } })
    #expect(!later.events.contains(.avoided(release: 2)))
  }

  @Test func reportsAStorageThatCannotBeWritten() async throws {
    let storage = EndingStorage(FolderStorage(scene.store), after: 0)
    let client = try ContentClient(scene.configuration(storing: true), storage: storage)
    let log = EventLog(client)
    #expect(await client.refreshed().failure?.kind == .storage)
    #expect(await log.has { isStorage(.storage, $0) })
    #expect(
      await log.has {
        guard case .failed(let error) = $0 else { return false }
        return error.kind == .storage && error.reason == "the disk is full"
      })
  }

  /// A refresh evicts nothing that it needs, even above the limit.
  @Test func reportsTheBytesThatTheLimitEvicts() async throws {
    var configuration = scene.configuration(storing: true)
    configuration.limits.storage = 1
    let client = try ContentClient(configuration)
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated)
    #expect(await client.refreshed().isUnchanged)
    #expect(await log.has { $0 == .looked(status: 304) })
    let needed = log.events
    #expect(needed.allSatisfy { if case .evicted = $0 { false } else { true } })
    try await client.prefetch(["product"])
    #expect(await log.has { if case .evicted = $0 { true } else { false } })
    let others = log.events.dropFirst(needed.count)
    let loaded = others.compactMap { if case .loaded(let bytes) = $0 { bytes } else { nil } }
    let evicted = others.compactMap { if case .evicted(let bytes) = $0 { bytes } else { nil } }
    #expect(evicted.allSatisfy { $0 > 0 } && evicted.reduce(0, +) <= loaded.reduce(0, +))
  }

  @Test func reportsAStorageThatCannotBeRead() async throws {
    scene.scratch.link("store", as: "store")
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(client.state == .empty)
    #expect(await log.has { isStorage(.storage, $0) })
  }
}
