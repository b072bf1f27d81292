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
final class FolderWatcher: Sendable {
  /// How long to wait for more of a burst.
  struct Debounce: Sendable {
    /// After a file was closed, renamed or removed.
    var afterClose: Duration = .milliseconds(2)
    /// After a write to a file that is still open.
    var afterWrite: Duration = .milliseconds(50)
    /// After the first change of a burst that does not end.
    var atMost: Duration = .milliseconds(50)
  }

  private let isStopped = Atomic(false)

  /// Watches a folder from now on, which need not be there yet, and calls `onChange` from a thread
  /// of its own.
  ///
  /// What changes while `onChange` runs leads to another call: nothing is lost. `remark` is told
  /// once if changes are seen late, and why.
  init(
    _ folder: String, _ debounce: Debounce = Debounce(),
    remark: @escaping @Sendable (String) -> Void = { _ in },
    onChange: @escaping @Sendable (ContentChange) -> Void
  ) {
    // Watched before this returns: whoever reads the folder next misses nothing.
    let changes = SystemWatcher(folder, remark: remark)
    let thread = DispatchQueue(label: "contentc.watch", qos: .userInitiated)
    thread.async { [self] in
      while !isStopped.load(ordering: .relaxed) {
        if let change = Self.waitForBurst(changes, debounce) { onChange(change) }
      }
    }
  }

  /// Ends the watch, a twentieth of a second later at most.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Waits for changes, and for the end of their burst; `nil` if nothing came for a while.
  private static func waitForBurst(_ changes: SystemWatcher, _ debounce: Debounce) -> ContentChange?
  {
    guard var change = changes.next(within: .milliseconds(50)) else { return nil }
    var all = change.content
    let deadline = ContinuousClock.now + debounce.atMost
    while true {
      let quiet = change.isOpen ? debounce.afterWrite : debounce.afterClose
      let wait = min(quiet, deadline - ContinuousClock.now)
      guard wait > .zero, let next = changes.next(within: wait) else { return all }
      change = next
      all.formUnion(next.content)
    }
  }
}

/// What happened to files and folders.
struct FolderChange: Sendable {
  var content: ContentChange
  /// Whether somebody is still writing to all of them.
  var isOpen: Bool

  /// Of files that are as they shall be: closed, renamed, removed.
  static func finished(_ content: ContentChange) -> FolderChange {
    FolderChange(content: content, isOpen: false)
  }
}
