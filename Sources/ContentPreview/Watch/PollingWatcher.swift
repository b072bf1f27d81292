import ContentBuild
import ContentModel
import System
import SystemC

/// A watcher that compares a folder with its previous state at an interval.
///
/// A class, since it keeps that state. Unchecked, since only one thread at a time uses it.
final class PollingWatcher: @unchecked Sendable {
  private let root: String
  private let interval: Duration
  /// The stamps of all files; `nil` for folders, whose own stamps dotfiles change, too.
  private var stamps: [ExactString: FileStamp?]
  private var nextScan: ContinuousClock.Instant

  /// Creates a watcher that scans a folder now, and then at an interval, which is longer if a scan
  /// takes long.
  init(_ root: String, interval: Duration) {
    (self.root, self.interval) = (root, interval)
    (stamps, nextScan) = (Self.stamps(below: root), ContinuousClock.now + interval)
  }

  /// Waits for the next change; returns `nil` if there is none in time.
  func next(within time: Duration) -> FolderChange? {
    let deadline = ContinuousClock.now + time
    while nextScan <= deadline {
      Self.sleep(until: nextScan)
      let start = ContinuousClock.now
      let now = Self.stamps(below: root)
      let end = ContinuousClock.now
      nextScan = end + max(interval, (end - start) * 10)
      if now != stamps {
        stamps = now
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
    scan(root, into: &stamps)
    return stamps
  }

  private static func scan(_ folder: String, into stamps: inout [ExactString: FileStamp?]) {
    guard let entries = try? Disk.entries(in: folder) else { return }
    for (name, kind) in entries where !name.hasBytePrefix(".") {
      let path = "\(folder)/\(name)"
      stamps.updateValue(kind == .folder ? nil : FileStamp(at: path), forKey: ExactString(path))
      if kind == .folder { scan(path, into: &stamps) }
    }
  }
}
