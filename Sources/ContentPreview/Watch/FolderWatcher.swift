import Dispatch
import Synchronization
import SystemC

/// A watcher that reports changes of a folder after each burst of them.
///
/// A class, since its queue and its owner share it.
final class FolderWatcher: Sendable {
  /// The times to wait for more changes of a burst.
  struct Debounce: Sendable {
    /// The wait after a file was closed, renamed or removed.
    var afterClose: Duration = .milliseconds(2)
    /// The wait after a write to a file that is still open.
    var afterWrite: Duration = .milliseconds(50)
    /// The longest wait after the first change.
    var atMost: Duration = .milliseconds(50)
  }

  private let isStopped = Atomic(false)

  /// Starts to watch a folder, which need not exist yet.
  ///
  /// `onChange` is called on the watcher's queue. Changes during a call lead to another call.
  /// `remark` is called once if changes will be seen late, with the reason.
  init(
    _ folder: String, debounce: Debounce = Debounce(),
    remark: @escaping @Sendable (String) -> Void = { _ in },
    onChange: @escaping @Sendable (ContentChange) -> Void
  ) {
    // The folder is watched before this returns, so a caller that reads it next misses nothing.
    let watcher = SystemWatcher(folder, remark: remark)
    let queue = DispatchQueue(label: "contentc.watch", qos: .userInitiated)
    queue.async { [self] in
      while !isStopped.load(ordering: .relaxed) {
        if let change = Self.nextBurst(of: watcher, debounce: debounce) { onChange(change) }
      }
    }
  }

  /// Stops the watcher within about 100 milliseconds; a last change may still be reported.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Waits for changes until the end of their burst; returns `nil` if there is none for a while.
  private static func nextBurst(
    of watcher: SystemWatcher, debounce: Debounce
  ) -> ContentChange? {
    guard var change = watcher.next(within: .milliseconds(50)) else { return nil }
    var all = change.content
    let deadline = ContinuousClock.now + debounce.atMost
    while true {
      let quiet = change.isOpen ? debounce.afterWrite : debounce.afterClose
      let wait = min(quiet, deadline - ContinuousClock.now)
      guard wait > .zero, let next = watcher.next(within: wait) else { return all }
      change = next
      all.formUnion(next.content)
    }
  }
}

/// A change of files and folders.
struct FolderChange: Sendable {
  var content: ContentChange
  /// `true` if all of the files are still open for writing.
  var isOpen: Bool

  /// Returns a change of files that were closed, renamed or removed.
  static func finished(_ content: ContentChange) -> FolderChange {
    FolderChange(content: content, isOpen: false)
  }
}
