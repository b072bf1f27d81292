package import ContentModel
package import HTTPTransport
import Synchronization
import System

/// Bytes that machines share through a server that speaks Bazel's HTTP cache protocol, or through a
/// bucket.
///
/// A cache only saves time: a build neither needs nor trusts it. A wrong or late answer counts as a
/// missing file. After a few failures the server gets no more requests, and `finish` returns the
/// reason. Any thread may call any function at any time. A class, since uploads outlive the call.
package final class RemoteCache: Sendable {
  /// The address without its user part, for messages.
  let shownAddress: String

  private let address: CacheAddress
  private let limits: CacheLimits
  private let seal: SealedRecord
  private let health: CacheHealth
  private let client: CacheClient
  private let uploads: UploadQueue
  private let summary = Mutex(CacheSummary())
  /// The loading of libcurl, which takes milliseconds: meanwhile the build reads its files.
  private let library: BackgroundTask<Void>

  /// Opens the cache at `[s3+]http[s]://[user[:password]@]host[:port][/path]`, without a request.
  ///
  /// - Throws: `CacheAddressError` for an address that no cache can have.
  package init(
    at address: String, access: CacheAccess = CacheAccess(), limits: CacheLimits = CacheLimits()
  ) throws(CacheAddressError) {
    let address = try CacheAddress(address)
    self.address = address
    self.limits = limits
    shownAddress = address.base
    seal = SealedRecord(secret: access.secret)
    health = CacheHealth(shownAddress: address.base, failureLimit: limits.failures)
    client = CacheClient(address, access: access, limits: limits.request, health: health)
    uploads = UploadQueue(lanes: limits.writers, waitingBytes: limits.waitingBytes)
    library = BackgroundTask { HTTPClient.prepare() }
  }

  /// Returns the bytes under a key; `nil` if they are missing, or do not match the key.
  ///
  /// Takes a round trip: a caller that needs several keys passes all of them at once.
  package func fetch(_ key: CacheKey) -> [UInt8]? { fetch([key])[0] }

  /// Returns the bytes under many keys, in the order of the keys, over several connections at once.
  package func fetch(_ keys: [CacheKey]) -> [[UInt8]?] {
    keys.mapOverlapped(atOnce: limits.readers) { self.read($0) }
  }

  /// Puts bytes into the cache before `finish` ends, or not at all; returns at once.
  ///
  /// Contents are written before records, so that the contents that a record names exist.
  package func store(_ bytes: [UInt8], under key: CacheKey) {
    let upload = UploadQueue.Upload(isRecord: key.isRecord, byteCount: bytes.count) { [self] in
      write(bytes, under: key)
    }
    let isAdded = !health.isOver && uploads.add(upload)
    if !isAdded { summary.withLock { $0.unsent += 1 } }
  }

  /// Waits a short time for the uploads, then closes the cache.
  ///
  /// Call it before the process ends, also after a failed build. A second call returns the same.
  package func finish() -> CacheSummary {
    if !uploads.finish(milliseconds: health.isOver ? 0 : limits.finishMilliseconds) {
      health.end()
      // Running requests end within a second; the process must not end while libcurl works.
      _ = uploads.finish(milliseconds: 1_500)
    }
    health.end()
    client.close()
    // The process must not end while libcurl is being loaded either, even without a request.
    library.value
    var summary = summary.withLock { $0 }
    summary.unsent += uploads.dropped
    summary.warning = health.warning
    return summary
  }

  private func read(_ key: CacheKey) -> [UInt8]? {
    do {
      let answer = try client.get(address.url(of: key))
      switch answer.status {
      case 200: return opened(answer.body, of: key)
      case 204, 404, 410:
        health.succeeded()
        summary.withLock { $0.missing += 1 }
      default: health.failed("the server answers a GET with status \(answer.status)")
      }
    } catch {
      health.failed("\(error)", isFinal: error.concernsAllRequests)
    }
    return nil
  }

  /// Returns the bytes that were stored; `nil` if the server has others.
  private func opened(_ bytes: [UInt8], of key: CacheKey) -> [UInt8]? {
    let stored: [UInt8]? =
      switch key {
      case .content(let digest): Digest(of: bytes) == digest ? bytes : nil
      case .record(let digest): seal.opened(bytes, key: digest)
      }
    guard let stored else {
      summary.withLock { $0.wrong += 1 }
      health.failed("the server has other bytes than were stored")
      return nil
    }
    health.succeeded()
    summary.withLock { summary in
      summary.fetched += 1
      summary.fetchedBytes += stored.count
    }
    return stored
  }

  private func write(_ bytes: [UInt8], under key: CacheKey) {
    let isStored = summary.withLock { $0.isReadOnly } ? false : put(bytes, under: key)
    summary.withLock { summary in
      if isStored { summary.stored += 1 } else { summary.unsent += 1 }
    }
  }

  /// Sends bytes; `false` if the server does not keep them.
  private func put(_ bytes: [UInt8], under key: CacheKey) -> Bool {
    let sent: [UInt8] =
      switch key {
      case .content: bytes
      case .record(let digest): seal.sealed(bytes, key: digest)
      }
    do {
      let status = try client.put(sent, to: address.url(of: key)).status
      switch status {
      case 200..<300:
        health.succeeded()
        return true
      case 401, 403, 405: summary.withLock { $0.isReadOnly = true }
      // The file is too large, or exists and is protected: no failure of the server.
      case 412, 413: health.succeeded()
      default: health.failed("the server answers a PUT with status \(status)")
      }
    } catch {
      health.failed("\(error)", isFinal: error.concernsAllRequests)
    }
    return false
  }
}

