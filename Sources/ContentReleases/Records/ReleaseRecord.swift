package import ContentModel
package import ContentTargets
import PropertyLists
package import SiteFormat

/// The record of one release: an immutable file of a channel with time, author and content.
///
/// It has the keys of config except for `keysOfConfig`. It also has `ownKeys`, and the content's
/// `dates`.
package struct ReleaseRecord: Sendable {
  package var members: Members
  package var format: PropertyListFormat
  package var bytes: [UInt8]
  /// The hash of the bytes.
  package var digest: Digest
  /// Every object of the release.
  package var objects: [ReleaseObject]

  /// The keys that only config has: two blocks that each release takes over from the live one, and
  /// the record's hash.
  static let keysOfConfig = ["maintenance", "purge", "record"]
  /// The keys about the publication that config and the record have.
  static let sharedKeys = ["channel", "release", "issued"]
  /// The keys about the publication that only the record has.
  static let ownKeys = [
    "of", "previous", "before", "message", "by", "commit", "settings", "run", "purgeOrder",
    "objects", "files",
  ]

  /// Creates a record with members and objects.
  ///
  /// - Throws: The error of encoding a value that the format cannot represent.
  init(_ members: Members, objects: [ReleaseObject], format: PropertyListFormat) throws {
    var members = members
    // Programs before 2026-12-01 do not look at the format. Without 'objects', they refuse the record.
    let hasFormat2 = members["format"]?.number == LiveRelease.recordFormat
    members[hasFormat2 ? "files" : "objects"] = objects.rows
    self.members = members
    self.format = format
    self.objects = objects
    bytes = try PropertyList.encode(.dictionary(members), as: format)
    digest = Digest(of: bytes)
  }

  /// Reads a record; `nil` if the bytes are not a record.
  init?(bytes: [UInt8]) {
    guard let (value, format) = try? PropertyList.decode(bytes), let members = value.members,
      let number = members["release"]?.number, LiveRelease.numbers.contains(number),
      let objects = ReleaseObject.readAll(members["files"] ?? members["objects"]),
      members["of"].map({ $0.number.map(LiveRelease.numbers.contains) ?? false }) ?? true,
      members["before"].map({ $0.number.map(LimitedNumber.serials.contains) ?? false }) ?? true
    else { return nil }
    (self.members, self.format, self.bytes, self.objects) = (members, format, bytes, objects)
    digest = Digest(of: bytes)
  }

  /// Reads a record; `nil` if the bytes are not a record.
  ///
  /// - Throws: `DeliveryError` for a record of a newer version.
  static func read(_ bytes: [UInt8], at location: String) throws(DeliveryError) -> ReleaseRecord? {
    let value = try? PropertyList.decode(bytes).value
    let newer = DeliveryError(
      newer: value?["format"], above: LiveRelease.recordFormat, at: location)
    if let newer { throw newer }
    return ReleaseRecord(bytes: bytes)
  }

  package var number: Int { members["release"]?.number ?? 0 }
  /// The release whose content this is; its own number if the content was new.
  package var contentRelease: Int { members["of"]?.number ?? number }
  package var issued: Instant? { members["issued"]?.instant }
  /// The record of the release before it; `nil` for a channel's first.
  package var previous: Digest? { members["previous"]?.digest }
  /// The number of the release before it, which is lower by more than one after config was restored
  /// from a backup.
  var numberBefore: Int { members["before"]?.number ?? number - 1 }
  package var message: String? { members["message"]?.text }
  /// The name of the publisher, if it was recorded.
  package var by: String? { members["by"]?.text }
  /// The commit that its content is of, if that was known.
  package var commit: String? { members["commit"]?.text }
  /// Hashes of the channel's `target`, `url` and `cdn` when it was made.
  package var settings: Value? { members["settings"] }
  /// The dates in the bundles, in order.
  package var dates: [Instant] { members.datesOfContent }
  /// The rollout that is on in the release; `nil` if there is none.
  package var rollout: Rollout? { members.rollout }
  /// The hash of the order of the purge that published it; `nil` for other releases.
  package var purgeOrder: Digest? { members["purgeOrder"]?.digest }

  /// The number of a release and the hash of its record, as config has them.
  package struct Identity: Hashable, Sendable {
    package var number: Int
    /// `nil` if config names none.
    package var record: Digest?

    package init(number: Int, record: Digest?) {
      (self.number, self.record) = (number, record)
    }
  }

  /// The number and the hash.
  package var identity: Identity { Identity(number: number, record: digest) }

  /// The facts that name the file of a record.
  struct Name {
    var channel: String
    var number: Int
    var digest: Digest

    /// Returns the key of the record's file in a format.
    func key(_ format: PropertyListFormat) -> String {
      "\(channel)/releases/\(number)-\(digest.hex.prefix(16)).\(format.fileExtension)"
    }
  }

  /// Returns the key of the record in a channel, in another format if one is given.
  func key(in channel: String, as format: PropertyListFormat? = nil) -> String {
    Name(channel: channel, number: number, digest: digest).key(format ?? self.format)
  }

  /// Returns the content, whose objects are at a target.
  package func content(at target: any Target) -> ReleaseContent {
    var content = content { [record = self] object in
      guard let stored = try target.read(object.key), Digest(of: stored.bytes) == object.digest
      else {
        let channel = record.members["channel"]?.text.map { " \($0)" } ?? ""
        throw DeliveryError(
          .missing,
          "\(target.name) has no whole '\(object.key)', which a release there names; "
            + "'contentc publish\(channel) --repair' sends it again if the content folder has it; if a purge "
            + "removed it, correct the content and publish, or hide everything with 'contentc "
            + "maintenance on\(channel)'", lacking: object.digest)
      }
      return OutgoingFile(bytes: stored.bytes, headers: object.headers)
    }
    content.readsAtOnce = target.readsAtOnce
    return content
  }

  /// Returns the content, whose objects `file` returns.
  func content(
    file: @escaping @Sendable (ReleaseObject) throws -> OutgoingFile
  ) -> ReleaseContent {
    var members = members
    for key in Self.sharedKeys + Self.ownKeys { members[key] = nil }
    // The format is that of the record.
    members["format"] = 1
    return ReleaseContent(members: members, format: format, objects: objects, file: file)
  }
}

extension ReleaseRecord {
  /// Returns the channel and number in a record's key; `nil` for other keys.
  package static func place(of key: String) -> (channel: String, number: Int)? {
    let parts = key.utf8.split(separator: UInt8(ascii: "/"))
    guard parts.count == 3, parts[1].elementsEqual("releases".utf8),
      let name = NumberedName(parts[2].prefix { $0 != UInt8(ascii: ".") }), name.hash != nil
    else { return nil }
    return (String(Substring(parts[0])), name.number)
  }
}
