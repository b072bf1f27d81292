package import ContentModel
import PropertyLists
package import SiteFormat
import Synchronization

/// The signing of a channel's configs: the trusted key documents, and the keys of this machine.
package struct ChannelSigning: Sendable {
  /// Returns a body with signatures of a role, as many as a document asks for.
  package typealias Sign =
    @Sendable (_ body: [UInt8], _ type: SignedType, _ role: KeyDocument.Role, _ by: KeyDocument)
    throws -> SignedBody

  /// The key documents from version 1, of which each is signed by the keys before it; at least one.
  let documents: [KeyDocument]
  /// The time for which a signed config is current.
  package let validFor: TimeSpan
  let now: @Sendable () -> Instant
  private let sign: Sign
  private let last = LastVerification()
  /// The hashes of configs that only an earlier key document accepts, and that count nevertheless.
  package var acceptedConfigs: Set<Digest> = []
  /// The key document that follows the newest one, and does not count since it lacks signatures; `nil`
  /// without one.
  package var pending: KeyDocument?
  /// The documents that configs carry.
  package let carried: CarriedDocuments

  /// Creates the signing of a channel; `nil` without a document.
  ///
  /// Configs carry the documents after that with the version `base`.
  package init?(
    _ documents: [KeyDocument], after base: Int = 1, validFor: TimeSpan,
    now: @escaping @Sendable () -> Instant, sign: @escaping Sign
  ) {
    guard !documents.isEmpty else { return nil }
    (self.documents, self.validFor, self.now, self.sign) = (documents, validFor, now, sign)
    carried = CarriedDocuments(documents, after: base)
  }

  /// The newest key document, whose keys sign.
  package var newest: KeyDocument { documents[documents.count - 1] }

  /// The floors of a recovery that the newest key document brings; later documents only repeat them.
  package var newFloors: KeyDocument.Floors? {
    newest.floors?.version == newest.version ? newest.floors : nil
  }

  /// The number of the last purge that the last recovery keeps; `nil` without a recovery.
  package var lastRecoveredPurge: Int? { newest.floors?.purge }

  // MARK: Verifying

  /// Verifies a signed config by all steps of docs/reference/trust.md, except that it may have expired, and that
  /// it may be older than the release that this machine saw: `RestoredConfig` decides about that.
  ///
  /// A config that only an earlier document accepts counts during a rotation, if this machine knows
  /// it: a key that the newest document removed may be stolen. No message names the hash of such a
  /// config, which may be the thief's.
  ///
  /// - Throws: `DeliveryError`, which names the remedy.
  func verified(
    _ bytes: [UInt8], of place: ChannelPlace, at location: String
  ) throws(DeliveryError) -> SignedConfig {
    let found = try acceptance(of: bytes, in: place, at: location)
    guard let config = found.config else {
      // A machine that knows no release may follow a recovery only.
      let command = newFloors != nil && place.seen.release == 0 ? "keys recovered" : "keys replace"
      throw DeliveryError(
        .refused,
        "\(location) does not verify: \(found.reason ?? ""); nothing of it is signed; put the file of a backup "
          + "back, or replace it by 'contentc \(command) \(place.channel)'; nothing was changed")
    }
    let (release, digest) = (config.release.release, config.release.config)
    if let reason = found.reason, !acceptedConfigs.contains(digest) {
      throw DeliveryError(
        .refused,
        "\(location) does not verify: \(reason); only key document \(found.document) accepts it; "
          + "\(remedyForEarlierKeys(in: place.channel)); nothing was changed")
    }
    let seen = place.seen
    guard release != seen.release || seen.config.map({ $0 == digest }) ?? true else {
      throw DeliveryError(
        .refused,
        "\(location) is another config of release \(release) than the one that was live; if a key may be "
          + "stolen, 'contentc keys recover \(place.channel)' comes first; if not, 'contentc keys replace "
          + "\(place.channel)' replaces it; nothing was changed")
    }
    return try SignedConfig(bytes, verified: config)
  }

  /// Verifies a copy of a config that its owner trusts; an earlier key document may accept it alone.
  ///
  /// - Throws: `DeliveryError` if no key document of the channel accepts it.
  package func verifiedCopy(
    _ bytes: [UInt8], of place: ChannelPlace, at location: String
  ) throws(DeliveryError) -> SignedConfig {
    let found = try acceptance(of: bytes, in: place, at: location)
    guard let config = found.config else {
      throw DeliveryError(
        .refused, "\(location) does not verify: \(found.reason ?? ""); nothing was changed")
    }
    return try SignedConfig(bytes, verified: config)
  }

  /// Returns what to do about a config that only an earlier key document accepts, as a sentence.
  private func remedyForEarlierKeys(in channel: String) -> String {
    if newFloors != nil {
      return
        "key document \(newest.version) is a recovery, and 'contentc keys recovered \(channel)' must follow"
    }
    return
      "if a removed key was stolen, a thief may have published it: 'contentc keys recover \(channel)' begins "
      + "the recovery in docs/reference/trust.md; if not, 'contentc keys accept \(channel) FILE' accepts what was "
      + "published before the rotation, where FILE is a copy that does not come from this target"
  }

  /// The judgement of a channel's key documents on a config.
  private struct Acceptance {
    /// The config; `nil` if no document accepts it.
    var config: VerifiedConfig?
    /// The version of the newest document that accepts it; 0 without one.
    var document = 0
    /// The reason of the newest document that refuses it; `nil` if the newest one of all accepts it.
    var reason: String?
  }

  /// Returns the judgement of the channel's key documents on the bytes of a config.
  ///
  /// - Throws: `DeliveryError` for a config with other or later key documents than the channel's, and
  ///   for one of a newer version.
  private func acceptance(
    of bytes: [UInt8], in place: ChannelPlace, at location: String
  ) throws(DeliveryError) -> Acceptance {
    if let version = otherDocument(in: bytes, of: place) {
      throw DeliveryError(
        .refused,
        "\(location) has another key document \(version) than the content folder, and document \(version - 1) "
          + "accepts both, as if each of two branches had made one: apps that saw one of them refuse the other for "
          + "ever. Take over the \(version).json of the branch that published first, and make the later change "
          + "again, as document \(version + 1); nothing was changed")
    }
    var reason: String?
    for document in documents.reversed() {
      let (found, trusted): (VerifiedConfig, KeyDocument)
      do throws(TrustError) {
        (found, trusted) = try last.verify(bytes, pinning: document, of: place, at: now())
      } catch .malformed(let part, .format(let newer)) {
        // Nobody may be told to replace such a config.
        throw DeliveryError(.refused, "\(location): \(newer.sentence(about: part.name))")
      } catch {
        reason = reason ?? error.reason
        continue
      }
      // A stolen key may have signed another document of a version.
      guard
        trusted.version > newest.version
          || documents[trusted.version - 1].signed.body == trusted.signed.body
      else {
        reason = reason ?? TrustError.otherDocument(version: trusted.version).reason
        continue
      }
      guard trusted.version <= newest.version else {
        throw DeliveryError(
          .refused,
          "\(location) has key document \(trusted.version), and the content folder only \(newest.version): "
            + "take the newer documents over from the repository; nothing was changed")
      }
      return Acceptance(config: found, document: document.version, reason: reason)
    }
    return Acceptance(reason: reason)
  }

  /// Returns a signed config that proves a purge with a number, also one of long ago; `nil` if no key
  /// document accepts the bytes.
  ///
  /// After a recovery, a key that it removed may have signed a purge above the recovery's.
  package func proven(_ bytes: [UInt8], of place: ChannelPlace, purge number: Int) -> Value? {
    let floors = newest.floors
    let first = floors.map { number > $0.purge ? $0.version : 1 } ?? 1
    for document in documents.reversed() where document.version >= first {
      var memory = TrustMemory(pinned: document)
      let config = try? memory.verify(
        bytes, of: place.app, channel: place.channel, at: now(), checkingExpiry: false)
      if let config {
        return (try? SignedConfig(bytes, verified: config)).flatMap {
          try? PropertyList.decode($0.config).value
        }
      }
    }
    return nil
  }

  /// Returns the version of the first key document in a config that is another one than the channel's,
  /// although the keys of the document before it accept both; `nil` if there is none.
  ///
  /// To replace that config would cut off all apps that adopted its document.
  package func otherDocument(in config: [UInt8], of place: ChannelPlace) -> Int? {
    guard let envelope = try? Envelope(config) else { return nil }
    for signed in envelope.documents {
      guard let other = try? KeyDocument(signed) else { return nil }
      guard let own = documents.first(where: { $0.version == other.version }) else { continue }
      guard own.signed.body != signed.body else { continue }
      let before = documents.first { $0.version == other.version - 1 }
      let isAccepted =
        other.isFor(app: place.app, channel: place.channel)
        && (try? other.requireSignatures(after: before)) != nil
      return isAccepted && before != nil ? other.version : nil
    }
    return nil
  }

  // MARK: Signing

  /// Returns the bytes of the signed config of a release, after they were verified as readers do.
  ///
  /// With a `known` statement that this is a release, only the statement that it is current is new.
  ///
  /// - Throws: `DeliveryError` if the result would not verify or is too large; the errors of signing.
  func signed(
    _ config: [UInt8], release: Int, of place: ChannelPlace, issued: Instant,
    format: PropertyListFormat, keeping known: SignedBody? = nil
  ) throws -> [UInt8] {
    var statements = try statements(
      about: config, release: release, of: place, issued: issued.wholeSeconds, keeping: known)
    if known == nil {
      statements.release = try sign(statements.release.body, .release, .release, newest)
    }
    statements.fresh = try sign(statements.fresh.body, .fresh, .fresh, newest)
    // The clock of readers is right, also where that of an emergency's machine is behind.
    return try sealed(
      config, with: statements, of: place, format: format, at: max(now(), issued))
  }

  /// Returns the bytes of the signed config with some statements, after they were verified as readers
  /// do at a time.
  ///
  /// - Throws: `DeliveryError` if readers would refuse it, or if it is too large.
  func sealed(
    _ config: [UInt8], with statements: ReleaseStatements, of place: ChannelPlace,
    format: PropertyListFormat, at time: Instant
  ) throws -> [UInt8] {
    let envelope = Envelope(
      config: config, release: statements.release, fresh: statements.fresh,
      documents: carried.documents.suffix(Envelope.documentLimit))
    let bytes = try envelope.encoded(as: format)
    try checkAsReadersDo(bytes, of: place, at: time)
    return bytes
  }

  /// Returns the statements about a config without signatures, apart from a `known` one.
  func statements(
    about config: [UInt8], release: Int, of place: ChannelPlace, issued: Instant,
    keeping known: SignedBody? = nil
  ) throws -> ReleaseStatements {
    let about =
      try known.map { try ReleaseStatement($0.body) }
      ?? ReleaseStatement(
        app: place.app, channel: place.channel, release: release, issued: issued,
        config: Digest(of: config), size: config.count, keys: newest.version)
    let fresh = FreshStatement(
      about: about, issued: issued, expires: issued.advanced(by: validFor),
      keys: newest.version)
    return ReleaseStatements(
      release: try known ?? SignedBody(body: about.body(), signatures: []),
      fresh: SignedBody(body: try fresh.body(), signatures: []))
  }

  private func checkAsReadersDo(
    _ bytes: [UInt8], of place: ChannelPlace, at now: Instant
  ) throws(DeliveryError) {
    // `keys` makes no document for which there is no room; an earlier version of it did.
    let base = max(carried.base, newest.version - Envelope.documentLimit)
    let pinned = documents[base - 1]
    var memory = TrustMemory(pinned: pinned)
    do throws(TrustError) {
      let config = try memory.verify(bytes, of: place.app, channel: place.channel, at: now)
      // The statements are by keys of the newest document, so it accepts them, too.
      last.note(bytes, as: config, by: memory.document, pinning: memory.document)
    } catch {
      throw DeliveryError(
        .refused,
        "readers would refuse the config of '\(place.channel)': \(error.reason)"
          + (newest.expires <= now
            ? "; 'contentc keys renew \(place.channel)' makes the next key document" : "")
          + (error == .tooLarge && !carried.documents.isEmpty
            ? "; 'contentc keys drop \(place.channel) --below N' leaves out earlier key documents"
            : "")
          + "; nothing was changed")
    }
  }

  /// Returns whether a config should be signed again: less than half of its time is left, or it does
  /// not have the newest key document and signatures by its keys.
  package func isDue(_ signed: SignedConfig) -> Bool {
    signed.validity(at: now()) < 0.5 || !hasNewestKeys(signed)
  }

  /// Returns whether a config has the newest key document, and signatures by its keys.
  package func hasNewestKeys(_ signed: SignedConfig) -> Bool {
    let newestSent = signed.envelope.documents.last?.body
    return (newest.version == 1 || newestSent == newest.signed.body)
      && accepts(signed.envelope.release)
  }

  /// The most bytes of a config that is signed in a format, with some room to spare.
  func room(in format: PropertyListFormat) -> Int {
    let sent = carried.documents.suffix(Envelope.documentLimit)
    let keys = sent.reduce(0) { $0 + $1.body.count + 200 * $1.signatures.count + 100 }
    let rest = Envelope.byteLimit - keys - 4_096
    // Text formats have the config as base64.
    return format == .binary ? rest : rest * 3 / 4
  }

  /// Returns whether the newest document accepts a statement that a config is a release.
  func accepts(_ statement: SignedBody) -> Bool {
    let signers = newest.roles.release
    let count = statement.count(of: signers.keys, as: .release, upTo: signers.threshold)
    return count == signers.threshold
  }
}

