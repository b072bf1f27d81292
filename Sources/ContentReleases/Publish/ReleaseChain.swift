import ContentTargets

/// A channel's releases, the live one first, as far as their records are there; one record at a
/// time is in memory.
package struct ReleaseChain {
  private let place: ChannelPlace
  private var last: ReleaseRecord?
  private var isStarted = false

  /// The releases up to the one that is live at this moment.
  init(_ place: ChannelPlace) throws {
    self.place = place
    last = try place.live()?.record
  }

  /// The release before the one that was told last; `nil` after the first one that is left.
  ///
  /// - Throws: `DeliveryError` where a record is there, but not the one that belongs there.
  package mutating func next() throws -> ReleaseRecord? {
    if isStarted { last = try last.flatMap(record(before:)) }
    isStarted = true
    return last
  }

  private func record(before later: ReleaseRecord) throws -> ReleaseRecord? {
    guard let previous = later.previous,
      let record = try place.record(later.number - 1, previous, later.format)
    else {
      return nil
    }
    guard record.number == later.number - 1 else {
      throw DeliveryError(
        .refused,
        "\(place.target.name): the record before release \(later.number) of '\(place.channel)' is of \(record.number)"
      )
    }
    return record
  }
}

extension ChannelPlace {
  /// The channel's releases, to be read one by one.
  package func chain() throws -> ReleaseChain { try ReleaseChain(self) }

  /// The release to roll back to: the one of that number, or, without one, the last one with other
  /// content.
  package func rollbackTarget(_ number: Int?) throws -> ReleaseRecord {
    var chain = try chain()
    guard let live = try chain.next() else {
      throw DeliveryError(.unknown, "nothing is published in '\(channel)' yet")
    }
    var record: ReleaseRecord? = live
    var first = live.number
    while let candidate = record {
      if number.map({ $0 == candidate.number }) ?? (candidate.number < live.of) { return candidate }
      first = candidate.number
      record = try chain.next()
    }
    guard let number else {
      throw DeliveryError(
        .unknown, "there is no content before that of release \(live.of) in '\(channel)'")
    }
    throw DeliveryError(
      .unknown, "'\(channel)' has no release \(number) any more; it has \(first) to \(live.number)")
  }
}
