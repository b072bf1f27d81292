import ContentModel
import Synchronization

/// A cache in memory that drops its oldest items when it is full.
///
/// A class, since several threads read and add.
final class ByteCache: Sendable {
  private struct Items {
    var bytes: [ExactString: [UInt8]] = [:]
    /// The keys, the oldest first.
    var order: [ExactString] = []
    var size = 0
  }

  private let items = Mutex(Items())
  private let limit: Int

  /// Creates a cache with a limit in bytes.
  init(limit: Int) { self.limit = limit }

  /// The bytes of an item; `nil` if it is not in the cache.
  subscript(key: String) -> [UInt8]? { items.withLock { $0.bytes[key] } }

  /// Drops all items.
  func removeAll() { items.withLock { $0 = Items() } }

  /// Adds an item and drops the oldest ones above the limit.
  ///
  /// An item of more than a quarter of the limit is not added.
  func insert(_ bytes: [UInt8], for key: String) {
    guard bytes.count <= limit / 4 else { return }
    let key = ExactString(key)
    items.withLock { items in
      guard items.bytes.updateValue(bytes, forKey: key) == nil else { return }
      items.order.append(key)
      items.size += bytes.count
      while items.size > limit {
        items.size -= items.bytes.removeValue(forKey: items.order.removeFirst())?.count ?? 0
      }
    }
  }
}
