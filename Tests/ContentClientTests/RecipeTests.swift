import ContentClientTesting
import ContentModel
import ContentPurging
import ContentTargets
import PropertyLists
import SiteFormat
import TestInputs
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// A published shop whose catalog has a recipe for each of its variants, as the part of the rose has.
private struct RecipeShop {
  static let files = [
    "content.yaml": Shop.project("transfer: text"),
    "entries/product.yaml": (10..<110).map {
      "p\($0): {title: Product \($0) of the summer catalog}\n"
    }.joined(),
    "entries/product/rose.yaml": """
    title: Rose
    care: \((0..<300).map { "Water the rose on day \($0)." }.joined(separator: " "))

    """,
  ]

  let scene: ClientScene

  init() throws { scene = try ClientScene(Self.files) }

  /// Publishes the shop with other content of the startup bundle.
  func publishAnotherHome() throws {
    try scene.publish(
      Self.files.merging(["entries/screen/home.yaml": "hero: product/rose\n"]) { $1 })
  }

  /// The objects that readers of English need, except for the catalog.
  var index: SiteObject { get throws { try scene.neededObjects()[0] } }
  var texts: SiteObject { get throws { try scene.neededObjects()[2] } }

  /// The catalog of readers of English in no known country.
  var catalog: BundleRow.Version { get throws { try catalog(in: nil) } }

  func catalog(in country: String?) throws -> BundleRow.Version {
    try #require(try openIndex().rows["catalog"]).version(country: country, app: nil)
  }

