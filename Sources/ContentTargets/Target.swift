package import ContentModel
package import HTTPTransport

/// A place to which releases are published: files by key, such as `production/config.plist`.
///
/// A file exists complete or not at all, even after a crash: releases depend on it. Keys consist of
/// `a`–`z`, `A`–`Z`, `0`–`9`, `-`, `_`, `.` and `/`, never begin or end with `/`, and have no
/// empty, `.` or `..` part. Several threads may use a target at once.
package protocol Target: Sendable {
  /// The name in messages, as in `s3://flowers-content/v1`; never holds a secret.
  var name: String { get }

  /// The name that is the same in every folder: of a folder, its absolute path.
  var location: String { get }

  /// Returns whether `create` and `replace` are atomic against other writers, on other machines
  /// too.
  ///
  /// A server may ignore conditions, so the target tries them. Where the result is `false`, the
  /// caller must promise that there is only one writer.
  ///
  /// - Throws: The target's error if it cannot be tested.
  func honorsConditions() throws(TargetError) -> Bool

  /// The key under which a caller can remember the result of `honorsConditions`; `nil` if the target
  /// asks no server.
  var conditionsKey: String? { get }

  /// `true` if `exclusively` excludes all other writers, on other machines too, and releases the
  /// lock when a process ends.
  var hasLock: Bool { get }

  /// `true` if an emergency waits for the lock that `exclusively` holds; long work then gives way
  /// between its steps.
  var isWantedByEmergency: Bool { get }

  /// The numbers of bytes sent and received so far; `nil` if the target does not count them.
  var traffic: HTTPTraffic? { get }

  /// The present time by the target's clock, as its last answer said; `nil` if the target has no clock
  /// of its own, or did not answer yet.
  var time: Instant? { get }

  /// Runs work while no other caller of this method works on the target, if the target has a lock.
  ///
  /// - Throws: `.busy` if another writer has the lock, or the error of `work`.
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result

  /// The largest size of a file in bytes; `nil` if only the free space is a limit.
  var largestFile: Int? { get }

  /// The most files to read at the same time: enough that a distant target does not make a purge
  /// wait for one answer after another.
  var readsAtOnce: Int { get }

  /// Returns a file, decoded as readers get it; `nil` if it does not exist.
  func read(_ key: String) throws(TargetError) -> StoredFile?

  /// Writes a file unless the key has one, and returns whether it did.
  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool

  /// Replaces the file that has a tag, or creates a file if the tag is `nil`; returns whether it
  /// did.
  ///
  /// The result is `false` if another writer was faster. Some servers derive an `ETag` from the
  /// size and the time in whole seconds. They must never see two files with the same pair, so a
  /// folder gives each file a time in a later second.
  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool

  /// Returns whether the key has the complete file, with the bytes that `create` would have
  /// written.
  ///
  /// Compares size and checksum if possible, otherwise the bytes.
  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool

  /// Removes a file and the copies written beside it; does nothing if there is no file.
  ///
  /// A target that keeps earlier versions may keep the file as one of them.
  func remove(_ key: String) throws(TargetError)

  /// Removes a file as `remove` does, and every earlier version that the target keeps of it.
  ///
  /// - Throws: `TargetError`, also if the target keeps versions and does not let the caller delete
  ///   them.
  func erase(_ key: String) throws(TargetError)

  /// Returns the names of all top-level folders.
  func folders() throws(TargetError) -> [String]

  /// Removes temporary files of killed publishers that are older than `age` seconds by the target's
  /// clock, and returns their number.
  func removeLeftovers(age: Int) throws(TargetError) -> Int

  /// Returns the number of files that `removeLeftovers` would remove if the target's clock showed
  /// `now`.
  func countLeftovers(age: Int, at now: Instant) throws(TargetError) -> Int

  /// Returns all files whose keys have a prefix, in order of their keys, without the copies that a
  /// target writes beside others (`.gz`).
  func list(below prefix: String) throws(TargetError) -> [ListedFile]

  /// Returns the keys of the files that `list` returns, in the same order.
  ///
  /// A target may be faster at this, because it needs no sizes and times.
  func names(below prefix: String) throws(TargetError) -> [String]
}

extension Target {
  package var location: String { name }
  package var conditionsKey: String? { nil }
  package var traffic: HTTPTraffic? { nil }
  package var time: Instant? { nil }
  package var largestFile: Int? { nil }
  package var readsAtOnce: Int { 64 }
  package var isWantedByEmergency: Bool { false }

