import Dispatch
import Synchronization

/// A bridge from synchronous to asynchronous functions.
package enum BlockingTask {
  /// Runs work in a task and blocks this thread, which must be the main thread, until it ends.
  package static func run<Output: Sendable>(
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