  /// The list of the products, each of which is a bundle.
  var list: SiteObject { get throws { try #require(try openIndex().lists["product"]) } }

  /// The bundle with the rose alone.
  var rose: BundleRow.Version {
    get throws {
      let rows = try SiteParts(try bytes(of: list), of: "product", ending: "plist").rows
      return try #require(rows["product/rose"]).version(country: nil, app: nil)
    }
  }

  func bytes(of object: SiteObject) throws -> [UInt8] {
    try #require(scene.memory.read(object.path)).bytes
  }

  private func openIndex() throws -> SiteIndex {
    try SiteIndex(try bytes(of: index), ending: "plist")
  }

  /// Serves another recipe of the catalog, whose hash is right.
  func serve(recipe text: [UInt8]) throws {
    let object = SiteObject(Digest(of: text), ending: Recipe.fileExtension)
    try scene.serveIndex(with: [object.path: ContentResponse(status: 200, body: text)]) {
      $0.changeCatalog { row in
        row["text"] = [
          "layout": .integer(Int64(Recipe.layout)), "object": .data(object.digest.bytes),
          "size": .integer(Int64(text.count)),
        ]
      }
    }
  }

  /// The names of the files that clients have stored.
  var storedFiles: [String] {
    let folder = "\(scene.store)/objects"
    return FolderFile.names(in: folder).flatMap { FolderFile.names(in: "\(folder)/\($0)") }
  }
}

extension Members {
  /// Changes the row of the catalog in an index.
  fileprivate mutating func changeCatalog(_ change: (inout Members) -> Void) {
    guard var rows = self["bundles"]?.members, var row = rows["catalog"]?.members else { return }
    change(&row)
    rows["catalog"] = .dictionary(row)
    self["bundles"] = .dictionary(rows)
  }
}

extension [ContentEvent] {
  fileprivate var refusals: [ContentError] {
    compactMap { if case .refused(let error) = $0 { error } else { nil } }
  }

  fileprivate var loadedBytes: [Int] {
    compactMap { if case .loaded(let bytes) = $0 { bytes } else { nil } }
  }
}

/// An answer to the request for a recipe, for which no other request would fail.
private enum Fault: CaseIterable, Sendable {
  case forbidden, notFound, gone, otherBytes, cut, longer, huge, redirected

  func answer(to honest: ContentResponse) -> ContentResponse {
    let text = honest.body
    return switch self {
    case .forbidden: ContentResponse(status: 403, body: Array("forbidden".utf8))
    case .notFound: ContentResponse(status: 404, body: Array("not found".utf8))
    case .gone: ContentResponse(status: 410)
    case .otherBytes: ContentResponse(status: 200, body: text.reversed())
    case .cut: ContentResponse(status: 200, body: text.dropLast(text.count / 2))
    case .longer: ContentResponse(status: 200, body: text + [32])
    case .huge:
      ContentResponse(status: 200, body: text + [UInt8](repeating: 32, count: 20 * text.count))
    case .redirected:
      ContentResponse(status: 302, headers: [("Location", "https://elsewhere.example/a")])
    }
  }

  var kind: ContentError.Kind {
    switch self {
    case .forbidden, .notFound, .gone: .missing
    case .otherBytes, .cut, .longer, .huge, .redirected: .refused
    }
  }
}

/// A recipe with the right hash that does not make the catalog.
private enum ForeignRecipe: CaseIterable, Sendable {
  case otherTitle, longerTitle, duplicateEntry, noBundle, noJSON, deep, many

  func text(insteadOf recipe: [UInt8]) -> [UInt8] {
    let text = String(decoding: recipe, as: UTF8.self)
    let foreign =
      switch self {
      case .otherTitle: text.replacing("\"Rose\"", with: "\"Rosa\"")
      case .longerTitle:
        text.replacing("\"Rose\"", with: "\"\(String(repeating: "Rose", count: 100_000))\"")
      case .duplicateEntry: text.replacing("\"product/rose\"", with: "\"product/iris\"")
      case .noBundle: #"{"value":{}}"#
      case .noJSON: "no JSON"
      case .deep: String(repeating: "[", count: 100_000)
      case .many: #"{"value":["# + String(repeating: "1,", count: 500_000) + "1]}"
      }
    return Array(foreign.utf8)
  }
}

/// Bundles that clients make from recipes; docs/reference/output.md, "Recipes".
@Suite(.timeLimit(.minutes(5))) struct RecipeTests {
  private let shop: RecipeShop
  private let scene: ClientScene

  init() throws {
    shop = try RecipeShop()
    scene = shop.scene
  }

  /// The fields of the shown products.
  private func products(_ client: ContentClient) -> [EntryID: Members] {
    let products = client.snapshot.entries(in: "catalog").map { ($0.id, $0.fields) }
    return Dictionary(products) { first, _ in first }
  }

  @Test func aFirstLoadRequestsTheRecipeAndNotTheBundle() async throws {
    let catalog = try shop.catalog
    let recipe = try #require(catalog.recipe)
    #expect(catalog.size >= Recipe.smallestBundle)
    let requested = [try shop.index, recipe.object, try shop.texts]
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated)
    let paths = ["production/config.plist"] + requested.map(\.path)
    #expect(scene.requests().sorted() == paths.sorted())
    #expect(await log.has { $0 == .switched(release: 1) })
    let sizes = try requested.map { try shop.bytes(of: $0).count }
    #expect(sizes[1] == recipe.size && recipe.size != catalog.size)
    #expect(log.events.loadedBytes.sorted() == sizes.sorted() && log.events.refusals.isEmpty)
    #expect(scene.storage.bytes(of: catalog.object) == (try shop.bytes(of: catalog.object)))
    #expect(shop.storedFiles.contains(catalog.object.fileName))
    #expect(!shop.storedFiles.contains(recipe.object.fileName))
  }

  @Test func aClientWithoutRecipesShowsEqualContent() async throws {
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    try scene.serveIndex { $0.changeCatalog { row in row["text"] = nil } }
    _ = scene.requests()
    let other = try scene.client()
    #expect(await other.refreshed().isUpdated)
    #expect(scene.requests().contains(try shop.catalog.object.path))
    #expect(products(client).count == 102 && products(client) == products(other))
  }

  // MARK: Progress

  @Test func progressEndsWithTheBytesOfTheBundle() async throws {
    let client = try scene.client()
    let (gate, opening) = AsyncStream<Void>.makeStream()
    scene.transport.answer { [memory = scene.memory] request in
      for await _ in gate { break }
      return ClientScene.answer(request, from: memory)
    }
    let task = client.refresh(.context)
    let parts = task.progress
    opening.finish()
    var last = RefreshTask.Progress()
    for await part in parts { last = part }
    #expect(await task.outcome.isUpdated)
    let size = try shop.catalog.size
    #expect(last.totalBytes == size && last.receivedBytes == size)
  }

  @Test func progressCountsTheBundleWhileTheRecipeArrives() async throws {
    let catalog = try shop.catalog
    let (received, parts) = await receive(catalog) { $0 }
    #expect(received.recipeFault == nil)
    let counts = parts.map(\.receivedBytes)
    #expect(counts.count > 4 && counts == counts.sorted() && counts.last == catalog.size)
    #expect(parts.allSatisfy { $0.totalBytes == catalog.size })
  }

  /// An error page may be longer than the recipe.
  @Test(arguments: Fault.allCases)
  private func progressNeverExceedsTheTotal(fault: Fault) async throws {
    let catalog = try shop.catalog
    let (received, parts) = await receive(catalog, answer: fault.answer)
    #expect(received.recipeFault?.kind == fault.kind)
    #expect(try received.result.get().bytes == shop.bytes(of: catalog.object))
    #expect(parts.allSatisfy { (0...catalog.size).contains($0.receivedBytes) }, "\(parts)")
    #expect(parts.last?.receivedBytes == catalog.size)
  }

  @Test func progressIsNeverNegativeForATransportWithoutIt() async throws {
    let catalog = try shop.catalog
    let recipe = try #require(catalog.recipe)
    let text = ForeignRecipe.otherTitle.text(insteadOf: try shop.bytes(of: recipe.object))
    var foreign = catalog
    foreign.recipe?.object = SiteObject(Digest(of: text), ending: Recipe.fileExtension)
    foreign.recipe?.size = text.count
    let (received, parts) = await receive(foreign, reportsProgress: false) { _ in
      ContentResponse(status: 200, body: text)
    }
    #expect(received.recipeFault?.kind == .refused)
    #expect(parts.allSatisfy { $0.receivedBytes == 0 }, "\(parts)")
  }

  /// Requests a bundle of the shop, with another answer for its recipe; returns all values of
  /// progress, too.
  private func receive(
    _ version: BundleRow.Version, reportsProgress: Bool = true,
    answer: @escaping @Sendable (ContentResponse) -> ContentResponse
  ) async -> (Site.Received, [RefreshTask.Progress]) {
    let item = Requirements.Item(version)
    let (progress, seen) = (RefreshProgress(), Locked<[RefreshTask.Progress]>([]))
    let parts = progress.stream()
    let reading = Task { for await part in parts { seen.withLock { $0.append(part) } } }
    progress.expect(item.size)
    _ = await eventually { !seen.current.isEmpty }
    let transport = PieceTransport(seen: reportsProgress ? seen : nil) { [memory = scene.memory] in
      let honest = ClientScene.answer($0, from: memory)
      return $0.url.hasSuffix(".\(Recipe.fileExtension)") ? answer(honest) : honest
    }
    let site = Site(
      url: "https://shop.example", channel: "production", transport: transport, headers: [])
    let received = await site.received(item, isUrgent: true, progress: progress)
    progress.end()
    await reading.value
    return (received, seen.current)
  }

  // MARK: Faults

  /// Expects that a client requests the recipe, and then the bundle; that it shows and stores the
  /// bundle; and that it reports one refusal.
  private func expectBundle(
    insteadOf recipe: SiteObject, kind: ContentError.Kind,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let bundle = try shop.catalog.object
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated, sourceLocation: sourceLocation)
    let paths = [recipe.path, bundle.path]
    #expect(scene.requests().filter(paths.contains) == paths, sourceLocation: sourceLocation)
    let bytes = try shop.bytes(of: bundle)
    #expect(scene.storage.bytes(of: bundle) == bytes, sourceLocation: sourceLocation)
    #expect(client.title("product/rose") == "Rose", sourceLocation: sourceLocation)
    #expect(await log.has { $0 == .switched(release: 1) }, sourceLocation: sourceLocation)
    #expect(log.events.refusals.map(\.kind) == [kind], sourceLocation: sourceLocation)
    #expect(log.events.loadedBytes.contains(bytes.count), sourceLocation: sourceLocation)
    #expect(!shop.storedFiles.contains(recipe.fileName), sourceLocation: sourceLocation)
  }

