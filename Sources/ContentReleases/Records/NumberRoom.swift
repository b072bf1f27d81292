import ContentModel
import SiteFormat

/// A number of the live release that contentc does not publish, since later numbers have no room above
/// it.
///
/// Readers accept no lower number afterwards. A thief of a release key can end a channel with such a
/// number, until a recovery.
package struct NumberWithoutRoom: Hashable, Sendable {
  /// The thing that the number counts.
  enum Subject: String, Sendable { case release, purge }

  let subject: Subject
  let number: Int
  /// The last number that is known to be the publisher's; `nil` if the number is one of the last
  /// million, whatever is known.
  let known: Int?

  /// The numbers that a publication needs.
  enum Need {
    /// New content: the number of the live release must be one that contentc publishes.
    case content
    /// An emergency: a release must be able to follow.
    case maintenance
    /// An emergency: a release and a purge must be able to follow.
    case purge
  }

  /// Returns whether a publication must be refused.
  fileprivate func prevents(_ need: Need) -> Bool {
    switch need {
    case .content: true
    case .maintenance: subject == .release && number >= SerialNumber.highest
    case .purge: number >= SerialNumber.highest
    }
  }
}

extension Draft {
  /// The numbers that the publication of the draft needs.
  var numberNeed: NumberWithoutRoom.Need {
    purged != nil ? .purge : hidesContent ? .maintenance : .content
  }
}

extension ChannelPlace {
  /// Returns the numbers of a live release that leave no room for later ones.
  ///
  /// Such a number is one of the last million. In a signed channel, it may also be one that is more
  /// than a million above the last one that this machine, or a recovery, knows.
  package func numbersWithoutRoom(in live: LiveRelease) -> [NumberWithoutRoom] {
    let known = knownNumbers(for: live)
    return [
      (.release, live.number, known?.release),
      (.purge, max(live.purge?["sequence"]?.number ?? 0, 0), known?.purge),
    ].compactMap { (subject: NumberWithoutRoom.Subject, number: Int, known: Int?) in
      if number > SerialNumber.highest - Self.numbersAhead {
        return NumberWithoutRoom(subject: subject, number: number, known: nil)
      }
      // `publish --above` takes a number at most a million above the last one, and publishes the next.
      guard let known, number - 1 - known > Self.numbersAhead else { return nil }
      return NumberWithoutRoom(subject: subject, number: number, known: known)
    }
  }

  /// Returns the error for a number that leaves no room, which names the remedy.
  package func error(of problem: NumberWithoutRoom, in live: LiveRelease) -> DeliveryError {
    let what = "\(problem.subject.rawValue) \(problem.number) of '\(channel)'"
    let reason =
      problem.known.map {
        "is more than a million above \($0), the last one that this machine knows"
      } ?? "leaves no room for later ones"
    return DeliveryError(
      .refused, "\(what) \(reason): contentc does not publish such a number",
      notes: remedies(for: problem, in: live))
  }

  private func remedies(for problem: NumberWithoutRoom, in live: LiveRelease) -> [String] {
    guard let signing else {
      return [
        "put the file of a backup back, or correct the number ('contentc convert' makes the file readable)"
      ]
    }
    if let floors = signing.newFloors, live.signed?.fresh.keys ?? 0 < floors.version {
      return ["'contentc keys recovered \(channel)' publishes the recovery"]
    }
    let recovery =
      "if a thief signed it, or it was mistyped: 'contentc keys recover \(channel) --release N --purge S "
      + "--discard-live' begins the recovery in docs/reference/trust.md"
    guard problem.subject == .release, problem.known != nil,
      problem.number <= SerialNumber.highest / 2
    else { return [recovery] }
    return [recovery, "if your own commands published it, add --not-below \(problem.number)"]
  }

  /// Refuses to publish after numbers that leave no room, in a signed channel.
  ///
  /// An emergency goes live as long as a number can follow.
  ///
  /// - Throws: `DeliveryError`, which names the remedy.
  func requireRoom(
    after live: LiveRelease?, for need: NumberWithoutRoom.Need
  ) throws(DeliveryError) {
    guard signing != nil, let live,
      let problem = numbersWithoutRoom(in: live).first(where: { $0.prevents(need) })
    else { return }
    var error = error(of: problem, in: live)
    error.notes.append("nothing was changed")
    throw error
  }

  /// Refuses to plan a purge that no number can follow, in a signed channel.
  ///
  /// - Throws: `DeliveryError`, which names the remedy.
  package func requireRoomForPurge(after live: LiveRelease) throws(DeliveryError) {
    try requireRoom(after: live, for: .purge)
  }
}

extension ChannelPlace {
  /// Returns the last numbers that are known to be the publisher's, for a comparison with the live
  /// release of a signed channel; the release is `nil` if none is known.
  private func knownNumbers(for live: LiveRelease) -> (release: Int?, purge: Int)? {
    guard let signing else { return nil }
    // A recovery says nothing about a release from before it.
    let floors = signing.newest.floors.flatMap { floors in
      live.signed?.fresh.keys ?? 0 >= floors.version ? floors : nil
    }
    let release = max(seen.release, floors?.release ?? 0)
    return (release == 0 ? nil : release, max(seen.purge, floors?.purge ?? 0, 0))
  }
}
