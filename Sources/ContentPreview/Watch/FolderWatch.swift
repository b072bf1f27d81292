import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Tells when something in a folder has changed, and is quiet again.
///
/// A class, since it owns a thread and what that thread waits on.
final class FolderWatch: Sendable {
  /// How long to wait for more of a burst.
  struct Settling: Sendable {
    /// After a file was closed, renamed or removed.
    var afterClose: Duration = .milliseconds(2)
    /// After a write to a file that is still open.
    var afterWrite: Duration = .milliseconds(50)
    /// After the first change of a burst that does not end.
    var atMost: Duration = .milliseconds(50)
  }

  private let isStopped = Atomic(false)

  /// Watches a folder from now on, which need not be there yet, and calls `onChange` from a thread of its own.
  ///
  /// What changes while `onChange` runs leads to another call: nothing is lost.
  init(_ folder: String, _ settling: Settling = Settling(), onChange: @escaping @Sendable () -> Void) {
    // Watched before this returns: whoever reads the folder next misses nothing.
    let changes = FolderChanges(folder)
    let thread = DispatchQueue(label: "contentc.watch", qos: .userInitiated)
    thread.async { [self] in
      while !isStopped.load(ordering: .relaxed) {
        if Self.waitForBurst(changes, settling) { onChange() }
      }
    }
  }

  /// Ends the watch, a quarter of a second later at most.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Waits for changes, and for the end of their burst; `false` if nothing came for a while.
  private static func waitForBurst(_ changes: FolderChanges, _ settling: Settling) -> Bool {
    guard var change = changes.next(within: .milliseconds(250)) else { return false }
    let deadline = ContinuousClock.now + settling.atMost
    while true {
      let quiet = change == .written ? settling.afterWrite : settling.afterClose
      let wait = min(quiet, deadline - ContinuousClock.now)
      guard wait > .zero, let next = changes.next(within: wait) else { return true }
      change = next
    }
  }
}

/// What happened to a file or folder.
enum FolderChange: Hashable, Sendable {
  /// It is as it shall be: closed, renamed, removed.
  case finished
  /// Somebody is still writing to it.
  case written
}
