package import ContentModel
package import HTTPTransport

/// A place that releases are published to: files by key, such as `production/config.plist`.
///
/// A file is there whole or not at all, whatever crashes; that is what a release stands on. Keys
/// are of `a`–`z`, `A`–`Z`, `0`–`9`, `-`, `_`, `.` and `/`, never begin or end with `/`, and have
/// no empty, `.` or `..` part. Several threads may use a target at once.
package protocol Target: Sendable {
  /// What it is called in messages, as in `s3://flowers-content/v1`; never holds a secret.
  var name: String { get }

  /// Whether `create` and `replace` hold against other writers at the same moment, on other
  /// machines too.
  ///
  /// Found out by trying where a server may ignore conditions; where it is false, one writer at a
  /// time must be promised.
  ///
  /// - Throws: what the target says instead.
  func holdsConditions() throws(TargetError) -> Bool

  /// What names the server that `holdsConditions` asks, so that the answer can be remembered; `nil`
  /// where none is asked.
  var conditionsKey: String? { get }

  /// Whether `exclusively` keeps all others from writing, on other machines too, and lets go when a
  /// process ends.
  var hasLock: Bool { get }

  /// True if an emergency waits for what `exclusively` holds: long work gives way between its
  /// steps.
  var isWantedByEmergency: Bool { get }

  /// What was sent and received so far, where the target counts that.
  var traffic: HTTPTraffic? { get }

  /// Runs work while no other writer that asks for this, on a target that has such a thing, is at
  /// work.
  ///
  /// - Throws: `.busy` if one is; what `work` throws.
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result

  /// The most bytes that one file may have; `nil` where only the room is a limit.
  var largestFile: Int? { get }

  /// A file's bytes, decoded as a reader gets them; `nil` if it is not there.
  func read(_ key: String) throws(TargetError) -> StoredFile?

  /// Writes a file unless one is there; says whether it did.
  func create(_ key: String, _ file: OutgoingFile) throws(TargetError) -> Bool

  /// Writes a file in the place of the one with a tag, or, without one, where none is; says whether
  /// it did.
  ///
  /// It did not if somebody else was faster. A server that builds its `ETag` from the time in
  /// seconds and the size must never see two of these with the same: a folder gives each a time in
  /// a later second.
  func replace(_ key: String, _ file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool

  /// Whether the file stands there as `create` would have written it: the same bytes for a reader,
  /// and whole.
  ///
  /// Looks at no more than it must: a size and a checksum where there is one.
  func holds(_ key: String, _ file: OutgoingFile) throws(TargetError) -> Bool

  /// Removes a file, and what was written beside it; nothing happens if it is not there.
  func remove(_ key: String) throws(TargetError)

  /// The names of the folders at the top, whoever made them.
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

  /// The tag is worked out when it is asked for: most who read do not.
  package init(bytes: [UInt8], tag: @escaping @autoclosure @Sendable () -> String) {
    self.bytes = bytes
    makeTag = tag
  }

  /// What `replace` takes: changes with every rewrite.
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
  /// As a reader gets it.
  package var body: FileBody
  /// The same, gzipped, for readers that take it; `nil` if there is to be no such copy.
  package var compressed: FileBody?
  package var headers: FileHeaders

  package init(body: FileBody, compressed: FileBody? = nil, headers: FileHeaders) {
    (self.body, self.compressed, self.headers) = (body, compressed, headers)
  }

  package init(bytes: [UInt8], compressed: [UInt8]? = nil, headers: FileHeaders) {
    self.init(body: .bytes(bytes), compressed: compressed.map(FileBody.bytes), headers: headers)
  }
}

/// What a server is to say of a file, where the target keeps that.
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

/// Why a target did not do what it was asked.
package struct TargetError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// There is no such bucket or folder, and it cannot be made.
    case missing
    /// It does not let us, or does not know who we are.
    case denied
    /// It cannot be reached, or did not answer in time: whether a write took effect is not known.
    case unreachable
    /// Another writer is at work.
    case busy
    /// It answers, but cannot do it: a full disk, an error of its own.
    case failed
    /// The address or a setting cannot be right.
    case unusable
    /// What was to be written cannot be read on this machine, or changed meanwhile.
    case unreadable
    /// A file is larger than any that contentc writes, and is not read.
    case tooLarge
    /// A file is there in an encoding that contentc does not write, or cannot be decompressed.
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
