package import ContentModel

/// The keys of an app's channels, and what each may sign.
package struct KeyDocument: Hashable, Sendable {
  package let app: String
  /// The channels that these keys sign.
  package let channels: [String]
  /// The number of this document, from 1; each later one has the next number.
  package let version: Int
  package let issued: Instant
  package let expires: Instant
  /// All keys, also those without a role.
  package let keys: [KeyID: PublicKey]
  /// The names that people gave to keys.
  package let names: [KeyID: String]
  /// The keys of each role, with the number of signatures that it needs.
  package let roles: Roles
  /// The floors of the last recovery, which later documents repeat; `nil` if there was none.
  package let floors: Floors?
  /// The signed text, as it was received.
  package let signed: SignedBody

  /// A task of keys.
  package enum Role: String, CaseIterable, Sendable {
    /// Signs key documents.
    case keys
    /// Signs releases.
    case release
    /// Says that a release is still the newest one.
    case fresh
  }

  /// The keys of each role.
  package struct Roles: Hashable, Sendable {
    package let keys: Signers
    package let release: Signers
    package let fresh: Signers

    package subscript(role: Role) -> Signers {
      switch role {
      case .keys: keys
      case .release: release
      case .fresh: fresh
      }
    }
  }

  /// The keys of a role.
  package struct Signers: Hashable, Sendable {
    /// The number of distinct keys that must sign, from 1.
    package let threshold: Int
    package let keys: [KeyID: PublicKey]
  }

  /// The lowest numbers that a client accepts after a recovery.
  package struct Floors: Hashable, Sendable {
    /// The version of the document that set the floors.
    ///
    /// The floors count for a client that trusts an earlier document.
    package let version: Int
    package let release: Int
    package let purge: Int

    package init(version: Int, release: Int, purge: Int) {
      (self.version, self.release, self.purge) = (version, release, purge)
    }
  }

  /// The most bytes of a document.
  package static let byteLimit = 4_096
  /// The most keys of a document.
  package static let keyLimit = 16

  /// Reads a document; its signatures are not checked.
  package init(_ signed: SignedBody) throws(TrustError) {
    var reader = try BodyReader(signed.body, as: .keys(version: nil), limit: Self.byteLimit)
    let version = try reader.number("version")
    guard version >= 1 else { throw reader.refusal(of: "version") }
    reader.part = .keys(version: version)
    self.signed = signed
    self.version = version
    app = try reader.text("app")
    channels = try reader.texts("channels")
    issued = try reader.instant("issued")
    expires = try reader.instant("expires")
    (keys, names) = try Self.keys(in: reader)
    let roles = try reader.nested("roles")
    self.roles = Roles(
      keys: try Self.signers(of: .keys, in: roles, keys: keys),
      release: try Self.signers(of: .release, in: roles, keys: keys),
      fresh: try Self.signers(of: .fresh, in: roles, keys: keys))
    floors = try reader.optional("floors").map { member throws(TrustError) in
      let floors = Floors(
        version: try member.number("version"), release: try member.number("release"),
        purge: try member.number("purge"))
      guard (1...version).contains(floors.version) else { throw member.refusal(of: "version") }
      return floors
    }
  }

  /// Returns the keys whose ids are right, and their names; others are ignored.
  private static func keys(
    in reader: BodyReader
  ) throws(TrustError) -> ([KeyID: PublicKey], [KeyID: String]) {
    let members = try reader.nested("keys")
    guard members.keys.count <= keyLimit else { throw reader.tooLarge }
    var (keys, names): ([KeyID: PublicKey], [KeyID: String]) = ([:], [:])
    for name in members.keys {
      let member = try members.nested(name)
      guard try member.text("algorithm").hasSameBytes(as: "ed25519"),
        let key = try member.text("public").base64Bytes.flatMap({ PublicKey(bytes: $0) }),
        let id = KeyID(name), id == key.id
      else { continue }
      keys[id] = key
      names[id] = try member.optionalText("name")
    }
    return (keys, names)
  }

  private static func signers(
    of role: Role, in roles: BodyReader, keys: [KeyID: PublicKey]
  ) throws(TrustError) -> Signers {
    let member = try roles.nested(role.rawValue)
    let threshold = try member.number("threshold")
    guard threshold >= 1 else { throw member.refusal(of: "threshold") }
    let ids = Set(try member.texts("keys").compactMap { KeyID($0) })
    return Signers(threshold: threshold, keys: keys.filter { ids.contains($0.key) })
  }

  /// Returns `true` if this document is for an app's channel.
  package func isFor(app: String, channel: String) -> Bool {
    self.app.hasSameBytes(as: app) && channels.contains { $0.hasSameBytes(as: channel) }
  }

  /// Checks that enough keys signed this document.
  ///
  /// Enough keys of the document before it, if any, must have signed it, and enough of its own
  /// keys.
  package func requireSignatures(after earlier: KeyDocument?) throws(TrustError) {
    var known: Set<PublicKey> = []
    for authority in [earlier, self].compactMap(\.self) {
      try authority.requireSignatures(
        of: .keys, on: signed, as: .keys, part: .keys(version: version), known: &known)
    }
  }

  /// Checks that enough keys of a role signed a body.
  package func requireSignatures(
    of role: Role, on body: SignedBody, as type: SignedType, part: SignedPart
  ) throws(TrustError) {
    var known: Set<PublicKey> = []
    try requireSignatures(of: role, on: body, as: type, part: part, known: &known)
  }

  private func requireSignatures(
    of role: Role, on body: SignedBody, as type: SignedType, part: SignedPart,
    known: inout Set<PublicKey>
  ) throws(TrustError) {
    let signers = roles[role]
    let valid = body.count(of: signers.keys, as: type, upTo: signers.threshold, known: &known)
    guard valid == signers.threshold else {
      throw .tooFewSignatures(part, valid: valid, threshold: signers.threshold)
    }
  }
}