  package func erase(_ key: String) throws(TargetError) { try remove(key) }

  package func folders() throws(TargetError) -> [String] {
    var names: [String] = []
    for file in try list(below: "") {
      guard let slash = file.key.firstIndex(of: "/"), file.key[..<slash] != names.last ?? "" else {
        continue
      }
      names.append(String(file.key[..<slash]))
    }
    return names
  }

  package func names(below prefix: String) throws(TargetError) -> [String] {
    try list(below: prefix).map(\.key)
  }

  package func removeLeftovers(age: Int) throws(TargetError) -> Int { 0 }

  package func countLeftovers(age: Int, at now: Instant) throws(TargetError) -> Int { 0 }
}

extension Target {
  /// Returns a file, even a foreign one; a file that cannot be decoded has no bytes.
  ///
  /// A foreign file in the place of one of contentc is not a failure of the target.
  package func readAny(_ key: String) throws(TargetError) -> StoredFile? {
    do { return try read(key) } catch  where [.damaged, .tooLarge].contains(error.kind) {
      return StoredFile(bytes: [], tag: error.tag ?? "")
    }
  }

  /// Returns the bytes of a listed file; `nil` if the file is gone or cannot be decoded.
  ///
  /// - Throws: `TargetError`, also if the answer is shorter than the file.
  package func readWhole(_ file: ListedFile) throws(TargetError) -> [UInt8]? {
    let stored: StoredFile?
    do { stored = try read(file.key) } catch  where [.damaged, .tooLarge].contains(error.kind) {
      return nil
    }
    guard let stored else { return nil }
    guard stored.bytes.count >= file.size else {
      throw TargetError(
        .failed,
        "\(name) gives \(stored.bytes.count) of the \(file.size) bytes of '\(file.key)'; does something on the way cut "
          + "answers? Run again; if it stays so, that file is damaged: remove it")
    }
    return stored.bytes
  }
}

/// A file that was read from a target.
package struct StoredFile: Sendable {
  package var bytes: [UInt8]
  private let makeTag: @Sendable () -> String

  /// Creates a file; the tag is computed on first use, because most readers need none.
  package init(bytes: [UInt8], tag: @escaping @autoclosure @Sendable () -> String) {
    self.bytes = bytes
    makeTag = tag
  }

  /// The tag for `replace`; it changes with every rewrite.
  package var tag: String { makeTag() }
}

/// A file in a target's list.
package struct ListedFile: Hashable, Sendable {
  package var key: String
  /// The stored size in bytes, at most `largestSize`, so that sums of sizes cannot overflow.
  package var size: Int
  /// The time of the last write, by the target's clock.
  package var modified: Instant

  /// The largest size that is kept; a larger size counts as this one.
  package static let largestSize = 1 << 36

  /// The time of a file without a known time: in the far future, as a wrong clock could set it.
  package static let unknownTime = Instant(secondsSince1970: 253_370_764_800)

  package init(key: String, size: Int, modified: Instant) {
    (self.key, self.modified) = (key, modified)
    self.size = min(max(0, size), Self.largestSize)
  }
}

/// A file on its way to a target.
package struct OutgoingFile: Sendable {
  /// The body as a reader gets it.
  package var body: FileBody
  /// The gzip copy for readers that accept it; `nil` for no such copy.
  package var compressed: FileBody?
  package var headers: FileHeaders

  package init(body: FileBody, compressed: FileBody? = nil, headers: FileHeaders) {
    (self.body, self.compressed, self.headers) = (body, compressed, headers)
  }

  package init(bytes: [UInt8], compressed: [UInt8]? = nil, headers: FileHeaders) {
    self.init(body: .bytes(bytes), compressed: compressed.map(FileBody.bytes), headers: headers)
  }
}

/// The headers that a server sends with a file, where the target stores them.
package struct FileHeaders: Hashable, Sendable {
  /// The value of `Content-Type`, such as `application/x-plist`.
  package var contentType: String
  /// The value of `Cache-Control`, for all caches (RFC 9111).
  package var cacheControl: String
  /// The value of `CDN-Cache-Control`, for caches that the publisher can purge (RFC 9213); `nil`
  /// for none.
  package var cdnCacheControl: String?

  package init(contentType: String, cacheControl: String, cdnCacheControl: String? = nil) {
    (self.contentType, self.cacheControl, self.cdnCacheControl) = (
      contentType, cacheControl, cdnCacheControl
    )
  }
}
