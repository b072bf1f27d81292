import ContentModel
import ContentReleases
import Synchronization

/// The manifests of finished purges that were read: their files never change.
///
/// A class, since copies of a ledger share it.
final class ManifestMemory: Sendable {
  private let manifests = Mutex<[Int: PurgeManifest]>([:])
  /// The records of purges, and the lowest number of the releases that were read for them.
  private let records = Mutex((lowest: Int.max, byDigest: [Digest: ReleaseRecord]()))

  /// Returns the records of purges among the live release and those before it, down to a number.
  func purgeRecords(from number: Int, at place: ChannelPlace) throws -> [Digest: ReleaseRecord] {
    let known = records.withLock { $0 }
    if known.lowest <= number { return known.byDigest }
    var (chain, found) = (try place.chain(), [Digest: ReleaseRecord]())
    while let record = try chain.next(), record.number >= number {
      if record.purgeOrder != nil { found[record.digest] = record }
    }
    records.withLock { [found] in $0 = (number, found) }
    return found
  }

  func manifest(of file: PurgeFile, at place: ChannelPlace) throws -> PurgeManifest? {
    if let known = manifests.withLock({ $0[file.sequence] }) { return known }
    let read = try PurgeManifest.manifest(of: file, at: place)
    manifests.withLock { $0[file.sequence] = read }
    return read
  }
}
