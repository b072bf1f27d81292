import ContentClientTesting
import ContentModel
import ContentPurging
import SiteFormat
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

@Suite struct StorageTests {
  /// A process that starts another program has a copy of each descriptor until that program runs.
  @Test func aCopyOfTheDescriptorKeepsNoLock() throws {
    let scene = try ClientScene()
    let folder = "\(scene.scratch.path)/store"
    let storage = FolderStorage(folder)
    let held = try storage.exclusively(waits: true) { () throws(ContentError) -> Int32 in
      var (lock, other) = (stat(), stat())
      guard stat("\(folder)/lock", &lock) == 0 else { return -1 }
      let number = (0..<Int32(1 << 16)).first {
        fstat($0, &other) == 0 && other.st_dev == lock.st_dev && other.st_ino == lock.st_ino
      }
      return number.map { dup($0) } ?? -1
    }
    let copy = try #require(held)
    #expect(copy >= 0)
    defer { close(copy) }
    #expect(
      try storage.exclusively(waits: false) { () throws(ContentError) -> Bool in true } == true)
  }

  @Test func showsStoredContentOffline() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    scene.goOffline()
    _ = scene.requests()
    let client = try scene.client(storing: true)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
    #expect(scene.requests().isEmpty)
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func startsAnewForAnotherChannel() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    var configuration = scene.configuration(storing: true)
    configuration.channel = "qa"
    #expect(try ContentClient(configuration).state == .empty)
  }

  /// An update of the app may name another host of the same site.
  @Test(.signedAndUnsigned) func showsStoredContentAfterTheAddressChanged() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    scene.goOffline()
    var configuration = scene.configuration(storing: true)
    configuration.url = "https://cdn.shop.example/v2"
    let client = try ContentClient(configuration)
    #expect(client.state == .content && client.title("product/rose") == "Rose")
    _ = scene.requests()
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(
      scene.transport.requests.allSatisfy { $0.url.hasPrefix("https://cdn.shop.example/v2/") })
    // Another server gave that tag.
    #expect(scene.transport.requests.allSatisfy { $0.entityTag == nil })
  }

  /// The numbers of another site's releases say nothing about those of the stored one.
  @Test(arguments: [1, 2, 3]) func acceptsTheFirstReleaseFromAnotherAddress(count: Int) async throws
  {
    let scene = try ClientScene()
    try scene.publish(["entries/product/rose.yaml": "title: Staged\n"])
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let other = TestSite(app: "shop", channel: "production")
    for _ in 1...count { other.publish(["catalog": ["product/rose": ["title": "Real"]]]) }
    var configuration = scene.configuration(storing: true)
    configuration.url = "https://other.example"
    configuration.transport = other.transport
    let client = try ContentClient(configuration)
    #expect(client.title("product/rose") == "Staged")
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Real" && client.snapshot.release == count)
    // From then on, a lower release is refused again, also after a start.
    let older = TestSite(app: "shop", channel: "production")
    configuration.transport = older.transport
    let next = try ContentClient(configuration)
    #expect(next.title("product/rose") == "Real")
    guard count > 1 else { return }
    older.publish(["catalog": ["product/rose": ["title": "Old"]]])
    #expect(await next.refreshed().failure?.reason.contains("is older than") == true)
  }

  /// A release or a purge from the known address would be out of reach.
  @Test(arguments: [(2_000_000, 0), (2, 2_000_000)] as [(Int64, Int64)])
  func acceptsAnyNumberFromAnotherAddress(release: Int64, purge: Int64) async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    try scene.serve(
      config: try scene.config {
        $0["release"] = .integer(release)
        $0["purge"] = ["sequence": .integer(purge)]
      })
    let known = try scene.client(storing: true)
    #expect(await known.refreshed().failure?.reason.contains("is too far above") == true)
    var configuration = scene.configuration(storing: true)
    // The scene's server expects an address of this length.
    configuration.url = "https://mall.example"
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "New")
  }

  /// The journal only knows what changed: without it, everything may have.
  @Test(arguments: ["empty", "cut", "flipped", "missing"])
  func aDamagedJournalCountsAsAbsent(damage: String) async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    let token = first.token
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    #expect(await first.refreshed().isUpdated)
    let path = "\(scene.store)/journal.plist"
    let good = try #require(FolderFile.contents(path, limit: 1 << 20))
    let bad =
      switch damage {
      case "cut": Array(good.dropLast(good.count / 2))
      case "flipped": good.map { $0 ^ 0x55 }
      default: [UInt8]()
      }
    if damage == "missing" {
      unlink(path)
    } else {
      try FolderFile.replace(path, with: bad, isDurable: false)
    }
    let client = try scene.client(storing: true)
    #expect(client.title("product/rose") == "New" && client.state == .content)
    #expect(client.changes(since: token).extent(in: "catalog") == .everything)
    try scene.publish(["entries/product/rose.yaml": "title: Newer\n"])
    let known = client.token
    #expect(await client.refreshed().isUpdated)
    #expect(client.changes(since: known).extent(in: "catalog") != .everything)
  }

  /// Every byte of the state is damaged once; nothing traps, and a refresh repairs it.
  @Test(.signedAndUnsigned) func damagedStateCountsAsAbsent() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let path = "\(scene.scratch.path)/store/state.plist"
    let good = try #require(FolderFile.contents(path, limit: 1 << 20))
    for place in stride(from: 0, to: good.count, by: 7) {
      var bad = good
      bad[place] ^= 0xFF
      try FolderFile.replace(path, with: bad, isDurable: false)
      let client = try scene.client(storing: true)
      #expect([.content, .empty, .withdrawn, .expired].contains(client.state))
    }
    try FolderFile.replace(path, with: Array(good.prefix(good.count / 2)), isDurable: false)
    let client = try scene.client(storing: true)
    #expect(client.state == .empty)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test(.signedAndUnsigned) func damagedObjectsAreLoadedAgain() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let store = FolderStorage("\(scene.scratch.path)/store")
    for (object, _) in store.objects() {
      let path = try #require(store.path(of: object))
      var bytes = try #require(FolderFile.contents(path, limit: 1 << 20))
      bytes[bytes.count / 2] ^= 1
      try FolderFile.replace(path, with: bytes, isDurable: false)
    }
    let client = try scene.client(storing: true)
    #expect(client.title("product/rose") == nil)
    _ = await client.refreshed()
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func evictsWhatIsNotNeededAboveTheLimit() async throws {
    let scene = try ClientScene()
    var configuration = scene.configuration(storing: true)
    configuration.limits.storage = 1
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    try await client.prefetch(["product"])
    let store = FolderStorage("\(scene.scratch.path)/store")
    // The index, the catalog, the texts for maintenance and the list of the products stay.
    #expect(store.objects().count == 4, "\(store.objects().map(\.object.path))")
    #expect(client.title("product/rose") == "Rose")
  }
}

