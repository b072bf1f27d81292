import ContentClientTesting
import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import TestInputs
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Objects that are altered on the disk, or that cannot be decoded although they are as published.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct DamageTests {
  private func alter(_ object: SiteObject, _ scene: ClientScene) throws {
    let path = "\(scene.store)/\(object.path)"
    var bytes = try #require(FolderFile.contents(path, limit: 1 << 20))
    bytes[bytes.count / 2] ^= 1
    try FolderFile.replace(path, with: bytes, isDurable: false)
  }

  /// The catalog of the shown release keeps its size, and another release is whole.
  @Test(arguments: [true, false]) func showsWholeContentInstead(ofTheApp isBaked: Bool) async throws
  {
    let scene = try ClientScene()
    var configuration = scene.configuration(storing: true)
    if isBaked { configuration.baked = try scene.bake() }
    if !isBaked { #expect(await (try ContentClient(configuration)).refreshed().isUpdated) }
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    let first = try ContentClient(configuration)
    #expect(await first.refreshed().isUpdated)
    try alter(try #require(first.snapshot.content?.object(of: "catalog")?.object), scene)
    scene.goOffline()
    let client = try ContentClient(configuration)
    #expect(await eventually { client.title("product/rose") == "Rose" })
    #expect(client.snapshot.release == 1 && client.state == .content)
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(client.title("product/rose") == "Rose")
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "New" && client.snapshot.release == 2)
    client.markHealthy()
    #expect(try await scene.stores { $0.trial == nil })
    #expect(try ContentClient(configuration).title("product/rose") == "New")
  }

  // MARK: Bundles that do not decode

  /// Serves a site whose files a test writes.
  ///
  /// With `losesHome`, the site has the bundle `home`, too, and answers 500 for it while that is
  /// `true`.
  private func serve(
    _ scene: ClientScene, format: Int = 1, list: [UInt8]? = nil, bundle: [UInt8],
    losesHome: Locked<Bool>? = nil
  ) throws -> ContentConfiguration {
    @Sendable func object(_ bytes: [UInt8]) -> SiteObject {
      SiteObject(Digest(of: bytes), ending: "plist")
    }
    func row(_ bytes: [UInt8]) -> Value {
      ["object": .data(object(bytes).digest.bytes), "size": .integer(Int64(bytes.count))]
    }
    var files = [bundle]
    var bundles: Members = ["catalog": row(bundle)]
    if list != nil {
      let rows = try PropertyList.encode(
        ["format": 1, "entries": ["rose": row(bundle)]], as: .binary)
      files.append(rows)
      bundles = ["catalog": ["list": .data(object(rows).digest.bytes), "count": 1]]
    }
    let home = try PropertyList.encode(
      ["format": 1, "order": [], "entries": [:]], as: .binary)
    if losesHome != nil {
      files.append(home)
      bundles["home"] = row(home)
    }
    let index = try PropertyList.encode(
      ["format": .integer(Int64(format)), "bundles": .dictionary(bundles), "startup": [:]],
      as: .binary)
    files.append(index)
    var config = try #require(try PropertyList.decode(scene.config).value.members)
    var indexes = try #require(config["indexes"]?.members)
    indexes["en"] = ["any": .data(object(index).digest.bytes)]
    config["indexes"] = .dictionary(indexes)
    let sent = try scene.sealed(PropertyList.encode(.dictionary(config), as: .binary))
    let memory = scene.memory
    scene.transport.answer { [files] request in
      if request.url.hasSuffix("config.plist") { return ContentResponse(status: 200, body: sent) }
      if losesHome?.current == true, request.url.hasSuffix(object(home).path) {
        return ContentResponse(status: 500)
      }
      let file = files.first { request.url.hasSuffix(object($0).path) }
      return file.map { ContentResponse(status: 200, body: $0) }
        ?? ClientScene.answer(request, from: memory)
    }
    var configuration = scene.configuration()
    if losesHome != nil { configuration.eager = ["catalog", "home"] }
    return configuration
  }

  /// Returns a bundle with products whose titles may all be damaged.
  private func bundle(_ titles: [String] = ["Rose"], isDamaged: Bool) throws -> [UInt8] {
    let ids = titles.map { "product/\($0.lowercased())" }
    let entries = zip(ids, titles).map { id, title -> (String, Value) in
      (id, ["datatype": "product", "content": ["title": .string(title)]])
    }
    var bytes = try PropertyList.encode(
      [
        "format": 1, "order": .array(ids.map { .string($0) }),
        "entries": .dictionary(Members(entries)),
      ], as: .binary)
    for title in titles where isDamaged {
      // No property list has a value of this type.
      bytes[try #require(bytes.firstIndex(of: Array("T\(title)".utf8)))] = 0x70
    }
    return bytes
  }

  @Test(arguments: [true, false])
  func leavesOutOnlyWhatCannotBeRead(isSplit: Bool) async throws {
    for isDamaged in [false, true] {
      let scene = try ClientScene()
      let configuration = try serve(
        scene, list: isSplit ? [] : nil, bundle: bundle(isDamaged: isDamaged))
      let client = try ContentClient(configuration)
      let log = EventLog(client)
      #expect(await client.refreshed().isUpdated)
      #expect(client.state == .content && client.snapshot.entries(in: "catalog").count == 1)
      #expect(client.title("product/rose") == (isDamaged ? nil : "Rose"))
      guard isDamaged else { continue }
      #expect(
        await log.has { $0.storageReason?.hasPrefix("product/rose of bundle 'catalog") == true })
    }
  }

  @Test(arguments: [
    (["Rose"], "product/rose of bundle"),
    (["Rose", "Iris"], "product/rose and 1 other entry of bundle"),
    (["Rose", "Iris", "Lily"], "product/rose and 2 other entries of bundle"),
  ])
  func countsTheEntriesThatCannotBeRead(titles: [String], words: String) async throws {
    let scene = try ClientScene()
    let client = try ContentClient(
      try serve(scene, bundle: bundle(titles, isDamaged: true)))
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated)
    #expect(await log.has { $0.storageReason?.hasPrefix(words) == true })
  }

  /// The bundle arrives in a refresh that fails because of another object.
  @Test(arguments: [true, false], [true, false])
  func checksTheBundlesOfAFailedRefresh(isSplit: Bool, hasEntries: Bool) async throws {
    let scene = try ClientScene()
    let losesHome = Locked(true)
    // The client can open both.
    let bytes =
      try hasEntries
      ? bundle(isDamaged: true)
      : PropertyList.encode(["format": 1, "entries": "damaged"], as: .binary)
    let client = try ContentClient(
      try serve(scene, list: isSplit ? [] : nil, bundle: bytes, losesHome: losesHome))
    let log = EventLog(client)
    #expect(await client.refreshed().failure?.kind == .server(status: 500))
    losesHome.withLock { $0 = false }
    let outcome = await client.refreshed()
    if hasEntries {
      #expect(outcome.isUpdated)
      #expect(await log.has { $0.storageReason?.hasPrefix("product/rose of bundle") == true })
    } else {
      #expect(outcome.failure?.kind == .damaged && client.state == .empty)
    }
  }

  /// The next process does not take the release for whole either.
  @Test(arguments: [true, false])
  func refusesABundleThatIsNoPropertyList(isSplit: Bool) async throws {
    let scene = try ClientScene()
    var configuration = try serve(scene, list: isSplit ? [] : nil, bundle: Array("bplist00".utf8))
    configuration.storage = .folder(path: scene.store)
    for _ in 0..<2 {
      let client = try ContentClient(configuration)
      #expect(client.state == .empty)
      #expect(await client.refreshed().failure?.kind == .damaged)
      #expect(client.state == .empty)
    }
  }

  @Test func refusesAnIndexOfAnotherFormat() async throws {
    let scene = try ClientScene()
    let client = try ContentClient(
      try serve(scene, format: 2, bundle: bundle(isDamaged: false)))
    #expect(await client.refreshed().failure?.kind == .damaged)
    #expect(client.state == .empty)
  }
}

extension ContentEvent {
  /// The reason of a storage event about damage.
  fileprivate var storageReason: String? {
    guard case .storage(let error) = self, error.kind == .damaged else { return nil }
    return error.reason
  }
}
