import Dispatch
import Synchronization
import SystemC

/// The handling of Control-C during a build: no new step begins, staged files are removed, and the
/// process exits.
///
/// A class, since the signal handler and the command share it. The handling ends with its life.
package final class Interruption: Sendable {
  private let isRequested = Atomic(false)
  private let running = DispatchGroup()
  private let source = Mutex<(any DispatchSourceSignal)?>(nil)
  /// The handler before this one; `nil` is the default.
  private let handlerBefore: (@convention(c) (Int32) -> Void)?
  /// `true` if the end of this value restores the handler: the signal was not ignored.
  private let restoresHandler: Bool
  private static let isHandledElsewhere = Atomic(false)

  /// Disables all later values, for a command that builds repeatedly and handles the signal itself.
  package static func handleElsewhere() {
    isHandledElsewhere.store(true, ordering: .sequentiallyConsistent)
  }

  /// Handles the signal from now on.
  ///
  /// After the signal, `cleanUp` is called once no step is running, or after two seconds. It must
  /// not retain this value or what its end releases.
  init(cleanUp: @escaping @Sendable () -> Void) {
    guard !Self.isHandledElsewhere.load(ordering: .sequentiallyConsistent) else {
      (handlerBefore, restoresHandler) = (nil, false)
      return
    }
    handlerBefore = signal(SIGINT, SIG_IGN)
    let ignored: (@convention(c) (Int32) -> Void)? = SIG_IGN
    restoresHandler =
      unsafeBitCast(handlerBefore, to: Int.self) != unsafeBitCast(ignored, to: Int.self)
    source.withLock { source in
      let signals = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
      signals.setEventHandler { [weak self] in
        guard let self else { return }
        isRequested.store(true, ordering: .sequentiallyConsistent)
        _ = running.wait(timeout: .now() + .seconds(2))
        cleanUp()
        // The command may have something to say.
        if restoresHandler { handlerBefore?(SIGINT) }
        // Shells expect this status of a process that a signal has ended.
        _exit(128 + SIGINT)
      }
      signals.resume()
      source = signals
    }
  }

  deinit {
    source.withLock { source in
      guard let signals = source else { return }
      signals.cancel()
      if restoresHandler { signal(SIGINT, handlerBefore) }
    }
  }

  /// Runs a step that must not be cut short; throws an error after the signal.
  func step<Result>(_ work: () throws -> Result) throws -> Result {
    running.enter()
    defer { running.leave() }
    if isRequested.load(ordering: .sequentiallyConsistent) { throw Interrupted() }
    return try work()
  }

  /// Waits for the end of the process after the signal, so that no error of it is reported.
  func waitIfRequested() {
    while isRequested.load(ordering: .sequentiallyConsistent) { pause() }
  }
}

/// An error of a step that did not begin, since the command was interrupted.
struct Interrupted: Error {}
