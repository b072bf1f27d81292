import ContentClientTesting
import ContentModel
import ContentTargets
import Foundation
import PropertyLists
import SystemC
import TestInputs
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The stored folders, baked folders and sites of earlier versions, which `Scripts/make-exhibit.py`
/// recorded, in the client of today.
@Suite(.timeLimit(.minutes(10))) struct MuseumClientTests {
  private static let folder = "Tests/Exhibits"
  private static let all: [String] = {
    let path = CheckedOutFiles.path(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().filter { !$0.hasSuffix(".txt") }
  }()

  /// A copy of what an app of that time had stored, and the site of that time.
  private struct App {
    let scratch: ScratchFolder
    let transport = ScriptedTransport { _ throws(TransportFailure) -> ContentResponse in
      throw .unreachable
    }
    let project: String

    /// An hour after the last command of each exhibit: the stored entries may still be shown
    /// offline, and the signatures count.
    private static let now = Instant(secondsSince1970: 1_796_014_800)

    init(_ exhibit: String, _ project: String) throws {
      self.project = CheckedOutFiles.path("\(folder)/\(exhibit)/\(project)")
      scratch = try ScratchFolder(inMemory: true)
      try FileManager.default.copyItem(
        atPath: "\(self.project)/store", toPath: "\(scratch.path)/store")
    }

    /// The settings of `Scripts/exhibit-client.swift`.
    func configuration(isSigned: Bool) -> ContentConfiguration {
      var configuration = ContentConfiguration(
        url: "https://shop.example", app: "shop", channel: "qa")
      configuration.context = ReaderContext(locales: ["fr"])
      configuration.eager = ["catalog"]
      configuration.storage = .folder(path: "\(scratch.path)/store")
      configuration.transport = transport
      configuration.clock = ManualClock(now: Self.now)
      configuration.random = SeededRandom(seed: 1)
      if isSigned { configuration.trust = .pinned(path: "\(project)/content/keys/qa/1.json") }
      return configuration
    }

    /// Serves the site as it was when the exhibit was recorded.
    func goOnline() {
      transport.answer { [project] request in
        let path = request.url.dropFirst("https://shop.example/".count)
        guard let bytes = FileManager.default.contents(atPath: "\(project)/site/\(path)") else {
          return ContentResponse(status: 404)
        }
        return ContentResponse(status: 200, body: [UInt8](bytes))
      }
    }
  }

  @Test(arguments: all)
  func showsWhatAnEarlierVersionStored(_ exhibit: String) async throws {
    let app = try App(exhibit, "open")
    let client = try ContentClient(app.configuration(isSigned: false))
    #expect(client.snapshot.release == 5)
    #expect(client.title("product/rose") == "Rose rouge")
    #expect(client.title("product/tulip") == "Tulip again")
    #expect(client.title("product/lily") == nil)
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(client.title("product/rose") == "Rose rouge")
    app.goOnline()
    #expect(await client.refreshed().failure == nil)
    #expect(client.snapshot.release == 8)
    guard case .maintenance = client.state else {
      Issue.record("\(client.state)")
      return
    }
  }

  @Test(arguments: all)
  func followsTheKeysThatAnEarlierVersionStored(_ exhibit: String) async throws {
    let app = try App(exhibit, "signed")
    let client = try ContentClient(app.configuration(isSigned: true))
    #expect(client.snapshot.release == 3)
    #expect(client.title("product/tulip") == "Tulip")
    app.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.release == 4)
    #expect(client.title("product/tulip") == "Tulip again")
  }

  @Test(arguments: all, [false, true])
  func showsWhatAnEarlierVersionBaked(_ exhibit: String, isSigned: Bool) throws {
    let app = try App(exhibit, isSigned ? "signed" : "open")
    var configuration = app.configuration(isSigned: isSigned)
    configuration.storage = .memory
    if !isSigned { configuration.channel = "production" }
    configuration.baked = "\(app.project)/baked"
    let client = try ContentClient(configuration)
    #expect(client.title("product/rose") == "Rose rouge")
    #expect(client.title("product/tulip") == "Tulip again")
  }
}

/// A site or a stored folder of a later version: the client keeps the last content that it can read.
@Suite(.signedAndUnsigned) struct NewerSiteTests {
  private static let sentence = "was written by a newer contentc (format"

