import Synchronization

/// The state of a cache's server during one build: in use, or given up after failures.
///
/// A class, since all requests share it.
final class CacheHealth: Sendable {
  private struct State {
    var failuresInARow = 0
    var warning: String?
  }

  private let over = Atomic(false)
  private let state = Mutex(State())
  /// The address without its user part.
  private let shownAddress: String
  private let failureLimit: Int

  init(shownAddress: String, failureLimit: Int) {
    self.shownAddress = shownAddress
    self.failureLimit = failureLimit
  }

  /// `true` if no request may begin, and those in progress end soon.
  var isOver: Bool { over.load(ordering: .relaxed) }

  /// The reason for which the cache was given up; `nil` if it was not.
  var warning: String? { state.withLock { $0.warning } }

  /// Ends all requests, without a warning.
  func end() { over.store(true, ordering: .relaxed) }

  /// Notes a correct answer.
  func succeeded() { state.withLock { $0.failuresInARow = 0 } }

  /// Notes a failed request; gives the cache up after a final failure, or too many in a row.
  func failed(_ reason: String, isFinal: Bool = false) {
    // The cancelled requests of a cache that was given up are no failures.
    guard !isOver else { return }
    state.withLock { state in
      state.failuresInARow += isFinal ? failureLimit : 1
      guard state.failuresInARow >= failureLimit, state.warning == nil else { return }
      state.warning = "the cache at '\(shownAddress)' is given up for this build: \(reason)"
      over.store(true, ordering: .relaxed)
    }
  }
}