  @Test(arguments: Fault.allCases)
  private func theBundleIsLoadedInsteadOfABadRecipe(fault: Fault) async throws {
    let recipe = try #require(try shop.catalog.recipe)
    scene.serve(recipe.object, as: fault.answer)
    try await expectBundle(insteadOf: recipe.object, kind: fault.kind)
  }

  @Test(arguments: ForeignRecipe.allCases)
  private func theBundleIsLoadedInsteadOfAForeignRecipe(foreign: ForeignRecipe) async throws {
    let recipe = try #require(try shop.catalog.recipe)
    let text = foreign.text(insteadOf: try shop.bytes(of: recipe.object))
    try #require(Digest(of: text) != recipe.object.digest)
    try shop.serve(recipe: text)
    try await expectBundle(
      insteadOf: SiteObject(Digest(of: text), ending: Recipe.fileExtension), kind: .refused)
  }

  /// Half of the recipes have the right hash, as if the publisher had damaged them.
  @Test func damagedRecipesLeadToTheRightBytes() async throws {
    let catalog = try shop.catalog
    let recipe = try #require(catalog.recipe)
    let (text, bundle) = (try shop.bytes(of: recipe.object), try shop.bytes(of: catalog.object))
    for seed in 0..<500 {
      var random = SeededGenerator(seed: seed)
      let damaged = random.damaged(text)
      var version = catalog
      if random.once(in: 2) {
        version.recipe?.object = SiteObject(Digest(of: damaged), ending: Recipe.fileExtension)
        version.recipe?.size = damaged.count
      }
      let transport = ScriptedTransport { [version] request in
        let isBundle = request.url.hasSuffix(version.object.path)
        return ContentResponse(status: 200, body: isBundle ? bundle : damaged)
      }
      let site = Site(
        url: "https://shop.example", channel: "production", transport: transport, headers: [])
      let received = await site.received(
        Requirements.Item(version), isUrgent: true, progress: RefreshProgress())
      #expect(try received.result.get().bytes == bundle, "\(seed)")
      #expect(
        transport.requests.count == (received.recipeFault == nil ? 1 : 2),
        "\(seed): \(String(describing: received.recipeFault))")
    }
  }

  /// Values of a row that this client does not know, or that are malformed.
  private static let unusable: [(key: String, value: Value?)] = [
    ("layout", 2), ("layout", 0), ("layout", nil), ("size", -1),
    ("size", .integer(Int64(Recipe.maximumSize + 1))), ("size", .integer(.max)), ("size", nil),
    ("object", nil), ("object", "abc"), ("object", .data([1, 2, 3])),
  ]

  @Test(arguments: unusable)
  func anUnusableRecipeIsNotRequested(key: String, value: Value?) async throws {
    try scene.serveIndex { index in
      index.changeCatalog { row in
        guard var text = row["text"]?.members else { return }
        text[key] = value
        row["text"] = .dictionary(text)
      }
    }
    try await expectNoRequestForARecipe()
  }

  @Test(arguments: ["objects/ab", 1, [], [:]] as [Value])
  func aRecipeThatIsNoDictionaryOfAllMembersIsNotRequested(text: Value) async throws {
    try scene.serveIndex { $0.changeCatalog { row in row["text"] = text } }
    try await expectNoRequestForARecipe()
  }

  private func expectNoRequestForARecipe() async throws {
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(await client.refreshed().isUpdated)
    let requests = scene.requests()
    #expect(requests.contains(try shop.catalog.object.path))
    #expect(!requests.contains { $0.hasSuffix(".\(Recipe.fileExtension)") })
    #expect(client.title("product/rose") == "Rose")
    #expect(await log.has { $0 == .switched(release: 1) })
    #expect(log.events.refusals.isEmpty)
  }

  // MARK: Outages

  /// An answer after which the request for the bundle would fail, too.
  private enum Outage: CaseIterable, Sendable {
    case busy, busyWithoutTheRecipe, error, unreachable, late, interrupted

    func answer() throws(TransportFailure) -> ContentResponse {
      let wait = [(name: "Retry-After", value: "120")]
      switch self {
      case .busy: return ContentResponse(status: 503, headers: wait)
      case .busyWithoutTheRecipe: return ContentResponse(status: 404, headers: wait)
      case .error: return ContentResponse(status: 500)
      case .unreachable: throw .unreachable
      case .late: throw .timedOut
      case .interrupted: throw .interrupted
      }
    }

    var asksToWait: Bool { self == .busy || self == .busyWithoutTheRecipe }

    var kind: ContentError.Kind {
      switch self {
      case .busy: .server(status: 503)
      case .busyWithoutTheRecipe: .missing
      case .error: .server(status: 500)
      case .unreachable: .unreachable
      case .late, .interrupted: .server(status: 0)
      }
    }
  }

  @Test(arguments: Outage.allCases)
  private func theBundleIsNotRequestedInAnOutage(outage: Outage) async throws {
    let catalog = try shop.catalog
    let recipe = try #require(catalog.recipe).object
    scene.transport.answer { [memory = scene.memory] request throws(TransportFailure) in
      if request.url.hasSuffix(recipe.path) { return try outage.answer() }
      return ClientScene.answer(request, from: memory)
    }
    let client = try scene.client(storing: true)
    let log = EventLog(client)
    #expect(await client.refreshed().failure?.kind == outage.kind)
    #expect(client.state == .empty)
    let requests = scene.requests()
    #expect(requests.count { $0 == recipe.path } == 1 && !requests.contains(catalog.object.path))
    #expect(
      await log.has {
        guard case .failed(let error) = $0 else { return false }
        return error.kind == outage.kind
      })
    #expect(log.events.refusals.isEmpty)
    scene.goOnline()
    if outage.asksToWait {
      guard case .postponed = await client.refresh(.user).outcome else {
        Issue.record("not postponed")
        return
      }
    }
    scene.clock.advance(by: 121)
    #expect(await client.refreshed().isUpdated)
    // An error may concern the recipe only.
    let path = outage == .error ? catalog.object.path : recipe.path
    #expect(scene.requests().filter { [recipe.path, catalog.object.path].contains($0) } == [path])
    #expect(client.title("product/rose") == "Rose")
  }

  /// The refresh fails as it does without recipes; the later attempts request the bundle only.
  @Test func aRefreshFailsIfTheBundleIsMissingToo() async throws {
    let catalog = try shop.catalog
    let paths = [try #require(catalog.recipe).object.path, catalog.object.path]
    scene.transport.answer { [memory = scene.memory] request in
      paths.contains { request.url.hasSuffix($0) }
        ? ContentResponse(status: 404) : ClientScene.answer(request, from: memory)
    }
    let client = try scene.client(storing: true)
    #expect(await scene.end(client.refresh(.context)).failure?.kind == .missing)
    #expect(
      scene.requests().filter(paths.contains) == paths + [String](repeating: paths[1], count: 3))
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
  }

  // MARK: Objects that need no recipe

  @Test func aStoredBundleIsNotRequested() async throws {
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    try shop.publishAnotherHome()
    _ = scene.requests()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    #expect(scene.requests() == ["production/config.plist", try shop.index.path])
    #expect(client.snapshot.release == 2 && client.title("product/rose") == "Rose")
  }

  @Test func aBakedBundleIsNotRequested() async throws {
    var configuration = scene.configuration(storing: true)
    configuration.baked = try scene.bake()
    try shop.publishAnotherHome()
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    #expect(scene.requests() == ["production/config.plist", try shop.index.path])
    #expect(client.snapshot.release == 2 && client.title("product/rose") == "Rose")
  }

  // MARK: Variants and parts

  @Test func eachVariantHasItsOwnRecipe() async throws {
    let (own, french) = (try shop.catalog, try shop.catalog(in: "FR"))
    let recipes = [try #require(own.recipe).object, try #require(french.recipe).object]
    #expect(own.object != french.object && recipes[0] != recipes[1])
    var configuration = scene.configuration(storing: true)
    configuration.context = ReaderContext(locales: ["en"], country: "FR")
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    let requests = scene.requests()
    #expect(requests.contains(recipes[1].path) && !requests.contains(recipes[0].path))
    #expect(!requests.contains(own.object.path) && !requests.contains(french.object.path))
    #expect(client.title("product/lily") == "Lily")
    #expect(scene.storage.bytes(of: french.object) == (try shop.bytes(of: french.object)))
  }

  /// Low Data Mode delays what nobody waits for.
  @Test(arguments: [true, false])
  func aPartOfASplitBundleHasItsOwnRecipe(isUrgent: Bool) async throws {
    let rose = try shop.rose
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    scene.transport.forgetRequests()
    if isUrgent {
      let care = try await client.snapshot.entries(loading: "product/rose").first?["care"]
      #expect(care != nil)
    } else {
      try await client.prefetch(["product/rose"])
    }
    #expect(scene.transport.requests.map(\.allowsConstrained) == [isUrgent, isUrgent])
    #expect(
      scene.requests() == [try shop.list.path, try #require(rose.recipe).object.path])
    #expect(scene.storage.bytes(of: rose.object) == (try shop.bytes(of: rose.object)))
  }

  @Test func aPartWithoutItsRecipeIsNotMissing() async throws {
    let rose = try shop.rose
    let recipe = try #require(rose.recipe).object
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let log = EventLog(client)
    scene.serve(recipe) { _ in ContentResponse(status: 404) }
    _ = scene.requests()
    // This reads no snapshot, which would begin the ten seconds of a trial.
    try await client.prefetch(["product/rose"])
    #expect(scene.requests() == [try shop.list.path, recipe.path, rose.object.path])
    #expect(scene.storage.bytes(of: rose.object) == (try shop.bytes(of: rose.object)))
    #expect(await log.has { $0 == .loaded(bytes: rose.size) })
    #expect(log.events.refusals.map(\.kind) == [.missing])
    for _ in 0..<100 { await Task.yield() }
    #expect(scene.clock.sleepers == 0, "no check of config waits")
  }

  @Test func lowDataModeRequestsNothingASecondTime() async throws {
    let recipe = try #require(try shop.rose.recipe).object
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    scene.transport.answer { [memory = scene.memory] request throws(TransportFailure) in
      if request.url.hasSuffix(recipe.path), !request.allowsConstrained { throw .unreachable }
      return ClientScene.answer(request, from: memory)
    }
    await #expect(throws: ContentError.noConnection) {
      try await client.prefetch(["product/rose"])
    }
    #expect(scene.requests() == [try shop.list.path, recipe.path])
    #expect(try await client.snapshot.entries(loading: "product/rose").count == 1)
    #expect(scene.requests() == [recipe.path])
  }

  // MARK: Purges

  @Test func aPurgeHidesEntriesOfBundlesWithRecipes() async throws {
    let catalog = try shop.catalog
    let recipe = try #require(catalog.recipe).object
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    let removed = Set(try SiteConfig(try scene.config).purge.objects)
    // Readers store no recipe.
    #expect(removed.contains(catalog.object.digest) && !removed.contains(recipe.digest))
    scene.loseObjects(status: 503)
    #expect(await client.refreshed().failure?.kind == .server(status: 503))
    #expect(client.title("product/rose") == nil)
    #expect(client.title("product/p10") == "Product 10 of the summer catalog")
    scene.goOnline()
    _ = scene.requests()
    #expect(await client.refreshed().isUpdated)
    let requests = scene.requests()
    #expect(requests.contains(try shop.catalog.object.path))
    #expect(!requests.contains { $0.hasSuffix(".\(Recipe.fileExtension)") }, "a purge makes none")
    #expect(client.snapshot.release == 2 && client.title("product/rose") == nil)
    #expect(client.title("product/p10") == "Product 10 of the summer catalog")
    let (files, bundle) = (shop.storedFiles, try shop.catalog.object.fileName)
    #expect(files.contains(bundle) && !files.contains(catalog.object.fileName))
    #expect(!files.contains { $0.hasSuffix(".\(Recipe.fileExtension)") })
  }
}

