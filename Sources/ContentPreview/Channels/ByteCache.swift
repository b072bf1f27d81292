import Synchronization

/// Objects in memory, which never change: as many as there is room for.
///
/// A class, since several threads read and add.
final class ByteCache: Sendable {
  private struct Kept {
    var files: [String: [UInt8]] = [:]
    /// The oldest first.
    var order: [String] = []
    var size = 0
  }

  private let kept = Mutex(Kept())
  private let limit: Int

  /// Room for so many bytes.
  init(limit: Int) { self.limit = limit }

  /// The bytes of an object; `nil` if it is not here, or not any more.
  subscript(path: String) -> [UInt8]? { kept.withLock { $0.files[path] } }

  /// Drops all of them.
  func removeAll() { kept.withLock { $0 = Kept() } }

  /// Keeps an object, and drops the oldest while there is no room; one that leaves no room for
  /// others is not kept.
  func keep(_ bytes: [UInt8], as path: String) {
    guard bytes.count <= limit / 4 else { return }
    kept.withLock { kept in
      guard kept.files.updateValue(bytes, forKey: path) == nil else { return }
      kept.order.append(path)
      kept.size += bytes.count
      while kept.size > limit {
        kept.size -= kept.files.removeValue(forKey: kept.order.removeFirst())?.count ?? 0
      }
    }
  }
}
