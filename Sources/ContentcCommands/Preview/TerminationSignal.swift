import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The wish that a command which runs for ever comes to its end: Control-C, or `kill`.
struct TerminationSignal {
  private let came = DispatchSemaphore(value: 0)
  private let sources: [any DispatchSourceSignal]

  /// Listens from now on.
  init() {
    sources = [SIGINT, SIGTERM].map { [came] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { came.signal() }
      source.activate()
      return source
    }
  }

  /// Waits for it.
  func wait() { came.wait() }
}
