import HTTPTransport
import Synchronization

/// Connections that wait for the next thread that needs one; as many as were used at once.
struct ConnectionPool: ~Copyable, Sendable {
  private let address: CacheAddress
  private let access: CacheAccess
  private let limits: CacheLimits
  private let standing: Standing
  private let idle = Mutex<[Connection]>([])

  init(_ address: CacheAddress, _ access: CacheAccess, _ limits: CacheLimits, _ standing: Standing)
  {
    self.address = address
    self.access = access
    self.limits = limits
    self.standing = standing
  }

  /// Lends a connection for one request, unless the cache has been given up.
  func request(_ body: (Connection) -> Answer) -> Answer? {
    guard !standing.isOver else { return nil }
    guard
      let connection = idle.withLock({ $0.popLast() })
        ?? Connection(address, access, limits, standing)
    else {
      return .failed(.init(reason: "\(Curl.name) cannot be loaded", isFinal: true))
    }
    defer { idle.withLock { $0.append(connection) } }
    return body(connection)
  }

  /// Closes all connections that are not in use.
  func close() { idle.withLock { $0 = [] } }
}
