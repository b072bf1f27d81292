import ContentClientTesting
import ContentModel
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient

/// The content that a client shows at its start, and the record of it.
@Suite(.timeLimit(.minutes(10))) struct OpeningTests {
  private static let crash = ["entries/product/rose.yaml": "title: Crash\n"]

  private func client(
    _ scene: ClientScene, _ activation: ContentConfiguration.Activation
  ) throws -> ContentClient {
    var configuration = scene.configuration(storing: true)
    configuration.activation = activation
    return try ContentClient(configuration)
  }

  /// Returns a scene whose second release is loaded, and shown at the next start.
  private func sceneWithWaitingRelease() async throws -> (scene: ClientScene, old: ChangeToken) {
    let scene = try ClientScene()
    let first = try client(scene, .nextLaunch)
    #expect(await first.refreshed().isUpdated)
    #expect(first.title("product/rose") == "Rose")
    try scene.publish(Self.crash)
    #expect(await first.refreshed().isUnchanged)
    #expect(first.title("product/rose") == "Rose")
    return (scene, first.token)
  }

  @Test func recordsAReleaseThatIsShownFromTheStart() async throws {
    let (scene, old) = try await sceneWithWaitingRelease()
    let second = try client(scene, .nextLaunch)
    var updates = second.updates.makeAsyncIterator()
    #expect(second.title("product/rose") == "Crash")
    let update = await updates.next()
    #expect(update?.reason == .release && update?.snapshot.release == 2)
    var changed = ContentChanges.EntryChanges()
    changed.updated = ["product/rose"].compactMap { EntryID($0) }
    #expect(update?.changes.extent(in: "catalog") == .entries(changed))
    #expect(second.changes(since: old).extent(in: "catalog") == .entries(changed))
    let state = try #require(try scene.storage.state())
    #expect(state.shown?.release == 2 && state.previous?.release == 1)
    #expect(state.token == second.token && state.trial == .init(release: 2, starts: 1))
    // The next start shows the same content, under the same token.
    #expect(try client(scene, .nextLaunch).token == second.token)
  }

  /// A process that is killed after loading and before the switch.
  @Test func recordsAReleaseWhoseSwitchWasKilled() async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    let old = first.token
    let waiting = try client(scene, .manual)
    try scene.publish(Self.crash)
    #expect(await waiting.refreshed().isUnchanged)
    let second = try scene.client(storing: true)
    #expect(second.snapshot.release == 2)
    #expect(await eventually { second.token.number == old.number + 1 })
  }

  @Test func givesUpAReleaseThatWasShownFromTheStart() async throws {
    let (scene, _) = try await sceneWithWaitingRelease()
    for start in 1...2 {
      #expect(try client(scene, .nextLaunch).title("product/rose") == "Crash")
      #expect(try await scene.stores { $0.trial?.starts == start })
    }
    let third = try client(scene, .nextLaunch)
    #expect(third.title("product/rose") == "Rose")
    #expect(try await scene.stores { $0.avoided?.release == 2 })
    #expect(try client(scene, .nextLaunch).title("product/rose") == "Rose")
  }

  // MARK: Another reader

  /// Returns the configuration of one of two programs that share the folder.
  private func configuration(
    _ scene: ClientScene, _ locale: String, program: String
  ) -> ContentConfiguration {
    var configuration = scene.configuration(locale, storing: true)
    configuration.program = program
    return configuration
  }

  @Test func showsAnotherStoredLanguageWithoutARequest() async throws {
    let scene = try ClientScene()
    for (locale, program) in [("fr", "widget"), ("en", "app")] {
      let client = try ContentClient(configuration(scene, locale, program: program))
      _ = await client.refreshed()
      #expect(client.title("product/rose") == (locale == "fr" ? "La rose" : "Rose"))
    }
    scene.goOffline()
    _ = scene.requests()
    let client = try ContentClient(configuration(scene, "fr", program: "app"))
    #expect(client.title("product/rose") == "La rose" && client.snapshot.locale == "fr")
    #expect(scene.requests().isEmpty)
  }

  @Test func showsTheStoredLanguageUntilThatOfTheReaderIsLoaded() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    scene.goOffline()
    _ = scene.requests()
    let client = try scene.client("fr", storing: true)
    #expect(client.title("product/rose") == "Rose" && client.snapshot.locale == "en")
    #expect(scene.requests().isEmpty)
    #expect(await client.refreshed().failure?.kind == .unreachable)
    #expect(client.title("product/rose") == "Rose")
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "La rose" && client.snapshot.locale == "fr")
  }

  /// Widgets and extensions run for a moment, and may show nothing.
  @Test func startsThatReadNothingAreNoTrials() async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    try scene.publish(Self.crash)
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    for _ in 0..<4 { #expect(await (try scene.client(storing: true)).refreshed().isUnchanged) }
    #expect(try scene.storage.state()?.trial == .init(release: 2, starts: 0))
    #expect(try scene.client(storing: true).title("product/rose") == "Crash")
    #expect(try await scene.stores { $0.trial == .init(release: 2, starts: 1) })
  }

  @Test func tenSecondsOfReadingEndTheTrial() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    #expect(client.title("product/rose") == "Rose")
    while scene.clock.sleepers == 0 { await Task.yield() }
    scene.clock.advance(by: 10)
    #expect(try await scene.stores { $0.trial == nil })
  }

  /// Another process has the lock, and is suspended.
  @Test func waitsForNoOtherProcess() async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    #expect(try scene.storage.state()?.trial != nil)
    let lock = open("\(scene.scratch.path)/store/lock", O_RDWR | O_CLOEXEC)
    #expect(lock >= 0 && flock(lock, LOCK_EX) == 0)
    let release = Task {
      try? await Task.sleep(for: .seconds(2))
      close(lock)
    }
    let start = ContinuousClock.now
    let second = try scene.client(storing: true)
    #expect(second.title("product/rose") == "Rose")
    #expect(ContinuousClock.now - start < .seconds(1))
    // The start counts as soon as the lock is free.
    _ = await release.value
    #expect(try await scene.stores { $0.trial?.starts == 1 })
  }
}