/// The last config that a document accepted: a publication reads the same bytes several times.
private final class LastVerification: Sendable {
  private struct Verified: Sendable {
    let bytes: [UInt8]
    let pinned: Int
    let config: VerifiedConfig
    let trusted: KeyDocument
  }

  private let last = Mutex<Verified?>(nil)

  /// Verifies a config by a document, except that it may have expired; returns it, and the newest
  /// document that it leads to.
  func verify(
    _ bytes: [UInt8], pinning document: KeyDocument, of place: ChannelPlace, at now: Instant
  ) throws(TrustError) -> (VerifiedConfig, KeyDocument) {
    if let last = last.withLock({ $0 }), last.pinned == document.version, last.bytes == bytes {
      return (last.config, last.trusted)
    }
    var memory = TrustMemory(pinned: document)
    let config = try memory.verify(
      bytes, of: place.app, channel: place.channel, at: now, checkingExpiry: false)
    note(bytes, as: config, by: memory.document, pinning: document)
    return (config, memory.document)
  }

  /// Notes a config that a `pinned` document accepts, and the newest document in its chain.
  func note(
    _ bytes: [UInt8], as config: VerifiedConfig, by trusted: KeyDocument,
    pinning pinned: KeyDocument
  ) {
    let verified = Verified(
      bytes: bytes, pinned: pinned.version, config: config, trusted: trusted)
    last.withLock { $0 = verified }
  }
}

