import Dispatch
import Synchronization
import SystemC

/// A bridge to asynchronous functions for commands, which are synchronous.
enum BlockingTask {
  /// Runs work in a task and blocks this thread, which must be the main thread, until it ends.
  static func run<Output: Sendable>(
    _ work: @escaping @Sendable () async throws -> Output
  ) throws -> Output {
    let done = DispatchSemaphore(value: 0)
    let box = ResultBox<Output>()
    Task {
      do { box.put(.success(try await work())) } catch { box.put(.failure(error)) }
      done.signal()
    }
    done.wait()
    return try box.take()
  }
}

/// A result that a task sets and a thread reads; a class, since both share it.
private final class ResultBox<Output: Sendable>: Sendable {
  private let result = Mutex<Result<Output, any Error>?>(nil)

  func put(_ result: Result<Output, any Error>) { self.result.withLock { $0 = result } }

  func take() throws -> Output {
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}

/// The signals that end a long-running command: Control-C, or `kill`.
struct TerminationSignal {
  private let received = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  /// Starts to listen for the signals.
  init() {
    sources = [SIGINT, SIGTERM].map { [received] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { received.signal() }
      source.activate()
      return source
    }
  }

  /// Blocks this thread until a signal is received.
  func wait() { received.wait() }
}