/// The name of a file in a cache.
package enum CacheKey: Sendable {
  /// Bytes under their own SHA-256.
  case content(Digest)
  /// A small note under the SHA-256 of its input.
  case record(Digest)

  /// The path in Bazel's protocol: content-addressable storage, or action cache.
  var path: String {
    switch self {
    case .content(let digest): "cas/\(digest.hex)"
    case .record(let digest): "ac/\(digest.hex)"
    }
  }

  var isRecord: Bool { if case .record = self { true } else { false } }
}

/// The limits of the time and the memory that a cache may cost a build.
package struct CacheLimits: Sendable {
  /// The limits of one request.
  package var request = HTTPLimits()
  /// The number of requests that read at once.
  package var readers = 16
  /// The number of requests that write at once.
  package var writers = 4
  /// The greatest number of bytes that wait to be written; files beyond this limit are not sent.
  package var waitingBytes = 64 << 20
  /// The number of failures in a row after which the cache is given up.
  ///
  /// One is enough if there is no connection, or no answer in time.
  package var failures = 3
  /// The milliseconds that `finish` waits for the uploads.
  package var finishMilliseconds = 3_000

  package init() {
    request.connectMilliseconds = 2_000
    // The build makes a file itself if the cache takes longer, however large the file is.
    request.requestMilliseconds = 10_000
    request.bytesPerMillisecond = .max
    request.silentSeconds = 3
    request.silentBytesPerSecond = 1
    request.answerBytes = 64 << 20
  }
}

/// The use of a cache in one build.
package struct CacheSummary: Hashable, Sendable {
  /// The number of contents and records that came from the cache.
  package var fetched = 0
  /// The number of bytes of the fetched contents and records.
  package var fetchedBytes = 0
  /// The number of contents and records that the cache lacked.
  package var missing = 0
  /// The number of answers with other bytes than were stored.
  package var wrong = 0
  /// The number of contents and records that were written.
  package var stored = 0
  /// The number of contents and records that were not written.
  package var unsent = 0
  /// `true` if the server forbids this build to write.
  package var isReadOnly = false
  /// The reason for which the cache was given up, in one sentence without a full stop.
  package var warning: String?

  package init() {}
}
