import ContentClient
import ContentClientTesting
import ContentModel
import Observation
import TestInputs
import Testing

#if canImport(SwiftUI)
  import SwiftUI
#endif
#if canImport(BackgroundTasks) && !os(macOS)
  import BackgroundTasks
#endif

/// The models of the articles on SwiftUI and on refreshes in the background, which
/// `DocumentationTests` compares with the articles.
@Suite(.timeLimit(.minutes(5))) @MainActor struct ArticleTests {
  nonisolated static let file = #filePath

  private let site = TestSite(app: "flowershop", channel: "production")
  private let clock = ManualClock()

  private func client() throws -> ContentClient {
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "flowershop", channel: "production")
    configuration.clock = clock
    configuration.transport = site.transport
    return try ContentClient(configuration)
  }

  private func publish(_ title: String, price: Double = 39.5) {
    site.publish(["catalog": ["product/rose": ["title": .string(title), "price": .real(price)]]])
  }

  private func list(_ title: String) throws -> Screen {
    .products([Product(id: try #require(EntryID("product/rose")), title: title, price: 39.5)])
  }

  /// Waits until a model shows a screen.
  private func expect(
    _ screen: Screen, of model: ProductList, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    _ = await eventually { model.screen == screen }
    #expect(model.screen == screen, sourceLocation: sourceLocation)
  }

  @Test func theModelShowsEachUpdate() async throws {
    let client = try client()
    let model = ProductList(client)
    #expect(model.screen == .progress)
    let following = Task { await model.follow() }
    publish("Rose")
    _ = await client.refresh(.launch).outcome
    await expect(try list("Rose"), of: model)
    publish("Red rose")
    _ = await client.refresh(.launch).outcome
    await expect(try list("Red rose"), of: model)
    site.beginMaintenance(["title": "Back at noon"])
    _ = await client.refresh(.launch).outcome
    await expect(.notice("Back at noon"), of: model)
    following.cancel()
    await following.value
  }

  /// SwiftUI draws a view again when a property that it read changes.
  @Test func theModelIsObserved() async throws {
    publish("Rose")
    let client = try client()
    _ = await client.refresh(.launch).outcome
    let model = ProductList(client)
    #expect(model.screen == (try list("Rose")), "content is there at once")
    let following = Task { await model.follow() }
    let drawings = Drawings()
    func observe() {
      withObservationTracking {
        _ = model.screen
      } onChange: {
        drawings.add()
      }
    }
    observe()
    publish("Red rose")
    _ = await client.refresh(.launch).outcome
    await expect(try list("Red rose"), of: model)
    #expect(drawings.count == 1)
    observe()
    // Another release with the same screen draws nothing.
    site.publish([
      "catalog": ["product/rose": ["title": "Red rose", "price": 39.5]],
      "other": ["page/other": ["title": "Other"]],
    ])
    _ = await client.refresh(.launch).outcome
    for _ in 0..<1_000 { await Task.yield() }
    #expect(drawings.count == 1 && client.snapshot.release == 3)
    following.cancel()
    await following.value
  }

  @Test func theModelSaysThatItIsOffline() async throws {
    publish("Rose")
    let model = ProductList(try client())
    let following = Task { await model.followConnection() }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(model.isLoading && !model.isOffline)
    await model.refresh(.launch)
    #expect(!model.isLoading)
    for isReachable in [false, true] {
      site.isReachable = isReachable
      clock.advance(by: 5)
      await model.refresh(.user)
      _ = await eventually { model.isOffline != isReachable }
      #expect(model.isOffline != isReachable)
      await model.refresh(.user)
      for _ in 0..<1_000 { await Task.yield() }
      #expect(model.isOffline != isReachable, "a postponed refresh knows nothing")
    }
    #expect(model.screen == .progress, "it does not follow the content")
    following.cancel()
    await following.value
  }

  /// A view that disappeared keeps neither model nor client.
  @Test func theModelIsFreedWithItsView() async throws {
    weak var model: ProductList?
    weak var client: ContentClient?
    let following: Task<Void, Never>
    do {
      let (keptClient, kept): (ContentClient, ProductList)
      keptClient = try self.client()
      kept = ProductList(keptClient)
      (model, client) = (kept, keptClient)
      following = Task { [kept] in await kept.follow() }
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(model != nil && client != nil)
    following.cancel()
    await following.value
    _ = await eventually { model == nil && client == nil }
    #expect(model == nil && client == nil)
  }

  /// A count of drawings.
  ///
  /// A class, since an observation may end on any thread.
  private final class Drawings: Sendable {
    private let all = Locked(0)
    var count: Int { all.current }
    func add() { all.withLock { $0 += 1 } }
  }

  // MARK: Code for Apple systems

  @Test func namesAllCodeForAppleSystems() throws {
    let document = try CheckedOutFiles.text("docs/reference/client.md")
    for module in [
      "ContentClient", "ContentModel", "PropertyLists", "RichText", "SiteFormat", "SystemC",
    ] {
      let files = try CheckedOutFiles.swiftFiles(below: "Sources/\(module)")
      for (name, text) in files where hasAppleBranch(text) && name != "SystemTransport.swift" {
        #expect(document.contains("`\(name)`"), "\(module)")
      }
    }
  }

  private func hasAppleBranch(_ text: String) -> Bool {
    text.split(separator: "\n").contains { line in
      let words = line.drop { $0 == " " }
      return words.hasPrefix("#if canImport(") || words.hasPrefix("#if os(Linux)")
    }
  }

  // MARK: Refreshes in the background

  @Test func aBackgroundRefreshEndsAtItsDeadline() async throws {
    publish("Rose")
    var configuration = ContentConfiguration(
      url: "https://content.example.com", app: "flowershop", channel: "production")
    configuration.clock = clock
    let (site, isSlow) = (site, Locked(true))
    configuration.transport = ScriptedTransport { request throws(TransportFailure) in
      if isSlow.current, !request.url.hasSuffix("config.plist") {
        try? await Task.sleep(for: .seconds(3_600))
        throw .cancelled
      }
      return try await site.transport.send(request) { _ in }
    }
    let client = try ContentClient(configuration)
    let start = ContinuousClock.now
    let late = await refresh(client, within: 0.05)
    #expect(late.failure?.kind == .cancelled)
    #expect(ContinuousClock.now - start < .seconds(60))
    // It is no failure: the next refresh begins at once.
    isSlow.withLock { $0 = false }
    #expect(await refresh(client, within: 60).isUpdated)
  }
}

// MARK: The examples

@MainActor @Observable final class ProductList {
  private(set) var screen: Screen
  /// `true` if the last check had no connection.
  private(set) var isOffline = false
  /// `true` until the first refresh ended.
  private(set) var isLoading = true
  private let client: ContentClient

  init(_ client: ContentClient) {
    self.client = client
    screen = Screen(client.state, client.snapshot)
  }

  /// Follows the content until the task is cancelled.
  func follow() async {
    let updates = client.updates
    show(Screen(client.state, client.snapshot))
    for await update in updates { show(Screen(update.state, update.snapshot)) }
  }

  /// Follows the connection until the task is cancelled.
  func followConnection() async {
    for await event in client.events {
      switch event {
      case .looked(let status) where status != 0: isOffline = false
      case .failed(let error) where error.kind == .unreachable: isOffline = true
      default: break
      }
    }
  }

  /// Refreshes; the updates show what it brings.
  func refresh(_ reason: RefreshReason) async {
    _ = await client.refresh(reason).outcome
    isLoading = false
  }

  private func show(_ new: Screen) {
    if new != screen { screen = new }
  }
}

/// Refreshes for at most some seconds; the next refresh continues where this one ended.
func refresh(_ client: ContentClient, within seconds: Double) async -> RefreshOutcome {
  let refresh = client.refresh(.schedule)
  let deadline = Task {
    try await Task.sleep(for: .seconds(seconds))
    refresh.cancel()
  }
  defer { deadline.cancel() }
  return await refresh.outcome
}

#if canImport(SwiftUI)
  struct ProductListView: View {
    let model: ProductList

    var body: some View {
      List {
        if model.isOffline { Text("No connection") }
        switch model.screen {
        case .products(let products): ForEach(products) { Text($0.title) }
        case .notice(let text): Text(text)
        case .progress where model.isLoading: ProgressView()
        case .progress: Text("Please try again later")
        }
      }
      .task { await model.follow() }
      .task { await model.followConnection() }
      .task { await model.refresh(.launch) }
      .refreshable { await model.refresh(.user) }
    }
  }

  struct ShopScene: Scene {
    let client: ContentClient
    @State private var model: ProductList?
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
      WindowGroup {
        if let model { ProductListView(model: model) }
      }
      .onChange(of: phase, initial: true) {
        if phase == .background { return client.stop() }
        model = model ?? ProductList(client)
        client.start()
      }
    }
  }
#endif

#if canImport(BackgroundTasks) && !os(macOS)
  func handle(_ task: BGAppRefreshTask, with client: ContentClient) {
    let refresh = client.refresh(.schedule)
    task.expirationHandler = { refresh.cancel() }
    Task {
      let outcome = await refresh.outcome
      if case .failed = outcome {
        task.setTaskCompleted(success: false)
      } else {
        task.setTaskCompleted(success: true)
      }
    }
  }
#endif
