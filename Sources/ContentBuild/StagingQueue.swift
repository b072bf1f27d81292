import ContentCompiler
import Parallel
import Synchronization

/// Objects that wait for a session, staged while the next ones are made: an edit has few, and the
/// last of them would leave a processor idle.
///
/// A class, since the threads that make objects and those that stage them share it.
final class StagingQueue: Sendable {
  private let session: BuildSession
  private let queue = WorkQueue()
  private let failure = Mutex<(any Error)?>(nil)

  init(into session: BuildSession) { self.session = session }

  /// Stages an object soon.
  func add(_ object: OutputObject) {
    queue.add {
      do { try self.session.add(object) } catch { self.failure.withLock { $0 = $0 ?? error } }
    }
  }

  /// Waits until everything that was added is staged; throws what failed first.
  func finish() throws {
    queue.waitForAll()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
