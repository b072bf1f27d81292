import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import SiteFormat
import Synchronization
import System
import TestReaders
import TestServers
import Testing

@testable import TestCommands
@testable import TestDelivery

/// A site whose second signed release is live, and whose server attacks `contentc verify`.
///
/// A class, since its end stops the server.
final class AttackedSite: Sendable {
  /// The replies that are not honest, by path.
  ///
  /// A class, since the server and the test share it.
  private final class Replies: Sendable { let byPath = Mutex<[String: ScriptedServer.Reply]>([:]) }

  static let config = "production/config.plist"

  let sandbox: Sandbox
  let server: ScriptedServer
  /// The paths of the English index and catalog.
  let (index, catalog): (String, String)
  /// The bytes of the index of the release before, and of the catalog in French.
  let (oldIndex, frenchCatalog): ([UInt8], [UInt8])
  private let memory: MemoryTarget
  private let replies = Replies()

  init() throws {
    sandbox = try Sandbox()
    let keys = try SignedPlace(at: Clock.now)
    memory = keys.memory
    try sandbox.write("1.json", bytes: keys.document.signed.file())
    try Shop().publish(to: keys.place())
    oldIndex = try Self.bytes(Self.objects(in: memory).index, in: memory)
    try Shop(["entries/product/rose.yaml": "title: New\n"]).publish(to: keys.place())
    (index, catalog) = try Self.objects(in: memory)
    frenchCatalog = try Self.bytes(Self.objects("fr", in: memory).catalog, in: memory)
    server = try ScriptedServer { [memory, replies] request in
      let path = String(request.path.dropFirst())
      if let reply = replies.byPath.withLock({ $0[path] }) { return reply }
      return memory.read(path).map { .answer(status: 200, body: $0.bytes) } ?? .answer(status: 404)
    }
  }

  deinit { server.stop() }

  /// Returns the paths of the objects of a locale.
  private static func objects(
    _ locale: String = "en", in memory: MemoryTarget
  ) throws -> (index: String, catalog: String) {
    func path(_ digest: Value?) throws -> String {
      let hex = try #require(digest?.digest).hex
      return "objects/\(hex.prefix(2))/\(hex).plist"
    }
    let config = try PropertyList.decode(Envelope.config(in: bytes(config, in: memory))).value
    let index = try path(config["indexes"][locale]["any"])
    let rows = try PropertyList.decode(bytes(index, in: memory)).value
    return (index, try path(rows["bundles"]["catalog"]["object"]))
  }

  private static func bytes(_ path: String, in memory: MemoryTarget) throws -> [UInt8] {
    try #require(memory.read(path)).bytes
  }

  /// Returns the published bytes of a file.
  func bytes(_ path: String = config) throws -> [UInt8] { try Self.bytes(path, in: memory) }

  /// Replies to requests for a file with an attack, or honestly again.
  func reply(_ reply: ScriptedServer.Reply?, at path: String = config) {
    replies.byPath.withLock { $0[path] = reply }
  }

  /// Writes the site into a folder of the sandbox.
  func write(to folder: String) throws {
    for file in memory.list(below: "") {
      let path = "\(folder)/\(file.key)"
      try sandbox.write(path, "")
      try sandbox.write(path, bytes: bytes(file.key))
    }
  }

  /// Runs `contentc verify`, by default at the server's address.
  func verify(_ flags: String..., in folder: String? = nil) throws -> Outcome {
    let place = "\(folder ?? server.address)/\(Self.config)"
    return try sandbox.run(Sandbox.binary, ["verify", place, "--keys", "1.json"] + flags)
  }
}
