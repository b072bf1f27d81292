import ContentModel
import ContentTargets
import SiteFormat

extension Publisher {
  /// The times that a swap is tried again because another command signed the live release again.
  static let resigningAttempts = 5

  /// Refuses to continue from a release of before a recovery: only `keys recovered` may follow it.
  func checkRecovery(after live: LiveRelease?) throws(DeliveryError) {
    guard let floors = place.signing?.newFloors, let signed = live?.signed,
      signed.fresh.keys < floors.version
    else { return }
    throw DeliveryError(
      .refused,
      "key document \(floors.version) of '\(place.channel)' is a recovery, and the live release is from before it: "
        + "'contentc keys recovered \(place.channel)' must follow; nothing was changed")
  }

  /// Refuses to change whether a live channel is signed, unless the publisher was asked to.
  ///
  /// The command of the message has the number that the draft is to be `above`: it may end the state of
  /// a restored config.
  func checkSigning(after live: LiveRelease?, above: Int?) throws(DeliveryError) {
    try checkRecovery(after: live)
    guard let live, live.isSigned != (place.signing != nil) else { return }
    if place.signing != nil, place.seen.release > 0 {
      throw DeliveryError(
        .refused,
        "config of '\(place.channel)' is not signed, although release \(place.seen.release) was: someone put another "
          + "one in its place; 'contentc keys replace \(place.channel)' replaces it; nothing was changed"
      )
    }
    if changesSigning { return }
    let number = above.map { " --above \($0)" } ?? ""
    throw DeliveryError(
      .refused,
      live.isSigned
        ? "config of '\(place.channel)' is signed, and content.yaml has no 'signing' for it: apps that pin a key would "
          + "stop following; 'contentc keys off \(place.channel)\(number)' does it; nothing was changed"
        : "config of '\(place.channel)' is not signed yet: apps that read format 1 only would stop following; "
          + "'contentc keys on \(place.channel)' does it; nothing was changed")
  }

  /// Signs the live release again, so that readers accept it for longer; its number stays.
  ///
  /// The statement that it is a release is kept if the newest key document accepts its signatures. If
  /// another release is faster, that one is signed again.
  ///
  /// - Throws: `DeliveryError`; `TargetError`; the errors of signing.
  package func resign() throws -> LiveRelease {
    try place.target.exclusively {
      var start: Instant?
      for attempt in 0..<Self.resigningAttempts {
        guard let live = try place.live() else {
          throw DeliveryError(.unknown, try place.reasonForNoConfig())
        }
        // The statements that another command signed meanwhile are no sign of a wrong clock.
        let issued = try start ?? issueTime(after: live).wholeSeconds
        start = issued
        // Another command has signed the release since.
        if attempt > 0, let signed = live.signed,
          signed.fresh.issued >= issued, place.signing?.hasNewestKeys(signed) ?? false
        {
          return live
        }
        if let done = try resign(live, issued: issued) { return done }
      }
      throw DeliveryError(
        .lost, "other publishers were faster each time; run again; nothing was changed")
    }
  }

  /// Signs a live release again; `nil` if another config is live by now.
  func resign(_ live: LiveRelease, issued: Instant) throws -> LiveRelease? {
    guard let signing = place.signing, let signed = live.signed else { throw place.notSigned }
    // This read is the one that is signed: whoever writes to the target may have put an old config back.
    try place.refuseOlder(live.number, at: place.location(of: place.configKey(live.format)))
    try checkRecovery(after: live)
    try place.requireRoom(after: live, for: .content)
    let statement = signed.envelope.release
    let bytes = try signing.signed(
      signed.config, release: live.number, of: place, issued: issued, format: live.format,
      keeping: signing.accepts(statement) ? statement : nil)
    return try replace(live, by: bytes)
  }

  /// Replaces the config of a live release, which stays live; `nil` if another config is live by now.
  func replace(_ live: LiveRelease, by bytes: [UInt8]) throws -> LiveRelease? {
    let file = OutgoingFile(bytes: bytes, headers: configHeaders)
    guard try place.target.replace(place.configKey(live.format), with: file, tagged: live.tag)
    else { return nil }
    return try confirm(bytes, of: live)
  }

  /// Reads the config back; `nil` if another one is live by now.
  private func confirm(_ bytes: [UInt8], of live: LiveRelease) throws -> LiveRelease? {
    for pause in Self.pauses {
      if pause > 0 { sleep(pause) }
      guard let now = try place.live(known: live.record) else { return nil }
      if now.bytes == bytes { return now }
      if now.bytes != live.bytes { return nil }
    }
    throw TargetError(
      .unreachable,
      "\(place.target.name) says that it took config, and still shows the old one; run again")
  }
}
