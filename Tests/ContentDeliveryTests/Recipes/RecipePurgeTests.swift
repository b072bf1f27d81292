import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges of content that recipes have, too.
@Suite struct RecipePurgeTests {
  private let memory = MemoryTarget()
  private var place: ChannelPlace { ChannelPlace(memory) }
  private static let rose = RecipeShop.rose
  private static let bad = RecipeShop.bad

  private func live() throws -> LiveRelease { try #require(try place.live()) }

  /// A way to purge a swear word in the title of the rose.
  enum Way: CaseIterable {
    case entry, field, locale, restoration, replacement, release

    /// The files with the swear word.
    fileprivate var files: [String: String] {
      self == .locale
        ? ["entries/product/rose.fr.yaml": "title: \(RecipeShop.bad)\n"] : RecipeShop.badRose
    }

    fileprivate var order: PurgeOrder {
      var order = PurgePlanTests.order([RecipeShop.rose])
      switch self {
      case .entry: break
      case .field: order = PurgePlanTests.order([RecipeShop.rose], fields: ["title"])
      case .locale: order.locales = ["fr"]
      case .restoration: order.remedy = .restoration
      case .replacement: order.remedy = .replacement([("title", "Fine")])
      case .release: order.subject = .release(2)
      }
      return order
    }
  }

  @Test(arguments: Way.allCases) func removesRecipesWithTheContent(way: Way) throws {
    try RecipeShop.shop().publish(to: place)
    try RecipeShop.shop(way.files).publish(to: place)
    if way != .release {
      // Earlier copies are in other bundles.
      try RecipeShop.shop(way.files.merging(RecipeShop.otherLily) { $1 }).publish(to: place)
    }
    let before = try place.storedRecipes()
    #expect(try place.files(holding: Self.bad).contains(where: \.isRecipe))
    let iris = try place.namedRecipes(of: ["product/iris"])
    let outcome = try place.purge(way.order)
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try place.files(holding: Self.bad) == [] && place.broken() == [])
    // Caches are asked for these objects.
    let removed = outcome.objects.filter(\.isRecipe)
    let after = try place.storedRecipes()
    #expect(!removed.isEmpty && before.subtracting(after) == Set(removed.map(\.key)))
    #expect(after.isSubset(of: before), "a purge writes no recipe")
    #expect(try place.namedRecipes() == place.listedRecipes())
    #expect(try place.namedRecipes(of: ["product/iris"]) == iris && !iris.isEmpty)
    #expect(try live().record.members["format"] == 2)
    // Readers store bundles, and no recipes.
    let named = (try live().purge?["objects"]?.items ?? []).compactMap(\.digest)
    #expect(!named.isEmpty && Set(named).isDisjoint(with: removed.map(\.digest)))
  }

