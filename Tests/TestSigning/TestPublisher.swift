package import ContentModel
import PropertyLists
package import SiteFormat

/// A publisher who signs configs, and an attacker who has some of the keys.
///
/// A test changes what is signed before it asks for a config.
package struct TestPublisher: Sendable {
  /// The time at which everything is signed: 2027-01-15T08:00:00Z.
  package static let now = Instant(secondsSince1970: 1_800_000_000)

  /// The keys of each role, with its threshold.
  package struct Authority: Sendable {
    package var keys: [TestKey]
    package var release: [TestKey]
    package var fresh: [TestKey]
    package var thresholds = (keys: 1, release: 1, fresh: 1)
  }

  package var authority: Authority
  /// The members of the newest key document, of both statements, and of the config.
  package var document: Members
  package var release: Members
  package var fresh: Members
  package var config: Members
  /// The key documents from version 2.
  package var documents: [SignedBody] = []
  package var format = PropertyListFormat.binary

  /// The time at which the first statements are signed.
  private let start: Instant

  /// Creates the publisher of release 5, who signs at a time.
  package init(at start: Instant = now) throws {
    self.start = start
    func time(days: Double) -> Value { Self.time(days: days, after: start) }
    authority = Authority(
      keys: [try TestKey(1)], release: [try TestKey(2)], fresh: [try TestKey(3)])
    config = ["app": "shop", "channel": "production", "format": 1, "release": 5]
    document = [
      "app": "shop", "channels": ["production"], "format": 1, "version": 1,
      "issued": time(days: -10), "expires": time(days: 355),
    ]
    release = [
      "app": "shop", "channel": "production", "format": 1, "release": 5, "keys": 1,
      "issued": time(days: 0),
    ]
    fresh = [
      "app": "shop", "channel": "production", "format": 1, "release": 5, "keys": 1,
      "issued": time(days: 0), "expires": time(days: 14),
    ]
  }

  /// Returns the time some days from now.
  package static func instant(days: Double, after start: Instant = now) -> Instant {
    Instant(secondsSinceReferenceDate: start.secondsSinceReferenceDate + days * 86_400)
  }

  /// Returns the text of the time some days from now.
  package static func time(days: Double, after start: Instant = now) -> Value {
    .string(instant(days: days, after: start).rfc3339)
  }

  /// Returns the text of the time some days after the first statements.
  package func time(days: Double) -> Value { Self.time(days: days, after: start) }

  /// Makes this another release.
  package mutating func number(_ release: Int) {
    for members in [\Self.config, \.release, \.fresh] {
      self[keyPath: members]["release"] = .integer(Int64(release))
    }
  }

  // MARK: Key documents

  /// Returns the text of the newest key document.
  package func documentBody() throws -> [UInt8] {
    var members = document
    let all = authority.keys + authority.release + authority.fresh
    members["keys"] =
      members["keys"]
      ?? .dictionary(
        Members(
          all.map { key -> (String, Value) in
            ("\(key.id)", ["algorithm": "ed25519", "public": .string(key.publicKey.bytes.base64)])
          }))
    let roles: [(String, [TestKey], Int)] = [
      ("keys", authority.keys, authority.thresholds.keys),
      ("release", authority.release, authority.thresholds.release),
      ("fresh", authority.fresh, authority.thresholds.fresh),
    ]
    members["roles"] =
      members["roles"]
      ?? .dictionary(
        Members(
          roles.map { role, keys, threshold -> (String, Value) in
            (
              role,
              [
                "keys": .array(keys.map { .string("\($0.id)") }),
                "threshold": .integer(Int64(threshold)),
              ]
            )
          }))
    return try PropertyList.encode(.dictionary(members), as: .json)
  }

  /// Returns the newest key document, signed by the keys of its own role or by others.
  package func keyDocument(signedBy signers: [TestKey]? = nil) throws -> SignedBody {
    let body = try documentBody()
    return SignedBody(
      body: body,
      signatures: try (signers ?? authority.keys).map { try $0.signature(of: body, as: .keys) })
  }

  /// Rotates: adds a key document that the keys before it sign, too.
  ///
  /// A recovery stays in later documents.
  package mutating func rotate(
    to version: Int, recovery: (release: Int64, purge: Int64)? = nil,
    _ change: (inout Authority) throws -> Void = { _ in }
  ) throws {
    let before = authority.keys
    try change(&authority)
    document["version"] = .integer(Int64(version))
    if let recovery {
      document["floors"] = [
        "version": .integer(Int64(version)), "release": .integer(recovery.release),
        "purge": .integer(recovery.purge),
      ]
    }
    documents.append(try keyDocument(signedBy: before + authority.keys))
    release["keys"] = .integer(Int64(version))
    fresh["keys"] = .integer(Int64(version))
  }

  // MARK: Configs

  /// Returns a memory that trusts the newest key document.
  package func memory() throws -> TrustMemory {
    TrustMemory(pinned: try KeyDocument(try keyDocument()))
  }

  /// Returns the bytes of the config that is signed.
  package func configBytes() throws -> [UInt8] {
    try PropertyList.encode(.dictionary(config), as: format)
  }

  /// Returns the text of a statement, which names the config unless the test chose its members.
  package func body(of type: SignedType, about config: [UInt8]? = nil) throws -> [UInt8] {
    let bytes = try config ?? configBytes()
    var members = type == .release ? release : fresh
    members["config"] = members["config"] ?? .string(Digest(of: bytes).hex)
    if type == .release { members["size"] = members["size"] ?? .integer(Int64(bytes.count)) }
    return try PropertyList.encode(.dictionary(members), as: .json)
  }

  /// Returns a statement that the keys of its role sign.
  package func statement(_ type: SignedType, about config: [UInt8]? = nil) throws -> SignedBody {
    let body = try body(of: type, about: config)
    let signers = type == .release ? authority.release : authority.fresh
    return SignedBody(
      body: body, signatures: try signers.map { try $0.signature(of: body, as: type) })
  }

  /// Returns a signed config with other bytes inside than those of `config`.
  package func envelope(of config: [UInt8]) throws -> [UInt8] {
    try Envelope(
      config: config, release: statement(.release, about: config),
      fresh: statement(.fresh, about: config), documents: documents
    ).encoded(as: format)
  }

  /// Returns the signed config, with statements that a test may have changed.
  package func envelope(release: SignedBody? = nil, fresh: SignedBody? = nil) throws -> [UInt8] {
    try Envelope(
      config: configBytes(), release: release ?? statement(.release),
      fresh: fresh ?? statement(.fresh), documents: documents
    ).encoded(as: format)
  }
}

extension TrustMemory {
  /// Verifies a config of the shop's channel some days from now.
  package mutating func verify(
    _ bytes: [UInt8], days: Double = 0, checkingExpiry: Bool = true
  ) throws(TrustError) -> VerifiedConfig {
    try verify(
      bytes, of: "shop", channel: "production", at: TestPublisher.instant(days: days),
      checkingExpiry: checkingExpiry)
  }
}
