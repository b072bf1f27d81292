import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Recipes in releases: what publishing, rollbacks, rollouts, prunes and verifications do with them.
@Suite struct RecipePublishingTests {
  private let memory = MemoryTarget()
  private var place: ChannelPlace { ChannelPlace(memory) }
  private static let rosa = [
    "entries/product/rose.yaml": RecipeShop.product("title: Rosa\nprice: 1")
  ]

  private func live() throws -> LiveRelease { try #require(try place.live()) }

  @Test func publishesRecipesBesideTheirBundles() throws {
    try RecipeShop.shop().publish(to: place)
    let stored = try place.storedRecipes()
    #expect(try stored == place.listedRecipes() && stored == place.namedRecipes())
    for bundle in ["catalog", "product/rose", "product/lily", "product/iris"] {
      #expect(try !place.namedRecipes(of: [bundle]).isEmpty, "\(bundle)")
    }
    #expect(try place.namedRecipes(of: ["home"]) == [], "small bundles have none")
    let recipes = try live().record.objects.filter(\.isRecipe)
    #expect(recipes.allSatisfy { $0.headers.contentType == "application/json" })
    #expect(try live().members["format"] == 1 && place.broken() == [])
  }

  @Test func publishesNoneWithoutTheSetting() throws {
    try RecipeShop.shop(transfer: "binary").publish(to: place)
    #expect(try place.storedRecipes() == [] && place.namedRecipes() == [])
    #expect(try live().record.members["format"] == 1)
    #expect(try live().record.members["objects"] != nil)
  }

  /// Programs before 2026-12-01 read records of any format, and need the key `objects`.
  @Test func earlierProgramsRefuseRecordsSinceTheFirstRecipe() throws {
    func refuse(_ record: ReleaseRecord) throws -> Bool {
      let value = try PropertyList.decode(record.bytes).value
      return value["format"] == 2 && ReleaseObject.readAll(value["objects"]) == nil
    }
    try RecipeShop.shop(transfer: "binary").publish(to: place)
    #expect(try !refuse(live().record))
    try RecipeShop.shop().publish(to: place)
    #expect(try refuse(live().record))
    // The recipes of earlier releases have the content that a purge may remove.
    try RecipeShop.shop(transfer: "binary").publish(to: place)
    #expect(try refuse(live().record) && place.listedRecipes() == [])
    try place.purge(PurgePlanTests.order([RecipeShop.rose]))
    #expect(try refuse(live().record) && place.broken() == [])
  }

  @Test func aRollbackKeepsRecipes() throws {
    try RecipeShop.shop().publish(to: place)
    let recipes = try place.listedRecipes()
    try RecipeShop.shop(Self.rosa).publish(to: place)
    #expect(try place.listedRecipes() != recipes)
    try place.rollBack(to: 1)
    #expect(try place.listedRecipes() == recipes && place.namedRecipes() == recipes)
    #expect(try place.broken() == [])
  }

  @Test func aPromotionSendsRecipes() throws {
    try RecipeShop.shop().publish(to: place)
    let other = ChannelPlace(MemoryTarget())
    let content = try live().content(at: memory)
    _ = try other.publisher().publish { _ in Draft(content: content) }
    let recipes = try place.listedRecipes()
    #expect(try other.storedRecipes() == recipes && other.namedRecipes() == recipes)
    #expect(try other.live()?.record.members["format"] == 2 && other.broken() == [])
  }

  @Test func aRepairSendsAMissingRecipe() throws {
    let shop = RecipeShop.shop()
    try shop.publish(to: place)
    let key = try #require(try place.listedRecipes().min())
    memory.remove(key)
    let content = try shop.content()
    let outcome = try shop.publisher(of: place).publish(repairs: true) { _ in
      Draft(content: content)
    }
    guard case .unchanged(_, let sent) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(sent.new.map(\.key) == [key] && memory.read(key) != nil)
  }

  @Test func aRolloutKeepsTheRecipesOfBothSides() throws {
    try RecipeShop.shop().publish(to: place)
    let stable = try place.listedRecipes()
    let shop = RecipeShop.shop(Self.rosa)
    let next = try shop.content()
    _ = try shop.publisher(of: place).publish { live in
      try Draft(content: next).beginning(
        Rollout(name: "r2", below: Rollout.everyone / 10, release: Rollout.beginning),
        after: try #require(live), of: place)
    }
    let both = stable.union(next.objects.filter(\.isRecipe).map(\.key))
    #expect(try place.listedRecipes() == both && place.namedRecipes() == both)
    _ = try shop.publisher(of: place).publish { live in
      try Draft.changing(try #require(live), of: place, by: .abort)
    }
    #expect(try place.listedRecipes() == stable && place.namedRecipes() == stable)
    #expect(try place.broken() == [])
  }

  @Test func aPruneRemovesTheRecipesOfOldReleases() throws {
    let start = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    for (number, title) in ["One", "Two", "Three"].enumerated() {
      let content = try RecipeShop.shop([
        "entries/product/rose.yaml": RecipeShop.product("title: \(title)")
      ]).content()
      _ = try place.publisher(run: "\(number)").publish { _ in Draft(content: content) }
    }
    memory.setTimes(to: start)
    let before = try place.storedRecipes()
    for hours in [30.0, 60] {
      let now = Instant(
        secondsSinceReferenceDate: start.secondsSinceReferenceDate + hours * 3_600)
      _ = try Prune(memory, keep: 1, grace: .days(1), now: now).run()
    }
    let stored = try place.storedRecipes()
    #expect(try stored == place.namedRecipes() && stored.count < before.count)
    #expect(try place.broken() == [])
  }

  @Test func verificationReadsRecipes() throws {
    try RecipeShop.shop().publish(to: place)
    let config = try BakedConfig(live().bytes, of: "production", app: "shop", at: "config")
    // An app with baked bundles needs no recipes.
    let content = try live().content(at: memory)
    let baked = try content.objects(forLocales: ["en", "fr"], devices: ["any"])
    #expect(!baked.contains(where: \.isRecipe) && !baked.isEmpty)
    let read = try config.objectCount(in: PublishedFiles(memory))
    #expect(try read == baked.count + place.listedRecipes().count)
    let key = try #require(try place.listedRecipes().min())
    memory.overwrite(key, with: [1])
    #expect(throws: BakeError.self) { try config.objectCount(in: PublishedFiles(memory)) }
    memory.remove(key)
    #expect(throws: BakeError.self) { try config.objectCount(in: PublishedFiles(memory)) }
  }

  @Test func aComparisonCountsRecipes() throws {
    try RecipeShop.shop(transfer: "binary").publish(to: place)
    let content = try RecipeShop.shop().content()
    let diff = try ReleaseDiff(
      from: try live().content(at: memory), to: content, explainsSent: true)
    let recipes = content.objects.filter(\.isRecipe)
    let part = try #require(diff.sent.first { $0.kind == .recipe })
    #expect(part.objects == recipes.count && part.bytes == recipes.map(\.size).reduce(0, +))
    #expect(diff.entries.isEmpty && !diff.sent.contains { $0.kind == .asset })
  }

  @Test(arguments: [ServerKind.nginx, .apache, .caddy])
  func serversSendTheTypeOfRecipes(server: ServerKind) {
    let settings = ServerSettings(
      app: "shop", channel: "qa", root: "/srv/shop", state: "/var/lib/shop", maintenance: "/m",
      lifetimes: ServerSettings.Lifetimes(
        app: 60, edge: 30, staleWhileRevalidate: 10, staleIfError: 3_600, originTimeout: 5),
      languages: MaintenanceLanguages(source: "en", declared: ["en"]))
    let texts = server.configuration(settings).map(\.text)
    #expect(texts.contains { $0.contains(Recipe.fileExtension) })
  }
}
