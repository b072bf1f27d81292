import ContentClientTesting
import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import SiteFormat
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// A published shop, a server for it, and the configuration of clients that read it.
struct ClientScene {
  /// The keys of the channel, which clients pin; `nil` if it is not signed.
  let keys: SignedPlace?
  let memory: MemoryTarget
  let place: ChannelPlace
  let transport: ScriptedTransport
  let clock = ManualClock()
  let scratch: ScratchFolder

  private let trust: ContentConfiguration.Trust

  init(_ files: [String: String] = [:]) throws {
    keys = SignedAndUnsigned.isSigned ? try SignedPlace() : nil
    memory = keys?.memory ?? MemoryTarget()
    place = keys?.place() ?? ChannelPlace(memory)
    scratch = try ScratchFolder(inMemory: true)
    trust = try keys.map { [scratch] in .pinned(path: try $0.pin(in: scratch)) } ?? .unsigned
    transport = ScriptedTransport { [memory] request in Self.answer(request, from: memory) }
    try Shop(files).publish(to: place)
  }

  /// Answers as a file server does.
  static func answer(_ request: ContentRequest, from memory: MemoryTarget) -> ContentResponse {
    let key = String(request.url.dropFirst("https://shop.example/".count))
    guard let file = memory.read(key) else { return ContentResponse(status: 404) }
    let tag = "\"\(Digest(of: file.bytes).hex.prefix(16))\""
    if request.entityTag == tag { return ContentResponse(status: 304) }
    return ContentResponse(status: 200, headers: [("ETag", tag)], body: file.bytes)
  }

  /// Returns a config as the channel serves it: signed if the channel is.
  func sealed(_ config: [UInt8]) throws -> [UInt8] { try keys?.sealed(config) ?? config }

  func publish(_ files: [String: String]) throws { try Shop(files).publish(to: place) }

  /// Serves what the target has.
  func goOnline() { transport.answer { [memory] in Self.answer($0, from: memory) } }

  /// Serves config, and answers with a status for each object.
  func loseObjects(status: Int) {
    transport.answer { [memory] request in
      request.url.hasSuffix("config.plist")
        ? Self.answer(request, from: memory) : ContentResponse(status: status)
    }
  }

  /// Serves the index of the channel after a change, and other objects by their paths.
  func serveIndex(
    with others: [String: ContentResponse] = [:], _ change: (inout Members) -> Void
  ) throws {
    let bytes = try #require(memory.read("production/config.plist")).bytes
    var config = try #require(try PropertyList.decode(bytes).value.members)
    let known = try #require(try SiteConfig(bytes).index(.init(locale: "en", device: "any")))
    let stored = try #require(memory.read(known.path)).bytes
    var index = try #require(try PropertyList.decode(stored).value.members)
    change(&index)
    let forged = try PropertyList.encode(.dictionary(index), as: .binary)
    let object = SiteObject(Digest(of: forged), ending: "plist")
    var indexes = try #require(config["indexes"]?.members)
    indexes["en"] = ["any": .data(object.digest.bytes)]
    config["indexes"] = .dictionary(indexes)
    let sent = try PropertyList.encode(.dictionary(config), as: .binary)
    transport.answer { [memory] request in
      if request.url.hasSuffix("config.plist") { return ContentResponse(status: 200, body: sent) }
      if request.url.hasSuffix(object.path) { return ContentResponse(status: 200, body: forged) }
      let other = others.first { request.url.hasSuffix($0.key) }
      return other?.value ?? Self.answer(request, from: memory)
    }
  }

  /// Answers nothing.
  func goOffline() {
    transport.answer { _ throws(TransportFailure) -> ContentResponse in throw .unreachable }
  }

  func configuration(_ locale: String = "en", storing: Bool = false) -> ContentConfiguration {
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context.locales = [locale]
    configuration.trust = trust
    configuration.eager = ["catalog"]
    configuration.transport = transport
    configuration.clock = clock
    configuration.random = SeededRandom(seed: 1)
    if storing { configuration.storage = .folder(path: store) }
    return configuration
  }

  func client(_ locale: String = "en", storing: Bool = false) throws -> ContentClient {
    try ContentClient(configuration(locale, storing: storing))
  }

  /// The folder that all clients with storage share.
  var storage: FolderStorage { FolderStorage(store) }

  /// Waits until the stored state meets a condition, and returns whether it does.
  func stores(_ condition: (StoredState) -> Bool) async throws -> Bool {
    try await eventually {
      guard let state = try storage.state() else { return false }
      return condition(state)
    }
  }

