import Dispatch
import SystemC

/// The signals that end a long-running command: Control-C, or `kill`.
package struct TerminationSignal {
  private let received = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  /// Starts to listen for the signals.
  package init() {
    sources = [SIGINT, SIGTERM].map { [received] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { received.signal() }
      source.activate()
      return source
    }
  }

  /// Blocks this thread until a signal is received.
  package func wait() { received.wait() }
}
