import ContentClient
import ContentClientTesting
import ContentModel
import Foundation
import Testing

/// Compiles the examples of single members, which `DocumentationTests` finds here.
@Suite struct MemberExampleTests {
  static var file: String { #filePath }

  private func configures(
    _ configuration: inout ContentConfiguration, supportFolder: String, bundleFolder: String,
    accountID: String
  ) {
    configuration.storage = .folder(path: supportFolder + "/content")
    configuration.activation = .manual
    configuration.limits.storage = 20_000_000
    configuration.configEnding = "json"
    configuration.context.country = "CA"
    configuration.baked = bundleFolder + "/Content"
    configuration.unit = accountID
    configuration.eager = ["catalog", "strings/app"]
    configuration.trust = .pinned(path: bundleFolder + "/keys.json")
    configuration.activation = .nextLaunch
    configuration.limits.storage = 100_000_000
  }

  private func configuresForTests(
    _ configuration: inout ContentConfiguration, published: String
  ) {
    configuration.transport = ScriptedTransport(folder: published, at: configuration.url)
    configuration.clock = ManualClock()
    configuration.random = SeededRandom(seed: 7)
  }

  @Test func readsSnapshots() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    #expect(await client.refreshed().isUpdated)
    let snapshot = client.snapshot
    log("release \(snapshot.release)")
    if let rollout = snapshot.rollout { log("next content of \(rollout)") }
    if let unit = await client.unit { show(unit) }
    if case .stale(let since) = snapshot.freshness { show(since) }
    let isTranslated = snapshot.locale == "fr"
    for language in snapshot.locales { show(language) }
    let missing = snapshot.bundles.filter { !snapshot.isStored($0) }
    #expect(!isTranslated && missing == ["product"])
    let cheapestFirst = EntrySort.ascending("price.amount")
    #expect(cheapestFirst.isAscending && cheapestFirst.path.keys == ["price", "amount"])
    let version = FieldPath(keys: ["versions", "2.0"])
    #expect(version.keys == ["versions", "2.0"])
    let label = FieldPath("badges.0.label")
    #expect(label.keys == ["badges", "0", "label"])
  }

  @Test func followsRefreshesAndChanges() async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    let refresh = client.refresh(.user)
    for await part in refresh.progress { bar.set(part.fraction) }
    if case .updated(let update) = await refresh.outcome { show(update.snapshot) }
    let changes = client.changes(since: nil)
    let stored = changes.token.text
    let token = ChangeToken(stored)
    #expect(token == changes.token)
    if changes.extent == .everything { reload() }
    if changes.extent(in: "catalog") == .everything { reload() }
    if case .entries(let changed) = changes.extent(in: "catalog") { show(changed.inserted) }
    if case .entries(let changed) = changes.extent {
      for id in changed.inserted + changed.updated { show(client.snapshot.entry(id)) }
    }
    for bundle in changes.changedBundles { show(bundle) }
    let hint = PushPayload(channel: "production", release: 13, kind: .publish)
    #expect(hint.release == 13)
  }

  private func explains(_ error: ContentError) {
    if error.kind == .server(status: 404) { log("nothing is published yet") }
  }

  private func explains(_ update: ContentUpdate, _ picture: AssetValue) {
    let rose = update.snapshot.entry("product/rose")
    show(rose)
    if update.state == .withdrawn { showNothingHere() }
    if case .entries(let changed) = update.changes.extent { show(changed.updated) }
    if update.reason == .release { log("release \(update.snapshot.release)") }
    if update.reason == .purge { log("content was withdrawn") }
    let best = picture.scales.last
    show(best)
  }

  @Test func testsAnApp() async {
    let christmas = ManualClock(now: Instant(rfc3339: "2026-12-24T18:00:00Z")!)
    let clock = christmas
    let isWaiting = clock.sleepers > 0
    #expect(!isWaiting)
    let french = TestSite(app: "flowershop", channel: "production", locale: "fr")
    let site = french
    site.endMaintenance()
    site.isReachable = false
    let transport = site.transport
    let addresses = transport.requests.map(\.url)
    #expect(addresses.isEmpty)
    transport.forgetRequests()
  }

  // MARK: What an app has

  /// Only compiled: `NearestTests` and `MarkdownValueTests` run these.
  private func readsPlacesAndTexts(
    _ snapshot: ContentSnapshot, store: Entry, article: Entry
  ) async throws {
    if let here = Coordinate(latitude: 48.8566, longitude: 2.3522) {
      let stores = try await snapshot.nearest(here, in: "stores", limit: 10, within: 25_000)
      show(stores.first?.entry["name"]?.text)
    }
    if let here = store.coordinate("location") {
      let stores = try await snapshot.nearest(here, in: "stores", limit: 10, within: 25_000)
      for nearby in stores { show(nearby.entry["name"]?.text, nearby.distance) }
    }
    let position = store.coordinate("location")
    show(position)
    if let body = article.markdown("body") { show(AttributedString(body)) }
    if let body = article.markdown("body") {
      show(AttributedString(body))
      index(words: body.plain)
    }
    if let body = article.markdown("body") {
      let text = AttributedString(body)
      show(text)
    }
    if let body = article.markdown("body") {
      let text = AttributedString(body, layout: .lines)
      show(text)
      for run in text.runs {
        let isInList = run.markdownBlocks?.contains { $0.kind == .unorderedList } ?? false
        let isStrong = run.markdownStyle?.contains(.strong) ?? false
        show(isInList, isStrong)
      }
    }
  }

  private func show(_ items: Any?...) {}
  private func index(words: String) {}
  private func log(_ text: String) {}
  private func reload() {}
  private func showNothingHere() {}
  private let bar = Bar()

  private struct Bar { func set(_ part: Double) {} }
}
