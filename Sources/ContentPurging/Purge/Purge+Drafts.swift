import ContentModel
package import ContentReleases
import ContentTargets

/// Purges whose release is signed elsewhere.
extension Purge {
  /// The draft of a purge's release, and the file with the purge's work.
  package struct Drafted {
    package let draft: Draft
    /// Returns the bytes of the file that is written before the release is live, for its record.
    package let begun: (ReleaseRecord) throws -> [UInt8]
  }

  /// Drafts a purge; writes nothing.
  ///
  /// - Throws: `DeliveryError` if no number is left; `TargetError`.
  package func drafted(
    _ order: PurgeOrder, as plan: PurgePlan, in ledger: PurgeLedger, after live: LiveRelease
  ) throws -> Drafted {
    var publication = PurgePublication(of: self, order, as: plan, in: ledger, after: live)
    let draft = try publication.draft(after: live) { _, _ in nil }
    return Drafted(draft: draft) { [publication] record in
      try publication.pending(for: record, at: Instant(secondsSince1970: 0)).file.body.bytes
    }
  }

  /// Writes the file with the work of a purge that was drafted, before its release is live.
  ///
  /// In a signed channel, the record proves entries, contents and words. It does not prove the objects
  /// to remove, but a removal spares those that a live release shows.
  ///
  /// - Throws: `DeliveryError` if the bytes are not those of the record's purge, or if the target does
  ///   not keep the file; `TargetError`.
  package func writeBegun(_ bytes: [UInt8], for record: ReleaseRecord) throws {
    let refusal = DeliveryError(
      .refused, "the draft's 'begun' is not that of the signed purge; nothing was changed")
    guard var begun = try PurgeManifest.read(bytes, at: "the draft's 'begun'"),
      begun.record == record.digest, try PurgeProof(record).fits(begun)
    else { throw refusal }
    // Only finished purges have these, and only live ones are noted so.
    (begun.urls, begun.keys, begun.bound, begun.without) = ([], [], [], [])
    begun.wasLive = false
    // An earlier purge may have removed what the release sends again.
    begun.endangered = Array(Set(endangered.objects + endangered.sent)).sorted {
      $0.digest < $1.digest
    }
    let (key, file) = (begun.pendingKey(place.channel), try begun.file)
    if try !place.target.create(key, as: file) {
      // An interrupted import has written it, as a whole or in part.
      guard let stored = try place.target.readAny(key) else { throw refusal }
      let known = try PurgeManifest.read(stored.bytes, at: place.location(of: key))
      if let known, try PurgeProof(record).fits(known) { return }
      guard try place.target.replace(key, with: file, tagged: stored.tag) else {
        throw DeliveryError(
          .lost,
          "another purge has just begun in '\(place.channel)'; nothing was changed; run again")
      }
    }
    try place.target.requireHeld(file, at: key, otherwise: "nothing was changed; run again")
  }
}
