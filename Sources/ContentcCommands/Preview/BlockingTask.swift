import Dispatch
import Synchronization

/// Where commands, which do one thing after the other, meet what runs beside them.
enum BlockingTask {
  /// Waits on this thread, which must be the process's own, for what takes its time elsewhere.
  static func run<Output: Sendable>(_ work: @escaping @Sendable () async throws -> Output)
    throws -> Output
  {
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

/// A class, since the task that fills it and the thread that waits share it.
private final class ResultBox<Output: Sendable>: Sendable {
  private let result = Mutex<Result<Output, any Error>?>(nil)

  func put(_ result: Result<Output, any Error>) { self.result.withLock { $0 = result } }

  func take() throws -> Output {
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