extension StorageTests {
  static let pictures = [
    "datatypes/product.yaml": """
    fields:
      title: {type: string, required: true, localized: true}
      care: {type: text, localized: true}
      price: {type: number}
      picture: {type: asset}
    projections:
      light: [title]

    """,
    "entries/product/rose.yaml": "title: Rose\nprice: 1\npicture: rose.svg\n",
    "entries/product/iris.yaml": "title: Iris\nprice: 3\npicture: iris.svg\n",
    "assets/rose.svg": #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="2"></svg>"#,
    "assets/iris.svg": #"<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"></svg>"#,
  ]

  private func picture(_ name: String, _ snapshot: ContentSnapshot) async throws -> String {
    let entries = try await snapshot.entries(loading: BundleName("product/\(name)") ?? "none")
    return try await snapshot.file(of: try #require(entries.first?.asset("picture")))
  }

  /// A part and its asset that were loaded in an earlier process, and not used in this one.
  @Test func keepsTheFilesOfUnusedParts() async throws {
    let scene = try ClientScene(Self.pictures)
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    let path = try await picture("rose", first.snapshot)
    let second = try scene.client(storing: true)
    try scene.publish(
      Self.pictures.merging(["entries/product/lily.yaml": "title: New\n"]) { $1 })
    #expect(await second.refreshed().isUpdated)
    #expect(access(path, F_OK) == 0)
    // The list of the parts was loaded with the release, since the last one was stored.
    scene.goOffline()
    #expect(try await picture("rose", second.snapshot) == path)
  }

  @Test func keepsTheFilesOfHeldSnapshots() async throws {
    let scene = try ClientScene(Self.pictures)
    var configuration = scene.configuration(storing: true)
    configuration.limits.storage = 1
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    var held: ContentSnapshot? = client.snapshot
    let rose = try await picture("rose", try #require(held))
    let iris = try await picture("iris", try #require(held))
    #expect(access(rose, F_OK) == 0 && access(iris, F_OK) == 0)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    #expect(await client.refreshed().isUpdated)
    #expect(access(rose, F_OK) == 0 && access(iris, F_OK) == 0)
    held = nil
    try scene.publish(["entries/product/rose.yaml": "title: Newer\n"])
    #expect(await client.refreshed().isUpdated)
    #expect(access(rose, F_OK) != 0 && access(iris, F_OK) != 0, "no snapshot uses them")
  }

  /// Most systems record no time of reading, or one a day.
  @Test func evictsTheLeastRecentlyUsed() async throws {
    let scene = try ClientScene(Self.pictures)
    let storage = StallingStorage(scene.storage) {}
    let client = try ContentClient(scene.configuration(storing: true), storage: storage)
    #expect(await client.refreshed().isUpdated)
    let paths = [
      try await picture("rose", client.snapshot), try await picture("iris", client.snapshot),
    ]
    func pictures() -> [SiteObject] {
      scene.storage.objects().map(\.object).filter { $0.ending == "svg" }
    }
    for (path, hours) in zip(paths, [9, 4]) {
      let past = timespec(tv_sec: time(nil) - hours * 3600, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, path, [past, past], 0) == 0)
    }
    let (rose, iris) = (pictures()[0], pictures()[1])
    scene.storage.noteUse(of: rose)
    #expect(pictures() == [iris, rose])
    #expect(scene.storage.objects(usedWithin: 3600).contains(rose))
    #expect(!scene.storage.objects(usedWithin: 3600).contains(iris))
    // Each use by the app is noted.
    storage.forgetUses()
    _ = try await picture("iris", client.snapshot)
    #expect(storage.uses == [iris])
  }

  /// The default of a configuration.
  @Test func hasFilesWithoutAFolder() async throws {
    let scene = try ClientScene(Self.pictures)
    var path = ""
    do {
      let client = try scene.client()
      #expect(await client.refreshed().isUpdated)
      let snapshot = client.snapshot
      path = try await picture("rose", snapshot)
      #expect(FolderFile.contents(path, limit: 1_000)?.starts(with: "<svg".utf8) == true)
      _ = scene.requests()
      #expect(try await picture("rose", snapshot) == path)
      #expect(scene.requests().isEmpty)
    }
    #expect(await eventually { access(path, F_OK) != 0 })
  }

  @Test func purgesReachTheFilesOfHeldSnapshots() async throws {
    let scene = try ClientScene(Self.pictures)
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    let entries = try await held.entries(loading: "product/rose")
    let picture = try #require(entries.first?.asset("picture"))
    let path = try await held.file(of: picture)
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    #expect(await client.refreshed().isUpdated)
    #expect(access(path, F_OK) != 0)
    await #expect(throws: ContentError.self) { try await held.file(of: picture) }
  }
}
