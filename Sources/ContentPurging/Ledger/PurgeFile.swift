import ContentModel
import ContentReleases
import Synchronization

/// The name of a purge's file.
struct PurgeFile {
  let key: String
  let sequence: Int
  /// The first 16 digits of the hash of the release's record; `nil` for a finished purge.
  let record: String?

  /// Returns whether the file is that of a pending purge whose release has a record.
  func isOfRelease(_ record: Digest) -> Bool { self.record.map(record.hex.hasPrefix) ?? false }

  /// Returns whether the name is that of a manifest's file: anybody may have copied the file.
  func names(_ manifest: PurgeManifest) -> Bool {
    manifest.sequence == sequence && manifest.record.hex.hasPrefix(record ?? "")
  }

  /// Parses a key; `nil` for foreign files.
  init?(_ key: String) {
    let file = key.utf8.split(separator: UInt8(ascii: "/")).last ?? key[...].utf8
    let ending = ".plist".utf8
    guard file.suffix(ending.count).elementsEqual(ending),
      let name = NumberedName(file.dropLast(ending.count))
    else { return nil }
    (self.key, sequence, record) = (key, name.number, name.hash)
  }
}

/// The manifests of finished purges that were read: their files never change.
///
/// A class, since copies of a ledger share it.
final class ManifestMemory: Sendable {
  private let manifests = Mutex<[Int: PurgeManifest]>([:])

  func manifest(of file: PurgeFile, at place: ChannelPlace) throws -> PurgeManifest? {
    if let known = manifests.withLock({ $0[file.sequence] }) { return known }
    let read = try PurgeManifest.manifest(of: file, at: place)
    manifests.withLock { $0[file.sequence] = read }
    return read
  }
}
