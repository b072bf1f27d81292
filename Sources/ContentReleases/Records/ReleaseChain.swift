import ContentTargets

/// The releases of a channel whose records exist, the live one first.
///
/// Keeps one record at a time in memory.
package struct ReleaseChain {
  private let place: ChannelPlace
  private var last: ReleaseRecord?
  private var isStarted = false

  /// Creates the chain that ends with the present live release.
  init(_ place: ChannelPlace) throws {
    self.place = place
    last = try place.live()?.record
  }

  /// Returns the release before the last returned one; `nil` after the earliest one that is left.
  ///
  /// - Throws: `DeliveryError` if a record is damaged, or has another number than its place in the
  ///   chain; `TargetError`.
  package mutating func next() throws -> ReleaseRecord? {
    if isStarted { last = try last.flatMap(record(before:)) }
    isStarted = true
    return last
  }

  private func record(before later: ReleaseRecord) throws -> ReleaseRecord? {
    guard let previous = later.previous,
      let record = try place.record(
        named: ReleaseRecord.Name(
          channel: place.channel, number: later.numberBefore, digest: previous),
        format: later.format)
    else {
      return nil
    }
    guard record.number == later.numberBefore else {
      throw DeliveryError(
        .refused,
        "\(place.target.name): the record before release \(later.number) of '\(place.channel)' is of \(record.number)"
      )
    }
    return record
  }
}

extension ChannelPlace {
  /// Returns the channel's releases, which are read one by one.
  ///
  /// - Throws: `DeliveryError` if config cannot be read; `TargetError`.
  package func chain() throws -> ReleaseChain { try ReleaseChain(self) }

  /// Returns the release to roll back to: the one with a number, or the last one with other content
  /// if the number is `nil`.
  ///
  /// - Throws: `DeliveryError` if there is no such release; `TargetError`.
  package func rollbackTarget(_ number: Int?) throws -> ReleaseRecord {
    var chain = try chain()
    guard let live = try chain.next() else {
      throw DeliveryError(.unknown, try reasonForNoConfig())
    }
    var record: ReleaseRecord? = live
    var first = live.number
    var later: Int?
    while let candidate = record {
      if number.map({ $0 == candidate.number }) ?? (candidate.number < live.contentRelease) {
        return candidate
      }
      if candidate.contentRelease != live.contentRelease { later = later ?? candidate.number }
      first = candidate.number
      record = try chain.next()
    }
    guard let number else {
      let hint = later.map { "; 'contentc rollback \(channel) --to \($0)' shows a later one again" }
      throw DeliveryError(
        .unknown,
        "there is no content before that of release \(live.contentRelease) in '\(channel)'"
          + (hint ?? ""))
    }
    if number > live.number, try hasRecord(of: number) {
      throw DeliveryError(
        .unknown,
        "release \(number) of '\(channel)' is later than the live release \(live.number), since config was restored "
          + "from a backup, or release \(number) was never published; publish its content again, or "
          + "roll back to one of \(first) to \(live.number)")
    }
    // Earlier releases may have been pruned; later ones do not exist yet.
    let absence =
      number > live.number ? "no release \(number) yet" : "no release \(number) any more"
    let present = first == live.number ? "only release \(first)" : "\(first) to \(live.number)"
    throw DeliveryError(.unknown, "'\(channel)' has \(absence); it has \(present)")
  }
}

extension ChannelPlace {
  /// Returns whether the live release shows older content than an earlier release, after a rollback.
  ///
  /// - Throws: `DeliveryError` if a record cannot be read; `TargetError`.
  package func isRolledBack() throws -> Bool {
    var chain = try chain()
    var shown = try chain.next()
    // A purge after a rollback has content of its own, but does not end the rollback.
    while let record = shown, record.contentRelease == record.number, record.purgeOrder != nil {
      shown = try chain.next()
    }
    guard let live = shown else { return false }
    while let record = try chain.next(), record.number >= live.contentRelease {
      // A rollout that was taken back had other content, too. A purge during the rollout made the
      // release whose stable content is live.
      let wasTakenBack = record.rollout != nil && live.rollout == nil
      if wasTakenBack || record.contentRelease != live.contentRelease { return true }
    }
    return false
  }
}
