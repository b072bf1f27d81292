import ContentClientTesting
import ContentModel
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient

/// Programs with different readers that share a folder, such as an app and its extension.
@Suite(.timeLimit(.minutes(10))) struct SharedReaderTests {
  private func client(
    _ scene: ClientScene, _ program: String, _ locale: String, limit: Int? = nil
  ) throws -> ContentClient {
    var configuration = scene.configuration(locale, storing: true)
    configuration.program = program
    if let limit { configuration.limits.storage = limit }
    return try ContentClient(configuration)
  }

  /// The other program has not read its list yet when this one removes what it does not need.
  @Test func keepTheBundlesOfEachOther() async throws {
    let scene = try ClientScene()
    #expect(await (try client(scene, "app", "fr")).refreshed().isUpdated)
    try scene.publish(["entries/product/rose.fr.yaml": "title: La rose nouvelle\n"])
    let app = try client(scene, "app", "fr")
    #expect(await app.refreshed().isUpdated)
    let opened = try client(scene, "app", "fr")
    let widget = try client(scene, "widget", "en")
    #expect(await widget.refreshed().isUpdated)
    try scene.publish(["entries/product/rose.fr.yaml": "title: La plus nouvelle\n"])
    #expect(await widget.refreshed().isUpdated)
    scene.goOffline()
    #expect(opened.title("product/rose") == "La rose nouvelle")
    #expect(opened.snapshot.entries(in: "catalog").count == 2)
  }

  @Test func keepTheFilesThatEachOtherUsedToday() async throws {
    let pictures = [
      "datatypes/product.yaml":
        "fields:\n  title: {type: string, required: true}\n  care: {type: text}\n"
        + "  picture: {type: asset}\nprojections:\n  light: [title]\n",
      "entries/product/rose.yaml": "title: Rose\npicture: rose.svg\n",
      "entries/product/rose.fr.yaml": "{}\n", "entries/product/lily.yaml": "title: Lily\n",
      "entries/product/iris.yaml": "title: Iris\n",
      "assets/rose.svg": #"<svg xmlns="http://www.w3.org/2000/svg" width="1" height="2"></svg>"#,
    ]
    let scene = try ClientScene(pictures)
    let app = try client(scene, "app", "en")
    #expect(await app.refreshed().isUpdated)
    let held = app.snapshot
    let rose = try #require(try await held.entries(loading: "product/rose").first)
    let path = try await held.file(of: try #require(rose.asset("picture")))
    let widget = try client(scene, "widget", "en", limit: 1)
    _ = await widget.refreshed()
    await widget.refresher.tidy()
    #expect(access(path, F_OK) == 0)
    // Used two days ago.
    let past = timespec(tv_sec: time(nil) - 2 * 86_400, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [past, past], 0) == 0)
    await widget.refresher.tidy()
    #expect(access(path, F_OK) != 0)
  }

  @Test func forgetsProgramsThatAreGone() throws {
    let reader = ReaderContext(locales: ["fr"])
    var state = StoredState(url: "https://shop.example", app: "shop", channel: "production")
    let scene = try ClientScene()
    state.note("app", with: reader, at: scene.clock.moment)
    #expect(state.knows("app", with: reader, at: scene.clock.moment))
    #expect(!state.knows("app", with: ReaderContext(locales: ["en"]), at: scene.clock.moment))
    let read = try #require(StoredState(state.value))
    #expect(read.users(besides: "widget", at: scene.clock.moment).map(\.reader) == [reader])
    #expect(read.users(besides: "app", at: scene.clock.moment).isEmpty)
    scene.clock.advance(by: 31 * 86_400)
    state.note("widget", with: reader, at: scene.clock.moment)
    #expect(state.users.map(\.program) == ["widget"])
  }
}
