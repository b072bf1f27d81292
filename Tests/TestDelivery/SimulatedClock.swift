import Synchronization
import System
import SystemC

/// A clock that jumps to the end of each wait.
///
/// A class because closures share it.
final class SimulatedClock: Sendable {
  private struct State {
    var milliseconds: Int64 = 0
    /// The time that each thread last read.
    ///
    /// A thread's wait counts from there, because other threads may have advanced the clock since.
    var read: [UInt: Int64] = [:]
  }

  private let state = Mutex(State())

  var milliseconds: Int64 { state.withLock { $0.milliseconds } }

  private static var thread: UInt {
    #if os(Linux)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }

  /// The random numbers always yield the longest wait that backoff allows, as in `Waits`.
  var environment: RequestEnvironment {
    RequestEnvironment(
      now: { 1_800_000_000 + self.milliseconds / 1_000 },
      sleep: { wait in
        self.state.withLock { state in
          let from = state.read[Self.thread] ?? state.milliseconds
          state.milliseconds = max(state.milliseconds, from + Int64(wait))
        }
      },
      random: { .max },
      milliseconds: {
        self.state.withLock { state in
          state.read[Self.thread] = state.milliseconds
          return state.milliseconds
        }
      })
  }
}
