import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The avoidance of a release that ends the app, and purges of the content before it.
@Suite(.timeLimit(.minutes(10))) struct TrialTests {
  private let scene: ClientScene
  /// Files that replace files of the shop, or are added to them.
  private let files: [String: String]

  init() throws { try self.init(files: [:]) }

  private init(files: [String: String]) throws {
    (scene, self.files) = (try ClientScene(files), files)
  }

  /// Makes two starts with release 2 on trial, and returns the second client; release 1 has proved
  /// itself.
  private func startTwice() async throws -> ContentClient {
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    #expect(first.title("product/rose") == "Rose")
    first.markHealthy()
    #expect(try await scene.stores { $0.trial == nil })
    try scene.publish(files.merging(["entries/product/rose.yaml": "title: Crash\n"]) { $1 })
    #expect(await first.refreshed().isUpdated)
    #expect(try await scene.stores { $0.trial?.starts == 1 })
    let second = try scene.client(storing: true)
    #expect(second.title("product/rose") == "Crash")
    #expect(try await scene.stores { $0.trial?.starts == 2 })
    return second
  }

  /// Serves a release 3 that purges earlier content, and whose objects cannot be loaded.
  private func servePurge(of minimumRelease: Int64, entries: Value = []) throws {
    let config = try scene.config {
      $0["release"] = 3
      $0["indexes"] = ["en": ["any": .data([UInt8](repeating: 7, count: 32))]]
      $0["purge"] = [
        "sequence": 1, "minimumRelease": .integer(minimumRelease), "objects": [],
        "entries": entries,
      ]
    }
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: config) : ContentResponse(status: 500)
    }
  }

  /// Waits until a client's state is stored.
  private func expectPurge(of client: ContentClient) async throws {
    #expect(await client.refreshed().failure?.kind == .server(status: 500))
    #expect(try await scene.stores { $0.purgeSequence == 1 })
  }

  /// Short uses are starts on trial, too.
  @Test func showingTheOlderReleaseEndsNoAvoidance() async throws {
    _ = try await startTwice()
    for start in 1...4 {
      #expect(try scene.client(storing: true).title("product/rose") == "Rose")
      #expect(try await scene.stores { $0.trial == .init(release: 1, starts: start) })
    }
    #expect(try scene.storage.state()?.avoided?.release == 2)
  }

  /// An update of the app takes away the objects that only its former version had.
  @Test func theOlderReleaseGetsTheBundlesThatItLacks() async throws {
    _ = try await startTwice()
    let third = try scene.client(storing: true)
    #expect(third.title("product/rose") == "Rose")
    #expect(try await scene.stores { $0.avoided?.release == 2 && $0.shown?.release == 1 })
    let object = try #require(third.snapshot.content?.object(of: "catalog")).object
    scene.storage.remove(object)
    let fourth = try scene.client(storing: true)
    #expect(fourth.snapshot.release == 1 && fourth.title("product/rose") == nil)
    scene.loseObjects(status: 503)
    #expect(await fourth.refreshed().failure?.kind == .server(status: 503))
    #expect(fourth.title("product/rose") == nil)
    scene.goOnline()
    scene.clock.advance(by: 3600)
    #expect(await fourth.refreshed().isUpdated)
    #expect(fourth.snapshot.release == 1 && fourth.title("product/rose") == "Rose")
    #expect(await fourth.refreshed().isUnchanged)
  }

  /// Returns a suite whose files contain many products.
  ///
  /// The client cannot request the objects of all these products at the same time.
  private static func withManyProducts() throws -> Self {
    let products = (10..<50).map { ("entries/product/p\($0).yaml", "title: P\($0)\n") }
    return try Self(files: Dictionary(uniqueKeysWithValues: products))
  }

  /// Returns a client that shows release 1, since release 2 is avoided, and that lacks the catalog
  /// and all products.
  ///
  /// Also returns the objects of the catalog and of the list of products.
  private func startWithoutBundles() async throws -> (
    client: ContentClient, catalog: SiteObject, list: SiteObject
  ) {
    _ = try await startTwice()
    let third = try scene.client(storing: true)
    #expect(third.title("product/rose") == "Rose")
    #expect(try await scene.stores { $0.avoided?.release == 2 && $0.shown?.release == 1 })
    let content = try #require(third.snapshot.content)
    let catalog = try #require(content.object(of: "catalog")).object
    let list = try #require(content.index.lists["product"])
    scene.storage.remove(catalog)
    var configuration = scene.configuration(storing: true)
    configuration.eager = ["catalog", "product"]
    return (try ContentClient(configuration), catalog, list)
  }

  /// An object of an older release may be missing for good.
  @Test(arguments: ["catalog", "product"] as [BundleName])
  func bundlesOfTheOlderReleaseArriveDespiteAMissingObject(lost: BundleName) async throws {
    let tests = try Self.withManyProducts()
    let scene = tests.scene
    let (fourth, catalog, list) = try await tests.startWithoutBundles()
    let missing = lost == "catalog" ? catalog : list
    func rose(in bundle: BundleName) -> Value? {
      fourth.snapshot.entry("product/rose", in: bundle)?["title"]
    }
    #expect(rose(in: "catalog") == nil && rose(in: "product") == nil)
    let updates = UpdateLog(fourth)
    scene.transport.answer { [memory = scene.memory] request in
      request.url.hasSuffix(missing.path)
        ? ContentResponse(status: 404) : ClientScene.answer(request, from: memory)
    }
    #expect(await fourth.refreshed().failure?.kind == .missing)
    let arrived: BundleName = lost == "catalog" ? "product" : "catalog"
    #expect(rose(in: lost) == nil && rose(in: arrived) == "Rose")
    #expect(await updates.names([[arrived]]))
  }

  /// The site may have removed an older release.
  @Test(arguments: [403, 404])
  func missingObjectsOfTheOlderReleaseAreRequestedOnce(status: Int) async throws {
    let tests = try Self.withManyProducts()
    let scene = tests.scene
    let (fourth, catalog, list) = try await tests.startWithoutBundles()
    scene.transport.answer { [memory = scene.memory] request in
      request.url.hasSuffix("config.plist") || request.url.hasSuffix(list.path)
        ? ClientScene.answer(request, from: memory) : ContentResponse(status: status)
    }
    _ = scene.requests()
    var all: [String] = []
    for refresh in 0..<20 {
      #expect(await fourth.refreshed().failure?.kind == .missing)
      let sent = scene.requests().filter { !$0.hasSuffix("config.plist") && $0 != list.path }
      #expect(sent.count <= 4 && (refresh < 19 || sent.isEmpty), "\(refresh): \(sent)")
      all += sent
    }
    #expect(all.count > 40 && Set(all).count == all.count && all.contains(catalog.path))
  }

  /// A server that forbids one object may forbid all.
  @Test func aForbiddenObjectOfTheOlderReleaseEndsTheRequests() async throws {
    let (fourth, catalog, list) = try await startWithoutBundles()
    scene.loseObjects(status: 403)
    _ = scene.requests()
    #expect(await fourth.refreshed().failure?.kind == .missing)
    let sent = scene.requests()
    #expect(sent.contains(list.path) && !sent.contains(catalog.path), "\(sent)")
  }

  @Test func aMissingObjectHidesNoGraverFailure() async throws {
    let tests = try Self.withManyProducts()
    let scene = tests.scene
    let (fourth, catalog, list) = try await tests.startWithoutBundles()
    scene.transport.answer { [memory = scene.memory] request in
      if request.url.hasSuffix("config.plist") || request.url.hasSuffix(list.path) {
        return ClientScene.answer(request, from: memory)
      }
      if request.url.hasSuffix(catalog.path) { return ContentResponse(status: 404) }
      // The client has noticed the missing catalog by then.
      for _ in 0..<100 { await Task.yield() }
      return ContentResponse(status: 503)
    }
    #expect(await fourth.refreshed().failure?.kind == .server(status: 503))
  }

  /// The language was chosen without a connection.
  @Test func theOlderReleaseIsLoadedInAnotherLanguage() async throws {
    _ = try await startTwice()
    let third = try scene.client(storing: true)
    #expect(third.title("product/rose") == "Rose")
    scene.goOffline()
    #expect(await third.select(ReaderContext(locales: ["fr"])).failure != nil)
    #expect(third.snapshot.locale == "en")
    scene.goOnline()
    scene.clock.advance(by: 3600)
    #expect(await third.refreshed().isUpdated)
    #expect(third.snapshot.release == 1 && third.snapshot.locale == "fr")
  }

  @Test func aPurgeWithoutItsObjectsKeepsTheReleaseOnTrial() async throws {
    let second = try await startTwice()
    try servePurge(of: 0, entries: ["product/iris"])
    try await expectPurge(of: second)
    let third = try scene.client(storing: true)
    #expect(third.snapshot.release == 2 && third.state == .content)
    #expect(third.title("product/rose") == "Crash" && third.title("product/iris") == nil)
  }

  /// A release that ends the app now and then is better than no content.
  @Test(arguments: [true, false])
  func aPurgeOfTheOlderReleaseShowsTheAvoidedReleaseAgain(isRead: Bool) async throws {
    _ = try await startTwice()
    let third = try scene.client(storing: true)
    if isRead {
      #expect(third.title("product/rose") == "Rose")
      #expect(try await scene.stores { $0.avoided?.release == 2 && $0.shown?.release == 1 })
    }
    try servePurge(of: 2)
    try await expectPurge(of: third)
    #expect(third.title("product/rose") != "Rose")
    for _ in 0..<2 {
      let next = try scene.client(storing: true)
      #expect(next.snapshot.release == 2 && next.state == .content)
      #expect(next.title("product/rose") == "Crash")
      _ = try await scene.stores { $0.shown?.release == 2 }
    }
  }
}