/// A config that its publisher signed, as a target serves it.
package struct SignedConfig: Sendable {
  /// The bytes of the config of format 1.
  package let config: [UInt8]
  let envelope: Envelope
  package let fresh: FreshStatement

  fileprivate init(_ bytes: [UInt8], verified: VerifiedConfig) throws(DeliveryError) {
    do throws(TrustError) { envelope = try Envelope(bytes) } catch {
      throw DeliveryError(.refused, error.reason)
    }
    (config, fresh) = (verified.bytes, verified.fresh)
  }

  /// Returns the part of its validity that is left at an instant, from 0 to 1.
  package func validity(at now: Instant) -> Double {
    let (start, end) = (
      fresh.issued.secondsSinceReferenceDate, fresh.expires.secondsSinceReferenceDate
    )
    guard end > start else { return 0 }
    return min(1, max(0, (end - now.secondsSinceReferenceDate) / (end - start)))
  }
}

extension Instant {
  /// The instant without a fraction of a second.
  package var wholeSeconds: Instant {
    Instant(secondsSinceReferenceDate: secondsSinceReferenceDate.rounded(.down))
  }

  package func advanced(by span: TimeSpan) -> Instant {
    Instant(secondsSinceReferenceDate: secondsSinceReferenceDate + Double(span.seconds))
  }
}