  private func sceneWithContent() async throws -> (ClientScene, ContentClient) {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    return (scene, client)
  }

  @Test(arguments: [3, 1 << 40])
  func keepsItsContentIfConfigIsOfALaterVersion(_ format: Int) async throws {
    let (scene, client) = try await sceneWithContent()
    let key = "production/config.plist"
    let stored = try #require(scene.memory.read(key)).bytes
    var members = try #require(try PropertyList.decode(stored).value.members)
    // A later format may lack everything else.
    members = ["format": .integer(Int64(format)), "app": members["app"] ?? "shop"]
    let newer = try PropertyList.encode(.dictionary(members), as: .binary)
    scene.transport.answer { _ in ContentResponse(status: 200, body: newer) }
    let failure = await client.refreshed().failure
    #expect(failure?.kind == .refused)
    #expect(failure?.description.contains("config \(Self.sentence) \(format))") == true)
    #expect(client.title("product/rose") == "Rose")
    scene.goOffline()
    #expect(try scene.client(storing: true).title("product/rose") == "Rose")
  }

  @Test(arguments: [0, -1, "x", 1.5] as [Value])
  func keepsItsContentIfNoVersionWritesTheFormatOfConfig(_ format: Value) async throws {
    let (scene, client) = try await sceneWithContent()
    let stored = try #require(scene.memory.read("production/config.plist")).bytes
    var members = try #require(try PropertyList.decode(stored).value.members)
    members["format"] = format
    let damaged = try PropertyList.encode(.dictionary(members), as: .binary)
    scene.transport.answer { _ in ContentResponse(status: 200, body: damaged) }
    let failure = await client.refreshed().failure
    #expect(failure != nil && failure?.description.contains("newer") == false)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func startsWithoutAStateOfALaterVersion() async throws {
    let (scene, _) = try await sceneWithContent()
    let path = "\(scene.store)/state.plist"
    let stored = try #require(FolderFile.contents(path, limit: 1 << 20))
    var members = try #require(try PropertyList.decode(stored).value.members)
    members["format"] = 2
    try FolderFile.replace(
      path, with: PropertyList.encode(.dictionary(members), as: .binary), isDurable: false)
    let error = #expect(throws: ContentError.self) { try scene.storage.state() }
    #expect(error?.kind == .damaged)
    #expect(error?.description.contains("\(Self.sentence) 2)") == true)
    let client = try scene.client(storing: true)
    #expect(client.snapshot.release == 0)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }
}

/// Objects of a later version below a config of a known format, in a channel without signatures.
@Suite struct NewerObjectTests {
  @Test func keepsItsContentIfTheIndexIsOfALaterVersion() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    try scene.serveIndex { $0["format"] = 2 }
    let failure = await client.refreshed().failure
    #expect(failure?.kind == .damaged, "\(String(describing: failure))")
    #expect(client.title("product/rose") == "Rose")
    try scene.publish(["entries/product/rose.yaml": "title: Newest\n"])
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Newest")
  }

  @Test func keepsItsContentIfABundleIsOfALaterVersion() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    var found: Digest?
    try scene.serveIndex { found = $0["bundles"]?["catalog"]?["object"]?.digest }
    let known = try #require(found)
    let path = "objects/\(known.hex.prefix(2))/\(known.hex).plist"
    let stored = try #require(scene.memory.read(path)).bytes
    var bundle = try #require(try PropertyList.decode(stored).value.members)
    bundle["format"] = 2
    let newer = try PropertyList.encode(.dictionary(bundle), as: .binary)
    let digest = Digest(of: newer)
    let response = ContentResponse(status: 200, body: newer)
    try scene.serveIndex(with: ["\(digest.hex).plist": response]) { index in
      var bundles = index["bundles"]?.members ?? Members()
      var row = bundles["catalog"]?.members ?? Members()
      (row["object"], row["size"]) = (.data(digest.bytes), .integer(Int64(newer.count)))
      bundles["catalog"] = .dictionary(row)
      index["bundles"] = .dictionary(bundles)
      index["startup"] = nil
    }
    let failure = await client.refreshed().failure
    #expect(failure?.description.contains("bundle 'catalog' was written by a newer") == true)
    #expect(client.title("product/rose") == "Rose")
  }
}
