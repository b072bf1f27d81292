import ContentModel
import ContentReleases
import Synchronization

/// A record of a purge's release, as far as it proves the manifest of the purge.
struct PurgeProof: Sendable {
  private let release: Int
  private let sequence: Int?
  private let order: Digest?

  init(_ record: ReleaseRecord) {
    (release, order) = (record.number, record.purgeOrder)
    sequence = PurgeLedger.purge(namedBy: record)
  }

  /// Returns whether a manifest is that of the purge, in all that no later step changes.
  func fits(_ manifest: PurgeManifest) throws -> Bool {
    try release == manifest.release && sequence == manifest.sequence
      && order == manifest.orderDigest
  }
}

/// The proofs among the live release of a signed channel and those before it.
///
/// A class, since copies of a ledger share what was read.
final class PurgeProofs: Sendable {
  private let place: ChannelPlace
  private let known = Mutex<[Digest: PurgeProof]?>(nil)

  init(_ place: ChannelPlace) { self.place = place }

  /// Returns the proof of a manifest; `nil` if no record is left that may be one.
  func proof(of manifest: PurgeManifest) throws -> PurgeProof? {
    if let known = known.withLock({ $0 }) { return known[manifest.record] }
    var (chain, found) = (try place.chain(), [Digest: PurgeProof]())
    do {
      while let record = try chain.next() {
        if record.purgeOrder != nil { found[record.digest] = PurgeProof(record) }
      }
    } catch is DeliveryError {
      // The records before a damaged one prove nothing.
    }
    known.withLock { [found] in $0 = found }
    return found[manifest.record]
  }
}
