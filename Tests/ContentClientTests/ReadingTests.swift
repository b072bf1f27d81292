import ContentClientTesting
import ContentModel
import TestReaders
import Testing

@testable import ContentClient

@Suite struct ReadingTests {
  @Test func isEmptyBeforeTheFirstLook() throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(client.state == .empty && client.snapshot.release == 0)
    #expect(client.snapshot.entries(in: "catalog").isEmpty)
    #expect(scene.requests().isEmpty)
  }

  @Test func showsTheFirstRelease() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    let outcome = await client.refreshed()
    #expect(outcome.isUpdated, "\(outcome)")
    #expect(client.state == .content && client.snapshot.release == 1)
    #expect(client.title("product/rose") == "Rose")
    #expect(client.snapshot.entry("screen/home")?["products.0"] == "product/rose")
    #expect(client.snapshot.entry("screen/home")?.reference("hero")?["title"] == "Iris")
    #expect(client.snapshot.locale == "en")
    // Config, the index with the startup bundle, the texts for maintenance, and the bundle that the
    // app asked for.
    #expect(scene.requests().count == 4)
  }

  @Test func choosesTheLanguage() async throws {
    let scene = try ClientScene()
    let client = try scene.client("fr-FR")
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "La rose")
    #expect(await client.select(ReaderContext(locales: ["de"])).isUpdated)
    #expect(client.title("product/rose") == "Rose")
  }

  @Test func asksOnceIfNothingIsNew() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    _ = scene.requests()
    #expect(await client.refreshed().isUnchanged)
    #expect(scene.transport.requests.map(\.entityTag).compactMap(\.self).count == 1)
    #expect(scene.requests() == ["production/config.plist"])
  }

  @Test func sortsFiltersAndDecodes() async throws {
    struct Product: Decodable, Equatable { var title: String }
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    let titles = snapshot.entries(
      Product.self, in: "catalog", where: { $0["title"] != "Iris" }, sort: [.descending("title")],
      limit: 1)
    #expect(titles == [Product(title: "Rose")])
    struct Wrong: Decodable { var title: Int }
    #expect(snapshot.entries(Wrong.self, in: "catalog").isEmpty)
  }

  @Test func loadsPartsOfSplitBundlesOnDemand() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    #expect(snapshot.entry("product/rose", in: "product/rose") == nil)
    let loaded = try await snapshot.entries(loading: "product/rose")
    #expect(loaded.first?["care"] == "Water it.")
    #expect(snapshot.entry("product/rose")?["care"] == "Water it.", "split bundles come first")
    await #expect(throws: ContentError.self) {
      try await snapshot.entries(loading: "product/none")
    }
  }

  @Test func keepsASnapshotWhileOthersArrive() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let held = client.snapshot
    for number in 0..<4 {
      try scene.publish(["entries/product/rose.yaml": "title: Rose \(number)\n"])
      #expect(await client.refreshed().isUpdated)
    }
    #expect(client.title("product/rose") == "Rose 3")
    #expect(held.entry("product/rose", in: "catalog")?["title"] == "Rose")
    #expect(held.release == 1)
    #expect(try await held.entries(loading: "product/rose").isEmpty == false)
  }
}