  @Test func removesTheRecipesOfBundlesWithAnAsset() throws {
    let picture = PurgePlanTests.picture.merging([
      "entries/product/rose.yaml": RecipeShop.product("title: Rose\npicture: rose.bin")
    ]) { $1 }
    try RecipeShop.shop(picture).publish(to: place)
    let asset = Digest(of: Array("a rose".utf8))
    #expect(try place.files(holding: asset.hex).contains(where: \.isRecipe))
    let outcome = try place.purge(PurgeOrder(.asset(asset), reason: "A swear word"))
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try !place.files(holding: asset.hex).contains(where: \.isRecipe))
    #expect(try place.namedRecipes() == place.listedRecipes() && place.broken() == [])
  }

  @Test func refusesARecipeAsAnAsset() throws {
    try RecipeShop.shop().publish(to: place)
    let recipe = try #require(try live().record.objects.first(where: \.isRecipe))
    let error = try place.refusal(of: PurgeOrder(.asset(recipe.digest), reason: "x"))
    #expect(error?.description.contains("is no asset but part of the release") == true)
  }

  @Test(arguments: [true, false])
  func removesRecipesOfEarlierReleasesOnly(hasRecipes: Bool) throws {
    let tulip = ["entries/product/tulip.yaml": RecipeShop.product("title: \(Self.bad)")]
    try RecipeShop.shop(tulip).publish(to: place)
    try RecipeShop.shop(
      ["entries/product/tulip.yaml": RecipeShop.product("title: Fine")],
      transfer: hasRecipes ? "text" : "binary"
    ).publish(to: place)
    var order = PurgePlanTests.order(["product/tulip"])
    try place.purge(order)
    #expect(try place.files(holding: Self.bad).contains(where: \.isRecipe))
    let recipes = try place.listedRecipes()
    order.takesHistory = true
    let outcome = try place.purge(order)
    #expect(outcome.isRecorded && outcome.objects.contains(where: \.isRecipe))
    #expect(try place.files(holding: Self.bad) == [] && place.broken() == [])
    #expect(try place.listedRecipes() == recipes && place.namedRecipes() == recipes)
  }

  /// Its release says that it shows the entry.
  @Test func removesAnUnreadableRecipeOfAnEarlierRelease() throws {
    let path = "entries/product/tulip.yaml"
    let shop = RecipeShop.shop([path: RecipeShop.product("title: \(Self.bad)")])
    let recipe = Array(#"{"early":[],"value":{}}"#.utf8)
    let content = try shop.content().addingRecipe(recipe)
    _ = try shop.publisher(of: place).publish { _ in Draft(content: content) }
    let key = Digest(of: recipe).objectPath(extension: Recipe.fileExtension)
    #expect(memory.read(key) != nil)
    try RecipeShop.shop([path: RecipeShop.product("title: Fine")]).publish(to: place)
    var order = PurgePlanTests.order(["product/tulip"])
    order.takesHistory = true
    let outcome = try place.purge(order)
    #expect(outcome.isRecorded && memory.read(key) == nil)
    #expect(try place.files(holding: Self.bad) == [] && place.broken() == [])
  }

  @Test func removesTheRecipesOfBothSidesOfARollout() throws {
    try RecipeShop.shop(RecipeShop.badRose).publish(to: place)
    let shop = RecipeShop.shop(RecipeShop.badRose.merging(RecipeShop.otherLily) { $1 })
    let next = try shop.content()
    _ = try shop.publisher(of: place).publish { live in
      try Draft(content: next).beginning(
        Rollout(name: "r2", below: Rollout.everyone / 10, release: Rollout.beginning),
        after: try #require(live), of: place)
    }
    let outcome = try place.purge(PurgePlanTests.order([Self.rose]))
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try live().rollout != nil && place.files(holding: Self.bad) == [])
    #expect(try place.namedRecipes() == place.listedRecipes() && place.broken() == [])
    #expect(try !place.namedRecipes(of: ["product/lily"]).isEmpty)
  }

  @Test func aPurgeInTheSameWordsRemovesReturnedRecipes() throws {
    let order = PurgePlanTests.order([Self.rose], commandWords: [Self.rose])
    let shop = RecipeShop.shop(RecipeShop.badRose)
    try shop.publish(to: place)
    let recipes = try place.listedRecipes()
    try place.purge(order)
    #expect(try place.isDone(order))
    try shop.publish(to: place, unpurged: ["all"])
    #expect(try place.listedRecipes() == recipes && place.broken() == [])
    #expect(try !place.isDone(order))
    try place.purge(order)
    #expect(try place.isDone(order) && place.files(holding: Self.bad) == [])
  }

  /// Readers load the bundle instead.
  @Test func aMissingRecipeStopsNoPurge() throws {
    try RecipeShop.shop(Way.locale.files).publish(to: place)
    let before = try place.namedRecipes(of: [Self.rose])
    for key in before { memory.remove(key) }
    let outcome = try place.purge(Way.locale.order)
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try place.files(holding: Self.bad) == [])
    #expect(try place.shown(Self.rose) == ["en": "Rose"])
    // English readers keep their bundle, whose row still names the recipe.
    #expect(try !place.listedRecipes().isDisjoint(with: before))
  }

  /// Readers wait for that release.
  @Test(arguments: Way.allCases.filter { $0 != .release })
  func readsNoRecipeBeforeItsReleaseIsLive(way: Way) throws {
    try RecipeShop.shop().publish(to: place)
    try RecipeShop.shop(way.files).publish(to: place)
    var scripted = ScriptedTarget(memory) { _, work throws(TargetError) in try work() }
    scripted.readError = { $0.isRecipe ? TargetError(.failed, "a recipe was read") : nil }
    let place = ChannelPlace(scripted)
    let live = try #require(try place.live())
    _ = try Purge(withoutCachesAt: place).begin(
      way.order, after: live, through: place.publisher(run: "purge"))
    #expect(try place.live()?.number == 3)
  }

  @Test func refusesTheReleasesWhoseRecipesItRemoved() throws {
    try RecipeShop.shop(RecipeShop.badRose).publish(to: place)
    try place.purge(PurgePlanTests.order([Self.rose]))
    #expect(throws: DeliveryError.self) { try place.rollBack(to: 1) }
    let live = try live()
    var purged = try PurgedReleases(PurgeList(place, live: live))
    let (isFirst, isLive) = (
      try purged.contains(place.rollbackTarget(1)), try purged.contains(live.record)
    )
    #expect(isFirst && !isLive)
  }

  @Test func restoresAnEntryWithoutItsRecipes() throws {
    let path = "entries/product/tulip.yaml"
    try RecipeShop.shop([path: RecipeShop.product("title: Tulip")]).publish(to: place)
    try RecipeShop.shop([path: RecipeShop.product("title: \(Self.bad)")]).publish(to: place)
    try place.purge(PurgePlanTests.order(["product/tulip"]))
    let stored = try place.storedRecipes()
    let outcome = try place.purge(PurgePlanTests.order(["product/tulip"], .restoration))
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try place.shown("product/tulip") == ["en": "Tulip", "fr": "Tulip"])
    #expect(try place.namedRecipes(of: ["product/tulip", "catalog"]) == [])
    #expect(try place.namedRecipes() == place.listedRecipes() && place.broken() == [])
    #expect(try place.storedRecipes().isSubset(of: stored))
    #expect(try !place.namedRecipes(of: ["product/iris"]).isEmpty)
  }

  @Test func keepsTheRecipesThatAnotherChannelShows() throws {
    let other = ChannelPlace(memory, channel: "qa")
    let shop = RecipeShop.shop(RecipeShop.badRose)
    for place in [place, other] { try shop.publish(to: place) }
    let order = PurgePlanTests.order([Self.rose])
    let outcome = try place.purge(order)
    #expect(outcome.kept.contains { $0.object.isRecipe } && outcome.removed == 0)
    #expect(try other.broken() == [] && other.namedRecipes() == other.listedRecipes())
    try other.purge(order)
    #expect(try place.files(holding: Self.bad) == [])
  }

  /// A backup of `objects/` was restored.
  @Test func aPruneRemovesReturnedRecipesAtOnce() throws {
    try RecipeShop.shop(RecipeShop.badRose).publish(to: place)
    let backup = memory.copy()
    let outcome = try place.purge(PurgePlanTests.order([Self.rose]))
    let keys = outcome.objects.filter(\.isRecipe).map(\.key)
    for key in keys { memory.overwrite(key, with: try #require(backup.read(key)).bytes) }
    var prune = Prune(
      memory, keep: 10, grace: .days(30), now: Instant(secondsSince1970: 1_800_000_000))
    (prune.own, prune.purges) = (place, PurgeList.purges)
    #expect(try Set(prune.returnedObjects()) == Set(keys))
    #expect(try Set(prune.run().purged) == Set(keys))
    #expect(try place.files(holding: Self.bad) == [] && place.broken() == [])
  }
}

extension ReleaseContent {
  /// Returns the content with a recipe that shows each product, as the build record says.
  fileprivate func addingRecipe(_ bytes: [UInt8]) throws -> ReleaseContent {
    let reader = ReleaseReader(self)
    var (new, files) = (self, [Digest: [UInt8]]())
    func add(_ bytes: [UInt8], as fileExtension: String) -> Value {
      let digest = Digest(of: bytes)
      files[digest] = bytes
      new.objects.append(
        ReleaseObject(digest: digest, fileExtension: fileExtension, size: bytes.count))
      return .data(digest.bytes)
    }
    func add(_ members: Members) throws -> Value {
      add(try PropertyList.encode(.dictionary(members), as: .binary), as: "plist")
    }
    let recipe = add(bytes, as: Recipe.fileExtension)
    let build = try #require(members["build"]?.digest)
    var record = try #require(try reader.value(of: build).members)
    var parts = try #require(record["entries"]?.members)
    let products = try #require(parts["product"]?.digest)
    var part = try #require(try reader.value(of: products).members)
    let entries = try #require(part["entries"]?.members)
    part["entries"] = .dictionary(
      Members(entries.map { ($0.key, Value.array(($0.value.items ?? []) + [recipe])) }))
    parts["product"] = try add(part)
    record["entries"] = .dictionary(parts)
    new.members["build"] = try add(record)
    new.file = { [file, files] object in
      guard let bytes = files[object.digest] else { return try file(object) }
      return OutgoingFile(bytes: bytes, headers: object.headers)
    }
    return new
  }
}

/// Purges of recipes that fail at each of their steps.
@Suite struct RecipePurgeDrillTests {
  /// The shop of the other drills; its catalog has recipes.
  private static let files = PurgeDrill.few.merging([
    "content.yaml": "\(PurgeDrill.few["content.yaml"] ?? "")\ntransfer: text\n",
    "entries/product/iris.yaml": RecipeShop.product("title: Iris\nprice: 3"),
  ]) { $1 }
  private let drill: PurgeDrill

  init() throws { drill = try PurgeDrill(files: Self.files) { MemoryTarget() } }

  @Test func asksEachCacheForTheRemovedRecipes() async throws {
    let calls = try await drill.measure()
    let removed = Set(
      calls.events.compactMap { event in
        if case .removed(let key) = event, key.isRecipe { key } else { nil }
      })
    // At least the catalogs of both releases, in both languages.
    #expect(removed.count >= 4 && !calls.written.contains(where: \.isRecipe))
    for cache in ["shield", "edge", "other"] {
      let forgotten = calls.events.compactMap { event in
        if case .forgot(cache, let key) = event, key.isRecipe { key } else { nil }
      }
      #expect(Set(forgotten) == removed, "\(cache)")
    }
  }

  @Test func finishesAfterAFailedWrite() async throws {
    let points = try await drill.runWrites()
    #expect(points > 15)
  }

  @Test func finishesInASignedChannel() async throws {
    let signed = try SignedPlace()
    let drill = try PurgeDrill(files: Self.files, signed: signed) { MemoryTarget() }
    let points = try await drill.runWrites()
    #expect(points > 15)
  }

  @Test func finishesAfterBeingKilled() async throws {
    for last in [0] + (try await drill.measure()).changes {
      try await drill.run(
        PurgeDrill.Case(lastCall: last, isFinishedWithoutOrder: last.isMultiple(of: 2)))
    }
  }
}
