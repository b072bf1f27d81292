import ContentModel
import ContentStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The changes below a folder, found by looking at it every so often.
///
/// A class, since it remembers what it saw. Unchecked, since it is only used by the one thread that
/// waits.
final class PollingWatcher: @unchecked Sendable {
  private let root: String
  private let pause: Duration
  /// Of every file; of a folder only that it is there, since files that nobody reads change it,
  /// too.
  private var seen: [ExactString: FileStamp?]
  private var nextLook: ContinuousClock.Instant

  /// Looks for the first time, and then with `pause` between two looks, or longer where a look
  /// takes long.
  init(_ root: String, pause: Duration) {
    (self.root, self.pause, seen, nextLook) = (
      root, pause, Self.stamps(below: root), ContinuousClock.now + pause
    )
  }

  /// The next change; `nil` if there was none in time.
  func next(within time: Duration) -> FolderChange? {
    let deadline = ContinuousClock.now + time
    while nextLook <= deadline {
      Self.sleep(until: nextLook)
      let start = ContinuousClock.now
      let now = Self.stamps(below: root)
      let end = ContinuousClock.now
      nextLook = end + max(pause, (end - start) * 10)
      if now != seen {
        seen = now
        return .finished(.anything)
      }
    }
    Self.sleep(until: deadline)
    return nil
  }

  private static func sleep(until instant: ContinuousClock.Instant) {
    let rest = instant - .now
    if rest > .zero { usleep(UInt32((rest / .microseconds(1)).rounded(.up))) }
  }

  private static func stamps(below root: String) -> [ExactString: FileStamp?] {
    var stamps: [ExactString: FileStamp?] = [:]
    look(at: root, into: &stamps)
    return stamps
  }

  private static func look(at folder: String, into stamps: inout [ExactString: FileStamp?]) {
    guard let entries = try? Disk.entries(in: folder) else { return }
    for (name, kind) in entries where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      stamps.updateValue(kind == .folder ? nil : FileStamp(at: path), forKey: ExactString(path))
      if kind == .folder { look(at: path, into: &stamps) }
    }
  }
}
