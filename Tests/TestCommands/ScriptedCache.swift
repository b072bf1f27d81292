import Synchronization
import TestServers

/// A cache on loopback in front of a folder.
///
/// It keeps answers until `PURGE`, and can refuse purges.
final class ScriptedCache: Sendable {
  /// The cache's behavior on a purge.
  enum Behavior: Sendable {
    case good
    /// The cache refuses with a status and quotes the whole request.
    case refusing(Int)
    /// The cache confirms the purge but keeps its copies.
    case lying
    /// The cache stores nothing.
    case forgetful
  }

  private struct State {
    var behavior = Behavior.good
    var copies: [String: [UInt8]] = [:]
  }

  /// A class because the server's threads share it.
  private final class Shelf: Sendable {
    let state = Mutex(State())
  }

  private let shelf: Shelf
  private let server: ScriptedServer

  init(before folder: String, of sandbox: Sandbox) throws {
    let shelf = Shelf()
    self.shelf = shelf
    server = try ScriptedServer { request in
      let behavior = shelf.state.withLock { $0.behavior }
      guard ["GET", "HEAD"].contains(request.method) else {
        if case .refusing(let status) = behavior {
          let said = ([request.method, request.path] + request.headers).joined(separator: "\n")
          return .answer(status: status, body: Array(said.utf8) + request.body)
        }
        if case .good = behavior { shelf.state.withLock { $0.copies[request.path] = nil } }
        return .answer(status: 200)
      }
      if let copy = shelf.state.withLock({ $0.copies[request.path] }) {
        return .answer(status: 200, body: copy)
      }
      guard let bytes = sandbox.read("\(folder)\(request.path)") else {
        return .answer(status: 404)
      }
      if case .forgetful = behavior { return .answer(status: 200, body: bytes) }
      shelf.state.withLock { $0.copies[request.path] = bytes }
      return .answer(status: 200, body: bytes)
    }
  }

  deinit { server.stop() }

  var address: String { server.address }
  /// The requests so far, one per line.
  var requests: [String] { server.requests.map { "\($0.method) \($0.path)" } }

  func set(_ behavior: Behavior) { shelf.state.withLock { $0.behavior = behavior } }

  /// Returns the paths of copies that contain a text.
  func copies(holding text: String) -> [String] {
    shelf.state.withLock {
      $0.copies.filter { String(decoding: $0.value, as: UTF8.self).contains(text) }.map(\.key)
    }
  }
}
