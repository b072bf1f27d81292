import Foundation
import Synchronization
import SystemC

/// A server with scripted replies, also faulty ones.
///
/// Each connection has a thread of its own: those of Dispatch are few, and other tests occupy them.
package final class ScriptedServer: Sendable {
  /// A reply to a request.
  package enum Reply: Sendable {
    case answer(status: Int, headers: [String] = [], body: [UInt8] = [])
    /// These bytes, then the end of the connection.
    case bytes([UInt8])
    case silence
    /// These bytes one by one, with a pause after each; the head arrives at once.
    case trickle([UInt8], milliseconds: UInt32, head: [UInt8] = [])
    /// A head, and then the same bytes again and again, until the client ends the connection.
    case endless([UInt8], head: [UInt8])
    /// The end of the server and of all connections.
    case death
  }

  package struct Request: Sendable {
    package let method: String
    package let path: String
    /// The header lines.
    package let headers: [String]
    package let body: [UInt8]
  }

  private struct State {
    var requests: [Request] = []
    var open: [Socket] = []
    var accepted = 0
    var streamed = 0
    var trickleTimes: [Duration] = []
    /// `true` once the listener is closed: its descriptor may be another server's by then.
    var isClosed = false
  }

  private let listener: Socket
  package let port: UInt16
  private let state = Mutex(State())
  private let reply: @Sendable (Request) -> Reply

  package init(_ reply: @escaping @Sendable (Request) -> Reply) throws {
    listener = try Socket.listening()
    port = listener.port
    self.reply = reply
    Thread.detachNewThread { self.serve() }
  }

  package var address: String { "http://127.0.0.1:\(port)" }
  /// The requests in the order of their completion.
  package var requests: [Request] { state.withLock { $0.requests } }
  package var acceptedConnections: Int { state.withLock { $0.accepted } }
  /// The number of bytes that the system took of endless replies.
  package var streamedBytes: Int { state.withLock { $0.streamed } }

  /// The times from the head of each trickled reply to its end, or until the client hung up.
  package var trickleTimes: [Duration] { state.withLock { $0.trickleTimes } }

  /// Ends the server and all connections; a second call does nothing.
  package func stop() {
    let open = state.withLock { state in
      if !state.isClosed { listener.shutdown() }
      return state.open
    }
    for socket in open { socket.shutdown() }
  }

  private func serve() {
    while let socket = listener.accept() {
      state.withLock { state in
        state.open.append(socket)
        state.accepted += 1
      }
      Thread.detachNewThread { self.serve(socket) }
    }
    state.withLock { state in
      state.isClosed = true
      listener.close()
    }
  }

  private func serve(_ socket: Socket) {
    while let request = Self.read(socket) {
      state.withLock { $0.requests.append(request) }
      switch reply(request) {
      case .answer(let status, let headers, let body):
        let lines = ["HTTP/1.1 \(status) Scripted", "Content-Length: \(body.count)"] + headers
        let content = request.method == "HEAD" ? [] : body
        socket.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + content)
      case .bytes(let bytes):
        socket.send(bytes)
        return socket.shutdown()
      case .silence: break
      case .trickle(let bytes, let milliseconds, let head):
        let time = ContinuousClock().measure {
          socket.send(head)
          for byte in bytes {
            guard socket.send([byte]) else { break }
            usleep(milliseconds * 1_000)
          }
        }
        state.withLock { $0.trickleTimes.append(time) }
        return socket.shutdown()
      case .endless(let bytes, let head):
        socket.send(head)
        while socket.send(bytes) { state.withLock { $0.streamed += bytes.count } }
        return socket.shutdown()
      case .death: return stop()
      }
    }
  }

  private static func read(_ socket: Socket) -> Request? {
    var bytes: [UInt8] = []
    while true {
      if let request = request(bytes) { return request }
      let more = socket.receive()
      guard !more.isEmpty else { return nil }
      bytes += more
    }
  }

  private static func request(_ bytes: [UInt8]) -> Request? {
    guard
      let end = bytes.indices.first(where: { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) })
    else {
      return nil
    }
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(
      String.init)
    let words = lines.first?.split(separator: " ").map(String.init) ?? []
    guard words.count == 3 else { return nil }
    let length = lines.lazy.compactMap { line in
      line.lowercased().hasPrefix("content-length: ") ? Int(line.dropFirst(16)) : nil
    }.first
    let body = bytes[(end + 4)...]
    guard body.count >= length ?? 0 else { return nil }
    return Request(
      method: words[0], path: words[1], headers: Array(lines.dropFirst()), body: Array(body))
  }
}
