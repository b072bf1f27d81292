import Synchronization
import TestServers

/// A cache on loopback in front of a folder.
///
/// It keeps answers until `PURGE`, and can refuse purges.
final class ScriptedCache: Sendable {
  /// The answer to a purge.
  enum Mood: Sendable {
    case good
    /// It refuses with a status, and quotes all that was sent.
    case refusing(Int)
    /// It says that it forgets, and does not.
    case lying
    /// It keeps nothing.
    case forgetful
  }

  private struct State {
    var mood = Mood.good
    var copies: [String: [UInt8]] = [:]
  }

  /// A class, since the server's threads share it.
  private final class Shelf: Sendable {
    let state = Mutex(State())
  }

  private let shelf: Shelf
  private let server: ScriptedServer

  init(before folder: String, of sandbox: Sandbox) throws {
    let shelf = Shelf()
    self.shelf = shelf
    server = try ScriptedServer { request in
      let mood = shelf.state.withLock { $0.mood }
      guard ["GET", "HEAD"].contains(request.method) else {
        if case .refusing(let status) = mood {
          let said = ([request.method, request.path] + request.headers).joined(separator: "\n")
          return .answer(status: status, body: Array(said.utf8) + request.body)
        }
        if case .good = mood { shelf.state.withLock { $0.copies[request.path] = nil } }
        return .answer(status: 200)
      }
      if let copy = shelf.state.withLock({ $0.copies[request.path] }) {
        return .answer(status: 200, body: copy)
      }
      guard let bytes = sandbox.read("\(folder)\(request.path)") else {
        return .answer(status: 404)
      }
      if case .forgetful = mood { return .answer(status: 200, body: bytes) }
      shelf.state.withLock { $0.copies[request.path] = bytes }
      return .answer(status: 200, body: bytes)
    }
  }

  deinit { server.stop() }

  var address: String { server.address }
  /// Every request so far, in a line each.
  var requests: [String] { server.requests.map { "\($0.method) \($0.path)" } }

  func set(_ mood: Mood) { shelf.state.withLock { $0.mood = mood } }

  /// Paths of copies that hold a text.
  func copies(holding text: String) -> [String] {
    shelf.state.withLock {
      $0.copies.filter { String(decoding: $0.value, as: UTF8.self).contains(text) }.map(\.key)
    }
  }
}