extension Requirements.Item {
  fileprivate init(_ version: BundleRow.Version) {
    self.init(
      object: version.object, size: version.size, isExact: true, recipe: version.recipe)
  }
}

extension SeededGenerator {
  /// Returns a text with some other bytes, a cut one, or a longer one.
  fileprivate mutating func damaged(_ text: [UInt8]) -> [UInt8] {
    var text = text
    switch below(5) {
    case 0:
      for _ in 0...below(3) { text[below(text.count)] ^= UInt8(1 + below(255)) }
    case 1: text.removeLast(1 + below(text.count))
    case 2: text.insert(UInt8(below(256)), at: below(text.count))
    case 3: text += text.prefix(1 + below(text.count))
    default: text += [UInt8](repeating: 32, count: 1 + below(200_000))
    }
    return text
  }
}

/// A transport that reports answers in pieces, and waits until a listener has seen each piece.
private struct PieceTransport: ContentTransport {
  /// What the listener has seen; `nil` to report nothing.
  let seen: Locked<[RefreshTask.Progress]>?
  let answer: @Sendable (ContentRequest) -> ContentResponse

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    let answer = answer(request)
    for start in stride(from: 0, to: answer.body.count, by: 1_000) {
      guard let seen else { break }
      let count = seen.current.count
      progress(min(1_000, answer.body.count - start))
      _ = await eventually { seen.current.count > count }
    }
    guard answer.body.count <= request.maximumBytes else { throw .tooLarge }
    return answer
  }
}
