import Synchronization
import TestServers

/// A proxy before a bucket that falsifies one answer, or every answer from that one on.
///
/// A class because it counts requests and keeps answers.
final class LyingProxy: Sendable {
  enum Lie: String, CaseIterable, Sendable {
    /// A write is answered with 200 but dropped.
    case droppedWrite
    /// A request is forwarded, but its answer is lost.
    case lostAnswer
    /// A read gets the first answer that the same request received.
    case staleRead
    /// The body of an answer is cut in half.
    case truncatedRead
    /// The body of an answer is cut in half, and `Content-Length` matches the half.
    case shortenedRead
    /// The body of an answer arrives byte by byte.
    case slowRead
  }

  private struct State {
    var lie: Lie?
    var numbers = 0..<0
    var count = 0
    var answers: [String: [UInt8]] = [:]
  }

  private let port: UInt16
  private let state = Mutex(State())
  private let listener = Mutex<ScriptedServer?>(nil)

  /// Starts a proxy before the server at `port`.
  init(to port: UInt16) throws {
    self.port = port
    let server = try ScriptedServer { [weak self] in self?.reply(to: $0) ?? .death }
    listener.withLock { $0 = server }
  }

  deinit { listener.withLock { $0 }?.stop() }

  var address: String { listener.withLock { $0?.address ?? "" } }

  /// Lies from now on at the requests with these numbers.
  ///
  /// The count restarts at 0 and covers the requests that the lie concerns: writes, reads or both.
  func lie(_ lie: Lie, at numbers: Range<Int>) {
    state.withLock { $0 = State(lie: lie, numbers: numbers) }
  }

  private func reply(to request: ScriptedServer.Request) -> ScriptedServer.Reply {
    let name = "\(request.method) \(request.path)"
    let isRead = ["GET", "HEAD"].contains(request.method)
    let (lie, first) = state.withLock { state -> (Lie?, [UInt8]?) in
      guard let lie = state.lie, isRead != (lie == .droppedWrite) || lie == .lostAnswer else {
        return (nil, nil)
      }
      defer { state.count += 1 }
      return (state.numbers.contains(state.count) ? lie : nil, state.answers[name])
    }
    if lie == .droppedWrite { return .answer(status: 200) }
    if lie == .staleRead, let first { return .bytes(first) }
    let answer = forward(request)
    if isRead { state.withLock { $0.answers[name] = $0.answers[name] ?? answer } }
    switch lie {
    case .lostAnswer: return .bytes([])
    case .truncatedRead:
      return .bytes(Array(answer.prefix(answer.count - body(answer).count / 2 - 1)))
    case .shortenedRead: return .bytes(shortened(answer))
    case .slowRead: return .trickle(answer, milliseconds: 20)
    default: return .bytes(answer)
    }
  }

  private func body(_ answer: [UInt8]) -> ArraySlice<UInt8> {
    let end = answer.indices.first { answer[$0...].starts(with: Array("\r\n\r\n".utf8)) }
    return end.map { answer[($0 + 4)...] } ?? []
  }

  /// Returns the answer with half of its body and a matching `Content-Length`.
  private func shortened(_ answer: [UInt8]) -> [UInt8] {
    let body = body(answer)
    let half = body.prefix(body.count / 2)
    let head = String(decoding: answer[..<body.startIndex], as: UTF8.self)
    let lines = head.split(separator: "\r\n").filter {
      !$0.lowercased().hasPrefix("content-length:")
    }
    return Array((lines + ["Content-Length: \(half.count)"]).joined(separator: "\r\n").utf8)
      + Array("\r\n\r\n".utf8) + half
  }

  private func forward(_ request: ScriptedServer.Request) -> [UInt8] {
    Self.forward(request, to: port)
  }

  /// Returns the answer of the server at a port to a request.
  static func forward(_ request: ScriptedServer.Request, to port: UInt16) -> [UInt8] {
    guard let socket = try? Socket.connected(to: port) else { return [] }
    defer { socket.close() }
    let lines =
      ["\(request.method) \(request.path) HTTP/1.1"] + request.headers + ["Connection: close"]
    socket.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + request.body)
    var answer: [UInt8] = []
    while true {
      let more = socket.receive()
      if more.isEmpty { return answer }
      answer += more
    }
  }
}
