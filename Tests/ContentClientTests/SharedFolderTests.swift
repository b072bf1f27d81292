import ContentClientTesting
import ContentModel
import ContentPurging
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Several processes with one folder, and a folder that cannot be read for a while.
@Suite(.timeLimit(.minutes(10))) struct SharedFolderTests {
  @Test func aPurgeByAnotherProcessIsAnUpdate() async throws {
    let scene = try ClientScene(["entries/product/rose.yaml": "title: Swear word\n"])
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    let second = try scene.client(storing: true)
    let held = second.snapshot
    #expect(held.entry("product/rose") != nil)
    try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
    // The other process knows the purge, and cannot load the release that follows.
    scene.loseObjects(status: 500)
    #expect(await first.refreshed().failure != nil)
    var updates = second.updates.makeAsyncIterator()
    scene.clock.advance(by: 2)
    _ = second.snapshot
    let update = await updates.next()
    #expect(update?.reason == .purge)
    #expect(held.entry("product/rose") == nil)
  }

  @Test func tokensOfTwoProcessesDiffer() async throws {
    let scene = try ClientScene()
    let first = try scene.client(storing: true)
    #expect(await first.refreshed().isUpdated)
    let start = first.token
    try scene.publish(["entries/product/rose.yaml": "title: Second\n"])
    // While the other process loads release 2, this one shows release 3.
    let memory = scene.memory
    let once = Locked([true])
    let place = scene.place
    var configuration = scene.configuration(storing: true)
    configuration.transport = ScriptedTransport { request in
      let answer = ClientScene.answer(request, from: memory)
      let isObject = !request.url.hasSuffix("config.plist")
      if isObject, once.withLock({ $0.popLast() }) != nil {
        _ = try? Shop(["entries/product/rose.yaml": "title: Third\n"]).publish(to: place)
        _ = await first.refreshed()
      }
      return answer
    }
    let second = try ContentClient(configuration)
    _ = await second.refreshed()
    #expect(first.title("product/rose") == "Third")
    let titles = [first, second].map { $0.title("product/rose") }
    #expect((first.token == second.token) == (titles[0] == titles[1]), "\(titles)")
    #expect(try scene.storage.state()?.shown?.release == 3)
    #expect(first.token.number == start.number + 1)
    #expect(second.changes(since: start).extent(in: "catalog") != .entries(.init()))
  }

  // MARK: Folders that cannot be read

  @Test func usesAFolderOnceItCanBeRead() async throws {
    let scene = try ClientScene()
    #expect(await (try scene.client(storing: true)).refreshed().isUpdated)
    let (store, away) = ("\(scene.scratch.path)/store", "\(scene.scratch.path)/away")
    #expect(rename(store, away) == 0)
    // A link to itself: neither absent nor readable.
    scene.scratch.link("store", as: "store")
    let client = try scene.client(storing: true)
    #expect(client.state == .empty)
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    #expect(await client.refreshed().failure?.kind == .storage)
    unlink(store)
    #expect(rename(away, store) == 0)
    #expect(try scene.storage.state()?.shown?.release == 1, "it was not written over")
    scene.goOffline()
    scene.clock.advance(by: 2)
    var updates = client.updates.makeAsyncIterator()
    _ = client.snapshot
    #expect(await updates.next()?.reason == .release)
    #expect(client.title("product/rose") == "Rose")
    scene.goOnline()
    #expect(await client.refreshed().isUpdated)
    #expect(try scene.client(storing: true).title("product/rose") == "New")
  }

  @Test func removesTheFilesOfKilledProcesses() async throws {
    let scene = try ClientScene()
    let client = try scene.client(storing: true)
    #expect(await client.refreshed().isUpdated)
    let part = try #require(scene.scratch.names(in: "store/objects").first)
    let names = ["state.plist.1-2.tmp", "objects/\(part)/x.plist.3-4.tmp"]
    for name in names + ["state.plist.5-6.tmp"] { try scene.scratch.write("store/\(name)", "x") }
    for name in names {
      let past = timespec(tv_sec: time(nil) - 7 * 3600, tv_nsec: 0)
      #expect(utimensat(AT_FDCWD, "\(scene.scratch.path)/store/\(name)", [past, past], 0) == 0)
    }
    try scene.publish(["entries/product/rose.yaml": "title: New\n"])
    #expect(await client.refreshed().isUpdated)
    for name in names { #expect(!scene.scratch.holds("store/\(name)"), "\(name)") }
    #expect(scene.scratch.holds("store/state.plist.5-6.tmp"), "it may be in use")
  }
}
