package import ContentModel
package import HTTPTransport

/// A place that releases are published to: files by key, such as `production/config.plist`.
///
/// A file exists complete or not at all, whatever crashes: releases depend on it. Keys consist of
/// `a`–`z`, `A`–`Z`, `0`–`9`, `-`, `_`, `.` and `/`, never begin or end with `/`, and have no
/// empty, `.` or `..` part. Several threads may use a target at once.
package protocol Target: Sendable {
  /// The name in messages, as in `s3://flowers-content/v1`; never holds a secret.
  var name: String { get }

  /// Returns whether `create` and `replace` are atomic against other writers, on other machines
  /// too.
  ///
  /// A server may ignore conditions, so the target tries them. Where the result is `false`, the
  /// caller must promise that there is only one writer.
  ///
  /// - Throws: what the target says instead.
  func holdsConditions() throws(TargetError) -> Bool

  /// The name of the server that `holdsConditions` asks, under which the answer can be remembered;
  /// `nil` where no server is asked.
  var conditionsKey: String? { get }

  /// `true` if `exclusively` excludes all other writers, on other machines too, and releases the
  /// lock when a process ends.
  var hasLock: Bool { get }

  /// True if an emergency waits for what `exclusively` holds: long work gives way between its
  /// steps.
  var isWantedByEmergency: Bool { get }

  /// The bytes sent and received so far, where the target counts them.
  var traffic: HTTPTraffic? { get }

  /// Runs work while no other writer that calls this is at work, on a target that has a lock.
  ///
  /// - Throws: `.busy` if one is; what `work` throws.
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result

  /// The largest size of a file in bytes; `nil` if only the free space is a limit.
  var largestFile: Int? { get }

  /// Returns a file's bytes, decoded as a reader gets them; `nil` if it does not exist.
  func read(_ key: String) throws(TargetError) -> StoredFile?

  /// Writes a file unless one exists; returns whether it did.
  func create(_ key: String, _ file: OutgoingFile) throws(TargetError) -> Bool

  /// Replaces the file with a tag, or creates a file where there must be none; returns whether it
  /// did.
  ///
  /// It did not if another writer was faster. A server that derives its `ETag` from the size and
  /// the time in seconds must never see two files with the same: a folder gives each a time in a
  /// later second.
  func replace(_ key: String, _ file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool

  /// Returns whether the target has the complete file with the same bytes for readers as `create`
  /// would have written.
  ///
  /// Compares size and checksum where possible, and otherwise the bytes.
  func holds(_ key: String, _ file: OutgoingFile) throws(TargetError) -> Bool

  /// Removes a file, and what was written beside it; nothing happens if it is not there.
  func remove(_ key: String) throws(TargetError)

  /// Returns the names of all folders at the top.
  func folders() throws(TargetError) -> [String]

  /// Removes the files under temporary names that killed publishers wrote more than `age` seconds
  /// ago by the target's own clock, and returns their number.
  func removeLeftovers(age: Int) throws(TargetError) -> Int

  /// Returns how many files `removeLeftovers` would remove if the target's clock showed a moment.
  func countLeftovers(age: Int, at now: Instant) throws(TargetError) -> Int

  /// Every file whose key begins so, in order of keys; without those that a target writes beside
  /// others (`.gz`).
  func list(below prefix: String) throws(TargetError) -> [ListedFile]
}

extension Target {
  package var conditionsKey: String? { nil }
  package var traffic: HTTPTraffic? { nil }
  package var largestFile: Int? { nil }
  package var isWantedByEmergency: Bool { false }

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

  package func removeLeftovers(age: Int) throws(TargetError) -> Int { 0 }

  package func countLeftovers(age: Int, at now: Instant) throws(TargetError) -> Int { 0 }
}

/// A file as a target has it.
package struct StoredFile: Sendable {
  package var bytes: [UInt8]
  private let makeTag: @Sendable () -> String

  /// The tag is computed on first use: most callers that read need none.
  package init(bytes: [UInt8], tag: @escaping @autoclosure @Sendable () -> String) {
    self.bytes = bytes
    makeTag = tag
  }

  /// The tag for `replace`; it changes with every rewrite.
  package var tag: String { makeTag() }
}

/// A file as a target lists it.
package struct ListedFile: Hashable, Sendable {
  package var key: String
  /// In bytes, as it is stored; never so much that a sum of sizes is no number.
  package var size: Int
  /// When it was written, by the target's clock.
  package var modified: Instant

  /// The largest size that is kept; a larger one counts as this.
  package static let largestSize = 1 << 36

  /// The time of a file whose target does not say when it was written: to come, as one that a wrong
  /// clock has set.
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
  /// As in `application/x-plist`.
  package var contentType: String
  /// For every cache on the way (RFC 9111).
  package var cacheControl: String
  /// For caches that the publisher can purge (RFC 9213); `nil` for none.
  package var cdnCacheControl: String?

  package init(contentType: String, cacheControl: String, cdnCacheControl: String? = nil) {
    (self.contentType, self.cacheControl, self.cdnCacheControl) = (
      contentType, cacheControl, cdnCacheControl
    )
  }
}

/// The reason for which a target did not do its work.
package struct TargetError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The bucket or folder does not exist and cannot be made.
    case missing
    /// The target denies access, or does not know the credentials.
    case denied
    /// The target cannot be reached, or did not answer in time: the effect of a write is unknown.
    case unreachable
    /// Another writer is at work.
    case busy
    /// The target answers, but fails: a full disk, an error of its own.
    case failed
    /// The address or a setting cannot be right.
    case unusable
    /// The file to write cannot be read on this machine, or it changed meanwhile.
    case unreadable
    /// A file is larger than any that contentc writes, and is not read.
    case tooLarge
    /// A file has an encoding that contentc does not write, or cannot be decompressed.
    case damaged
  }

  package var kind: Kind
  /// A sentence for a person, which names the target and holds no secret.
  package var description: String
  /// The tag of a file that cannot be decoded, by which another one can replace it.
  package var tag: String?

  package init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
