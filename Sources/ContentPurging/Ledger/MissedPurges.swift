package import ContentModel
package import ContentReleases
import ContentTargets

/// The purges that config does not know, because it was restored from a backup of before them.
package struct MissedPurges: Sendable {
  /// The number of the first one.
  package let first: Int
  /// The manifests, in the order of their numbers.
  let purges: [PurgeManifest]
  /// The interrupted ones among them.
  private let overwritten: [PurgeManifest]

  init(first: Int, purges: [PurgeManifest], overwritten: [PurgeManifest]) {
    self.first = first
    self.purges = purges.sorted { $0.sequence < $1.sequence }
    self.overwritten = overwritten
  }

  /// The numbers of the purges that removed content.
  ///
  /// Publications that took earlier purges into account have manifests without content.
  package var numbers: [Int] {
    let numbers = purges.filter { !$0.entries.isEmpty || !$0.objects.isEmpty }.map(\.sequence)
    return numbers.isEmpty ? [first] : numbers
  }

  /// The numbers in a sentence, such as `purges 1, 2 and 3`.
  package var description: String {
    let numbers = numbers.map(String.init)
    if numbers.count == 1 { return "purge \(numbers[0])" }
    if numbers.count > 5 {
      return "purges \(numbers.prefix(3).joined(separator: ", ")) and \(numbers.count - 3) others"
    }
    let last = numbers[numbers.count - 1]
    return "purges \(numbers.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// The JSON of the state of a restored config.
  package var value: Value { ["missedPurges": .array(numbers.map { .integer(Int64($0)) })] }

  /// Returns the note for a release that takes the purges into account; `note` is called after its
  /// swap.
  func covered(
    at place: ChannelPlace,
    note: @escaping @Sendable (ReleaseRecord) throws -> Void = { _ in }
  ) -> Draft.Purged.Covered {
    Draft.Purged.Covered(first: first) { [overwritten] record in
      try note(record)
      // The records that prove it may be pruned.
      for purge in overwritten where !purge.wasLive { try purge.noteLive(at: place) }
    }
  }
}

extension PurgeLedger {
  /// Returns a warning, as a sentence, if there are missed purges.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  package func warningOfOlderConfig() throws -> String? {
    guard let missed = try readMissed() else { return nil }
    let channel = place.channel
    let remedy =
      "correct or remove the purged content, and run 'contentc publish \(channel) --repair'"
    if isConfigGone {
      return "config of '\(channel)' is gone, after \(missed.description): apps keep "
        + "what they have, and new readers get nothing; objects may be missing; \(remedy)"
    }
    return "config of '\(channel)' is older than \(missed.description), as after it was restored "
      + "from a backup: purged content may be live again, and objects may be missing; \(remedy); "
      + "'contentc maintenance on \(channel)' hides everything at once"
  }

  /// Refuses a maintenance after which, or before which, readers see the content of a config that is
  /// older than a purge.
  ///
  /// Apps that have seen a later release ignore such a config, but not a release above it.
  ///
  /// - Throws: `DeliveryError`, which names the remedies; `TargetError`.
  package func refuseMaintenanceOfOlderConfig(_ live: LiveRelease) throws {
    guard let missed = try readMissed(),
      // Otherwise a purge was faster, and the command plans again.
      try place.live()?.record.digest == live.record.digest
    else { return }
    let channel = place.channel
    throw DeliveryError(
      .refused,
      "config of '\(channel)' is older than \(missed.description), as after it was restored from a "
        + "backup, so readers might see purged content again; nothing was changed; correct or remove "
        + "that content, and run 'contentc publish \(channel) --repair'; 'contentc maintenance on "
        + "\(channel)', without --from, --until and --message, hides everything at once")
  }
}
