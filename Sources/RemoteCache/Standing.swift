import Synchronization

/// Whether a server is still asked.
///
/// A class, since libcurl holds its address.
final class Standing: Sendable {
  private struct State {
    var failuresInARow = 0
    var warning: String?
  }

  private let over = Atomic(false)
  private let state = Mutex(State())
  /// The address as it may be shown.
  private let shown: String
  private let failures: Int

  init(shown: String, failures: Int) {
    self.shown = shown
    self.failures = failures
  }

  /// Whether nothing is asked any more, and what is under way ends soon.
  var isOver: Bool { over.load(ordering: .relaxed) }

  /// Why the cache was given up; `nil` if it was not.
  var warning: String? { state.withLock { $0.warning } }

  /// Ends all that is under way, without a warning.
  func end() { over.store(true, ordering: .relaxed) }

  func succeeded() { state.withLock { $0.failuresInARow = 0 } }

  func failed(_ reason: String, isFinal: Bool = false) {
    // Requests that end because others failed are no news.
    guard !isOver else { return }
    state.withLock { state in
      state.failuresInARow += isFinal ? failures : 1
      guard state.failuresInARow >= failures, state.warning == nil else { return }
      state.warning = "the cache at '\(shown)' is given up for this build: \(reason)"
      over.store(true, ordering: .relaxed)
    }
  }
}
