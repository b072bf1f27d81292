package import ContentModel
import PropertyLists

/// A config that its publisher signed.
package struct VerifiedConfig: Sendable {
  /// The bytes of the config of format 1.
  package let bytes: [UInt8]
  package let release: ReleaseStatement
  /// The statement that came with the config.
  package let fresh: FreshStatement
}

extension TrustMemory {
  /// Verifies a config of an app's channel, and remembers the floors for later configs.
  ///
  /// The steps are those of docs/reference/trust.md:
  /// 1. Read the envelope.
  /// 2. Adopt the key documents that follow the trusted one. They remain trusted if a later step
  ///    fails.
  /// 3. Set the floors of a recovery that an adopted document brings.
  /// 4. Check the statement that this config is a release. The statement must not be from before
  ///    the last recovery.
  /// 5. Check the statement that this config is current. The statement must not be from before the
  ///    last recovery.
  /// 6. Refuse a release below the floor, and another config of the same release.
  /// 7. Read the config, which must be of this app, channel and release, and not hide this release.
  /// 8. Raise the floors.
  ///
  /// An expiry is reported only if all other steps succeed. The publisher then signed the config,
  /// but the config may not be the newest one. `checkingExpiry` is `false` for an app's baked
  /// content.
  ///
  /// - Throws: the reason for which the config is not accepted.
  package mutating func verify(
    _ bytes: [UInt8], of app: String, channel: String, at clock: Instant,
    checkingExpiry: Bool = true
  ) throws(TrustError) -> VerifiedConfig {
    var time = time(at: clock)
    guard document.isFor(app: app, channel: channel) else {
      throw .foreign(.keys(version: document.version))
    }
    let envelope = try Envelope(bytes)
    let known = recovery
    for signed in envelope.documents {
      try adopt(KeyDocument(signed), of: app, channel: channel, at: clock)
    }
    // A recovery forgets the times of earlier statements.
    if recovery != known { time = self.time(at: clock) }
    let release = try releaseStatement(in: envelope, of: app, channel: channel)
    let fresh = try freshStatement(in: envelope, for: release)
    try requireFloor(release)
    try requireConfig(envelope.config, named: release)
    if checkingExpiry { try requireValidity(of: fresh, about: release, at: time) }
    accept(release, fresh, at: clock)
    return VerifiedConfig(bytes: envelope.config, release: release, fresh: fresh)
  }

  /// Trusts a document that follows the trusted one.
  private mutating func adopt(
    _ next: KeyDocument, of app: String, channel: String, at clock: Instant
  ) throws(TrustError) {
    if next.version < document.version { return }
    if next.version == document.version {
      guard next.signed.body == document.signed.body else {
        throw .otherDocument(version: next.version)
      }
      return
    }
    guard next.version == document.version + 1 else {
      throw .documentOutOfOrder(version: next.version, trusted: document.version)
    }
    try requireSuccession(of: next, after: document, app: app, channel: channel)
    trust(next)
    note(issued: next.issued, at: clock)
  }

  /// Checks that a document is for the channel, and that the keys of both documents signed it.
  private func requireSuccession(
    of next: KeyDocument, after earlier: KeyDocument, app: String, channel: String
  ) throws(TrustError) {
    guard next.isFor(app: app, channel: channel) else {
      throw .foreign(.keys(version: next.version))
    }
    try next.requireSignatures(after: earlier)
  }

  private func releaseStatement(
    in envelope: Envelope, of app: String, channel: String
  ) throws(TrustError) -> ReleaseStatement {
    try document.requireSignatures(
      of: .release, on: envelope.release, as: .release, part: .release)
    let statement = try ReleaseStatement(envelope.release.body)
    guard statement.app.hasSameBytes(as: app), statement.channel.hasSameBytes(as: channel) else {
      throw .foreign(.release)
    }
    guard statement.size == envelope.config.count,
      statement.config == Digest(of: envelope.config)
    else { throw .otherConfig(.release) }
    try requireGeneration(statement.keys, of: .release)
    return statement
  }

  private func freshStatement(
    in envelope: Envelope, for release: ReleaseStatement
  ) throws(TrustError) -> FreshStatement {
    try document.requireSignatures(of: .fresh, on: envelope.fresh, as: .fresh, part: .fresh)
    let statement = try FreshStatement(envelope.fresh.body)
    guard statement.app.hasSameBytes(as: release.app),
      statement.channel.hasSameBytes(as: release.channel)
    else { throw .foreign(.fresh) }
    guard statement.config == release.config, statement.release == release.release else {
      throw .otherConfig(.fresh)
    }
    try requireGeneration(statement.keys, of: .fresh)
    return statement
  }

  /// Refuses a statement that names a withheld key document, or one from before the last recovery.
  ///
  /// A recovery may lower the floors below earlier releases. Its document may keep the key that
  /// signed them.
  private func requireGeneration(_ version: Int, of part: SignedPart) throws(TrustError) {
    guard version <= document.version else { throw .withheldDocument(version: version) }
    if let recovery = lastRecovery, version < recovery {
      throw .beforeRecovery(part, version: version, recovery: recovery)
    }
  }

  private func requireFloor(_ statement: ReleaseStatement) throws(TrustError) {
    guard statement.release >= release else {
      throw .olderRelease(statement.release, floor: release)
    }
    guard statement.release > release || config == nil || config == statement.config else {
      throw .equivocation(release: release)
    }
  }

  private func requireConfig(
    _ bytes: [UInt8], named statement: ReleaseStatement
  ) throws(TrustError) {
    // Readers in other languages do not accept a text or a real number here.
    guard let (config, syntax) = try? PropertyList.decode(bytes), syntax != .openstep else {
      throw .malformed(.config, .unreadable)
    }
    if let newer = NewerFormat(config["format"], above: 1) {
      throw .malformed(.config, .format(newer))
    }
    guard config["format"] == .integer(1) else { throw .malformed(.config, .unreadable) }
    guard config["app"]?.text?.hasSameBytes(as: statement.app) == true,
      config["channel"]?.text?.hasSameBytes(as: statement.channel) == true
    else { throw .foreign(.config) }
    guard config["release"] == .integer(Int64(statement.release)) else {
      throw .otherConfig(.release)
    }
    let minimum = config["purge"]?["minimumRelease"]?.number ?? 0
    guard minimum >= 0 else { throw .malformed(.config, .member("minimumRelease")) }
    guard minimum <= statement.release else { throw .withdrawn(release: statement.release) }
  }

  private func requireValidity(
    of fresh: FreshStatement, about release: ReleaseStatement, at time: Instant
  ) throws(TrustError) {
    guard document.expires > time else {
      throw .expired(.keys(version: document.version), since: document.expires, of: release)
    }
    guard fresh.expires > time else { throw .expired(.fresh, since: fresh.expires, of: release) }
  }

  private mutating func accept(
    _ release: ReleaseStatement, _ fresh: FreshStatement, at clock: Instant
  ) {
    if release.release > self.release { self.fresh = nil }
    (self.release, config) = (release.release, release.config)
    // Of two statements about one release, the later counts.
    if self.fresh.map({ $0.issued <= fresh.issued }) ?? true { self.fresh = fresh }
    note(issued: release.issued, at: clock)
    note(issued: fresh.issued, at: clock)
  }
}