  /// Writes the live release into a folder as `contentc bake` does, and returns its path.
  func bake() throws -> String {
    let folder = "\(scratch.path)/baked"
    for file in memory.list(below: "objects/") {
      let path = "\(folder)/\(file.key)"
      try FolderFile.makeFolder(String(path.prefix(upTo: try #require(path.lastIndex(of: "/")))))
      try FolderFile.replace(path, with: memory.read(file.key)?.bytes ?? [], isDurable: false)
    }
    let config = try #require(memory.read("production/config.plist")).bytes
    try FolderFile.replace("\(folder)/config.plist", with: config, isDurable: false)
    return folder
  }

  /// Writes all published files into a folder, and returns its path.
  func published() throws -> String {
    let folder = "\(scratch.path)/published"
    for file in memory.list(below: "") {
      let path = "\(folder)/\(file.key)"
      try FolderFile.makeFolder(String(path.prefix(upTo: try #require(path.lastIndex(of: "/")))))
      try FolderFile.replace(path, with: memory.read(file.key)?.bytes ?? [], isDurable: false)
    }
    return folder
  }

  /// The folder of clients with storage.
  var store: String { "\(scratch.path)/store" }

  /// Removes all objects of the storage, as a restored backup without caches does.
  func removeStoredObjects() {
    for (object, _) in storage.objects() { unlink("\(store)/\(object.path)") }
  }

  /// Waits until so many tasks sleep.
  func waitForSleepers(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    _ = await eventually { clock.sleepers >= count }
    #expect(clock.sleepers >= count, sourceLocation: sourceLocation)
  }

  /// The ends of the addresses of all requests since the last call.
  func requests() -> [String] {
    defer { transport.forgetRequests() }
    return transport.requests.map { String($0.url.dropFirst("https://shop.example/".count)) }
  }
}

/// The bundles that a client's updates name.
final class UpdateLog: Sendable {
  private let log = Locked<[Set<BundleName>]>([])
  private let task: Task<Void, Never>

  init(_ client: ContentClient) {
    let (updates, log) = (client.updates, log)
    task = Task {
      for await update in updates {
        log.withLock { $0.append(Set(update.changes.changedBundles)) }
      }
    }
  }

  deinit { task.cancel() }

  /// Waits for updates, and returns whether the first ones name these bundles.
  func names(_ bundles: [Set<BundleName>]) async -> Bool {
    await eventually { log.current.count >= bundles.count } && log.current == bundles
  }
}

extension RefreshOutcome {
  var isUpdated: Bool { if case .updated = self { true } else { false } }
  var isUnchanged: Bool { if case .unchanged = self { true } else { false } }
  var failure: ContentError? { if case .failed(let error) = self { error } else { nil } }
}

extension ContentClient {
  /// Refreshes, also after a refusal, and waits until what a switch replaced is removed.
  func refreshed() async -> RefreshOutcome {
    let outcome = await refresh(.context).outcome
    await refresher.tidying?.value
    return outcome
  }

  /// Ends the trial of the shown content, and waits for that.
  func endTrial() async {
    if let config = presenter.release?.config { await refresher.markHealthy(config) }
  }

  /// The token of the shown content.
  var token: ChangeToken { changes(since: nil).token }

  func title(_ id: String) -> Value? { snapshot.entry(id, in: "catalog")?["title"] }
}

extension ChannelPlace {
  /// Gives a shop to some readers, as `contentc publish --to` and `--replace-next` do.
  func publish(_ shop: Shop, as rollout: Rollout) throws {
    let draft = Draft(content: try shop.content())
    let known = try live()?.rollout
    _ = try shop.publisher(of: self).publish { live in
      guard let known, let live else {
        return try draft.beginning(rollout, after: try #require(live), of: self)
      }
      return try draft.replacingNext(after: live, of: self, known: known)
    }
  }

  /// Changes or ends the rollout, as `contentc rollout` does.
  func change(_ change: Draft.RolloutChange) throws {
    _ = try Shop().publisher(of: self, run: "rollout").publish { live in
      try Draft.changing(try #require(live), of: self, by: change)
    }
  }

  /// Switches maintenance as `contentc maintenance` does.
  func switchMaintenance(to maintenance: MaintenanceSwitch) throws {
    _ = try Shop().publisher(of: self, run: "maintenance").publish { [target] live in
      Draft(content: try #require(live).content(at: target), maintenance: maintenance)
    }
  }
}
