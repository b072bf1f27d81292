import Dispatch
import Synchronization
import SystemC

/// The end of a build on Control-C: no step begins any more, what was begun is put away, and the
/// process ends.
///
/// A class, since the signal's handler and the command share it.
package final class Interruption: Sendable {
  private let isRequested = Atomic(false)
  private let running = DispatchGroup()
  private let source = Mutex<(any DispatchSourceSignal)?>(nil)
  private static let isHandledElsewhere = Atomic(false)

  /// Leaves the signal to a command that builds again and again, and ends by itself: no later value
  /// watches for it.
  package static func handleElsewhere() {
    isHandledElsewhere.store(true, ordering: .sequentiallyConsistent)
  }

  /// Watches for the signal from now on, and calls `putAway` when it has come and no step runs.
  init(putAway: @escaping @Sendable () -> Void) {
    if Self.isHandledElsewhere.load(ordering: .sequentiallyConsistent) { return }
    signal(SIGINT, SIG_IGN)
    source.withLock { source in
      let signals = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
      signals.setEventHandler { [self] in
        isRequested.store(true, ordering: .sequentiallyConsistent)
        _ = running.wait(timeout: .now() + .seconds(2))
        putAway()
        // As shells expect of a process that the signal ended.
        _exit(128 + SIGINT)
      }
      signals.resume()
      source = signals
    }
  }

  /// Runs a step that must not be cut in half; once the signal has come, none begins.
  func step<Result>(_ work: () throws -> Result) throws -> Result {
    running.enter()
    defer { running.leave() }
    if isRequested.load(ordering: .sequentiallyConsistent) { throw Interrupted() }
    return try work()
  }

  /// Keeps a failure that the interruption itself caused from being told: the handler ends the
  /// process.
  func waitIfRequested() {
    while isRequested.load(ordering: .sequentiallyConsistent) { pause() }
  }
}

/// A step did not begin, since the command was interrupted.
struct Interrupted: Error {}
