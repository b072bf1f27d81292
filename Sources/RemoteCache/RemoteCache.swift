import Hashing
package import ContentModel
import Parallel
import HTTPTransport
import Synchronization

/// Bytes that machines share through a server that speaks Bazel's HTTP cache protocol, or through a
/// bucket.
///
/// A cache can only save time: it is never needed and never trusted. What is wrong, slow or
/// unreachable is as good as not there; the server is soon not asked any more, and `finish` has one
/// sentence to tell about it. Any thread may call any of the functions at any time. A class, since
/// what is to be written outlives the call.
package final class RemoteCache: Sendable {
  /// The address without its user part, to be shown.
  package let shownAddress: String

  private let address: CacheAddress
  private let limits: CacheLimits
  private let seal: SealedRecord
  private let standing: Standing
  private let pool: ConnectionPool
  private let uploads: UploadQueue
  private let summary = Mutex(CacheSummary())

  /// Opens the cache at `[s3+]http[s]://[user[:password]@]host[:port][/path]`; nothing is sent yet.
  ///
  /// - Throws: if no cache can be at that address.
  package init(
    at address: String, access: CacheAccess = CacheAccess(), limits: CacheLimits = CacheLimits()
  ) throws(CacheAddressError) {
    let address = try CacheAddress(address)
    self.address = address
    self.limits = limits
    shownAddress = address.base
    seal = SealedRecord(secret: access.secret)
    standing = Standing(shown: address.base, failures: limits.failures)
    pool = ConnectionPool(address, access, limits, standing)
    uploads = UploadQueue(lanes: limits.writers, waitingBytes: limits.waitingBytes)
    // Loading takes milliseconds, in which a build has other things to do.
    _ = BackgroundTask { _ = Curl.loaded }
  }

  /// What is in the cache under a key; `nil` if it is not there, or not what the key says.
  ///
  /// Takes a way to the server and back: whoever wants more than one thing asks for all of them
  /// together.
  package func fetch(_ kind: CacheKind, _ key: Digest) -> [UInt8]? {
    fetch(kind, [key])[0]
  }

  /// The same for many keys, over several connections at once; results stand in the order of the
  /// keys.
  package func fetch(_ kind: CacheKind, _ keys: [Digest]) -> [[UInt8]?] {
    // Not on this thread, since signals must not end calls of libcurl (`Connection.perform`).
    keys.mapOverlapped(atOnce: limits.readers) { [self] key in
      standing.isOver ? nil : answer(kind, key)
    }
  }

  /// Puts bytes into the cache some time before `finish` ends, or not at all; returns at once.
  ///
  /// Contents must be those of the key. They are written before records, so that what a record
  /// names is there.
  package func store(_ kind: CacheKind, _ key: Digest, _ bytes: [UInt8]) {
    let isAdded =
      !standing.isOver
      && uploads.add(kind, byteCount: bytes.count) { [self] in
        upload(
          kind == .record ? seal.sealed(bytes, key: key) : bytes, to: address.address(of: kind, key)
        )
      }
    if !isAdded { summary.withLock { $0.unsent += 1 } }
  }

  /// Waits, but not for long, until all is written; then the cache is closed.
  ///
  /// To be called before the process ends, also after a failed build. A second call has the same
  /// answer.
  package func finish() -> CacheSummary {
    if !uploads.finish(milliseconds: standing.isOver ? 0 : limits.finishMilliseconds) {
      standing.end()
      // What is under way notices within a second; a process should not end while libcurl is at
      // work.
      _ = uploads.finish(milliseconds: 1_500)
    }
    standing.end()
    pool.close()
    // The same goes for libcurl's loading, if nothing was asked for.
    _ = Curl.loaded
    var summary = summary.withLock { $0 }
    summary.unsent += uploads.dropped
    summary.warning = standing.warning
    return summary
  }

  private func answer(_ kind: CacheKind, _ key: Digest) -> [UInt8]? {
    let place = address.address(of: kind, key)
    switch pool.request({ $0.get(place) }) {
    case .answered(status: 200, let bytes): return checked(bytes, kind, key)
    case .answered(status: 204, _), .answered(status: 404, _), .answered(status: 410, _):
      standing.succeeded()
      summary.withLock { $0.missing += 1 }
    case .answered(let status, _): standing.failed("the server answers a GET with status \(status)")
    case .failed(let failure): standing.failed(failure.reason, isFinal: failure.isFinal)
    case nil: break
    }
    return nil
  }

  private func checked(_ bytes: [UInt8], _ kind: CacheKind, _ key: Digest) -> [UInt8]? {
    let content =
      switch kind {
      case .content: Digest(of: bytes) == key ? bytes : nil
      case .record: seal.opened(bytes, key: key)
      }
    guard let content else {
      summary.withLock { $0.wrong += 1 }
      standing.failed("the server has other bytes than were stored")
      return nil
    }
    standing.succeeded()
    summary.withLock { summary in
      summary.fetched += 1
      summary.fetchedBytes += content.count
    }
    return content
  }

  private func upload(_ bytes: [UInt8], to place: String) {
    let isReadOnly = summary.withLock { $0.isReadOnly }
    let answer = isReadOnly ? nil : pool.request { $0.put(bytes, at: place) }
    if case .answered(status: 200..<300, _) = answer {
      standing.succeeded()
      return summary.withLock { $0.stored += 1 }
    }
    summary.withLock { $0.unsent += 1 }
    switch answer {
    case .answered(status: 401, _), .answered(status: 403, _), .answered(status: 405, _):
      summary.withLock { $0.isReadOnly = true }
    // One thing is too large, or already there and protected.
    case .answered(status: 413, _), .answered(status: 412, _): standing.succeeded()
    case .answered(let status, _): standing.failed("the server answers a PUT with status \(status)")
    case .failed(let failure): standing.failed(failure.reason, isFinal: failure.isFinal)
    case nil: break
    }
  }
}
