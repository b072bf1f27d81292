package import ContentReleases
import ContentTargets
import Platform

/// A purge that may have been live although config does not know it, or whose manifest is missing.
package struct LostPurge: Sendable {
  /// A warning, as a sentence.
  package let warning: String
  /// The remedy, as a sentence.
  package let remedy: String

  fileprivate init(_ purge: PurgeManifest, at place: ChannelPlace) {
    warning =
      "purge \(purge.sequence) (\(purge.reason)) was begun and is not live, and readers see its content: unless it "
      + "still runs, it was killed, or was live until config was restored from a backup"
    // Without a proof, its words may be an attacker's.
    guard place.signing == nil else {
      remedy = "run the purge again if it is yours; 'contentc history' has no proof of it"
      return
    }
    var words = ["contentc", "purge", place.channel] + purge.commandWords
    if let replace = words.firstIndex(of: "--replace"), replace + 1 < words.count {
      // The manifest has only the hash of the file.
      words[replace + 1] = "FILE"
    }
    words += ["--reason", purge.reason]
    remedy = "to repeat it: \(words.map(\.shellWord).joined(separator: " "))"
  }

  fileprivate init(
    _ sequence: Int, of record: ReleaseRecord, after live: LiveRelease, place: ChannelPlace
  ) {
    let file = place.location(of: "\(PurgeManifest.folder(place.channel))\(sequence).plist")
    let state =
      record.number > live.number
      ? "; unless it still runs, it was killed, or config was restored from a backup" : ""
    warning =
      "release \(record.number) was that of \(record.message ?? "a purge"), but \(file) is missing, so its content is "
      + "not refused\(state)"
    remedy = "put the file of a backup back, or purge the content again if readers see it"
  }
}

extension PurgeLedger {
  /// Returns the purges of which config or the target has lost track.
  ///
  /// - Throws: `DeliveryError` if a record cannot be read; `TargetError`.
  package func lostPurges(live: LiveRelease) throws -> [LostPurge] {
    try doubtful(live: live).map { LostPurge($0, at: place) }
      + withoutFile(live: live).map { LostPurge($0, of: $1, after: live, place: place) }
  }

  /// Returns the purges that were begun and whose content readers see, although they are not known to
  /// have been live.
  ///
  /// Such a purge is about to be live, was killed before, or was live until config was restored from
  /// a backup that is older by one release. Files at the target do not tell these cases apart.
  ///
  /// - Throws: `DeliveryError` if a record cannot be read; `TargetError`.
  func doubtful(live: LiveRelease) throws -> [PurgeManifest] {
    if unproven.isEmpty { return [] }
    let shown = ReleaseReader(live.content(at: place.target))
    return try unproven.filter { purge in
      // Missing objects may show it.
      do { return try Self.isShown(purge, in: shown) } catch is DeliveryError { return true }
    }
  }

  /// Returns the releases that name a purge without a file, in order: that file was lost.
  ///
  /// Above the live release, there are records only after config was restored from a backup, or of
  /// commands that run or were killed.
  ///
  /// - Throws: `TargetError`.
  func withoutFile(live: LiveRelease) throws -> [(sequence: Int, record: ReleaseRecord)] {
    let isComplete = numbers.count { $0 <= sequence } == sequence
    let records = try place.records { !isComplete || $0 > live.number }
    return records.compactMap { record in
      guard record.contentRelease == record.number, let number = Self.purge(namedBy: record),
        !numbers.contains(number), number <= sequence || record.number > live.number
      else { return nil }
      return (number, record)
    }
  }
}
