import Dispatch
import Synchronization
import SystemC

/// A relay before a server that passes all bytes on, as if the server were far away.
///
/// Each request waits for one round trip before it is passed on.
package final class DistantServer: Sendable {
  private let listener: Socket
  private let port: UInt16
  private let roundTrip = Atomic<UInt32>(0)
  private let open = Mutex<[Socket]>([])

  /// Starts a relay before the server at `port`.
  package init(to port: UInt16) throws {
    self.port = port
    listener = try Socket.listening()
    DispatchQueue(label: "distant server").async { self.serve() }
  }

  package var address: String { "http://127.0.0.1:\(listener.port)" }

  /// Sets the time that each request waits, in milliseconds.
  package func setRoundTrip(milliseconds: UInt32) {
    roundTrip.store(milliseconds, ordering: .relaxed)
  }

  package func stop() {
    listener.shutdown()
    for socket in open.withLock({ $0 }) { socket.shutdown() }
  }

  private func serve() {
    while let client = listener.accept() {
      guard let server = try? Socket.connected(to: port) else {
        client.close()
        continue
      }
      open.withLock { $0 += [client, server] }
      // A body follows its head without a pause; only the first bytes after an answer are delayed.
      let isAnswered = Flag(true)
      DispatchQueue(label: "requests").async {
        self.pass(from: client, to: server) {
          if isAnswered.swap(false) { usleep(self.roundTrip.load(ordering: .relaxed) * 1_000) }
        }
      }
      DispatchQueue(label: "answers").async {
        self.pass(from: server, to: client) { _ = isAnswered.swap(true) }
      }
    }
    listener.close()
  }

  private func pass(from source: Socket, to sink: Socket, before: () -> Void) {
    while true {
      let bytes = source.receive()
      if bytes.isEmpty { break }
      before()
      sink.send(bytes)
    }
    source.shutdown()
    sink.shutdown()
  }

  /// A Boolean value that two threads share.
  private final class Flag: Sendable {
    private let value: Atomic<Bool>

    init(_ value: Bool) { self.value = Atomic(value) }

    /// Sets the value, and returns the one before.
    func swap(_ new: Bool) -> Bool { value.exchange(new, ordering: .sequentiallyConsistent) }
  }
}
