import Dispatch

/// A server that handles a request after its head, before its body has arrived.
package final class HeadServer: Sendable {
  private let listener: Socket
  private let talk: @Sendable (Socket, Head) -> Void

  /// The bytes that have arrived with a complete head.
  package struct Head: Sendable {
    package let lines: [String]
    /// The first bytes of the body.
    package let rest: [UInt8]

    /// The value of `Content-Length`; 0 without one.
    package var length: Int {
      lines.lazy.compactMap {
        $0.lowercased().hasPrefix("content-length: ") ? Int($0.dropFirst(16)) : nil
      }.first ?? 0
    }

    /// Returns the body, or the part of it before the end of the connection.
    package func body(_ socket: Socket) -> [UInt8] {
      var body = rest
      while body.count < length, case let more = socket.receive(), !more.isEmpty { body += more }
      return body
    }
  }

  /// Starts a server that calls `talk` for each connection, one after another, and closes it.
  package init(_ talk: @escaping @Sendable (Socket, Head) -> Void) throws {
    listener = try Socket.listening()
    self.talk = talk
    DispatchQueue(label: "listener").async { self.serve() }
  }

  package var address: String { "http://127.0.0.1:\(listener.port)" }

  package func stop() { listener.shutdown() }

  private func serve() {
    while let socket = listener.accept() {
      if let head = Self.head(socket) { talk(socket, head) }
      socket.close()
    }
    listener.close()
  }

  private static func head(_ socket: Socket) -> Head? {
    var bytes: [UInt8] = []
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let place = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) {
        let lines = String(decoding: bytes[..<place], as: UTF8.self).split(separator: "\r\n").map(
          String.init)
        return Head(lines: lines, rest: Array(bytes[(place + end.count)...]))
      }
      let more = socket.receive()
      guard !more.isEmpty else { return nil }
      bytes += more
    }
  }
}
