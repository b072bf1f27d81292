import ContentModel
import ContentTrust
import Hashing
import PropertyLists

/// A publisher who signs configs, and an attacker who has some of the keys.
///
/// A test changes what is signed before it asks for a config.
struct TestPublisher {
  /// The time at which everything is signed: 2027-01-15T08:00:00Z.
  static let now = Instant(secondsSince1970: 1_800_000_000)

  /// The keys of each role, with its threshold.
  struct Authority {
    var keys: [TestKey]
    var release: [TestKey]
    var fresh: [TestKey]
    var thresholds = (keys: 1, release: 1, fresh: 1)
  }

  var authority: Authority
  /// The members of the newest key document, of both statements, and of the config.
  var document: Members
  var release: Members
  var fresh: Members
  var config: Members
  /// The key documents from version 2.
  var documents: [SignedBody] = []
  var format = PropertyListFormat.binary

  init() throws {
    authority = Authority(
      keys: [try TestKey(1)], release: [try TestKey(2)], fresh: [try TestKey(3)])
    config = ["app": "shop", "channel": "production", "format": 1, "release": 5]
    document = [
      "app": "shop", "channels": ["production"], "format": 1, "version": 1,
      "issued": Self.time(days: -10), "expires": Self.time(days: 355),
    ]
    release = [
      "app": "shop", "channel": "production", "format": 1, "release": 5, "keys": 1,
      "issued": Self.time(days: 0),
    ]
    fresh = [
      "app": "shop", "channel": "production", "format": 1, "release": 5, "keys": 1,
      "issued": Self.time(days: 0), "expires": Self.time(days: 14),
    ]
  }

  /// Returns the time some days from now.
  static func instant(days: Double) -> Instant {
    Instant(secondsSinceReferenceDate: now.secondsSinceReferenceDate + days * 86_400)
  }

  /// Returns the text of the time some days from now.
  static func time(days: Double) -> Value { .string(instant(days: days).rfc3339) }

  /// Makes this another release.
  mutating func number(_ release: Int) {
    for members in [\Self.config, \.release, \.fresh] {
      self[keyPath: members]["release"] = .integer(Int64(release))
    }
  }

  // MARK: Key documents

  /// Returns the text of the newest key document.
  func documentBody() throws -> [UInt8] {
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
  func keyDocument(signedBy signers: [TestKey]? = nil) throws -> SignedBody {
    let body = try documentBody()
    return SignedBody(
      body: body,
      signatures: try (signers ?? authority.keys).map { try $0.signature(of: body, as: .keys) })
  }

  /// Rotates: adds a key document that the keys before it sign, too.
  ///
  /// A recovery stays in later documents.
  mutating func rotate(
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
  func memory() throws -> TrustMemory {
    TrustMemory(pinned: try KeyDocument(try keyDocument()))
  }

  /// Returns the bytes of the config that is signed.
  func configBytes() throws -> [UInt8] {
    try PropertyList.encode(.dictionary(config), as: format)
  }

  /// Returns the text of a statement, which names the config unless the test chose its members.
  func body(of type: SignedType) throws -> [UInt8] {
    let bytes = try configBytes()
    var members = type == .release ? release : fresh
    members["config"] = members["config"] ?? .string(Digest(of: bytes).hex)
    if type == .release { members["size"] = members["size"] ?? .integer(Int64(bytes.count)) }
    return try PropertyList.encode(.dictionary(members), as: .json)
  }

  /// Returns a statement that the keys of its role sign.
  func statement(_ type: SignedType) throws -> SignedBody {
    let body = try body(of: type)
    let signers = type == .release ? authority.release : authority.fresh
    return SignedBody(
      body: body, signatures: try signers.map { try $0.signature(of: body, as: type) })
  }

  /// Returns the signed config, with statements that a test may have changed.
  func envelope(release: SignedBody? = nil, fresh: SignedBody? = nil) throws -> [UInt8] {
    try Envelope(
      config: configBytes(), release: release ?? statement(.release),
      fresh: fresh ?? statement(.fresh), documents: documents
    ).encoded(as: format)
  }
}

extension TrustMemory {
  /// Verifies a config of the shop's channel some days from now.
  mutating func verify(
    _ bytes: [UInt8], days: Double = 0, checkingExpiry: Bool = true
  ) throws(TrustError) -> VerifiedConfig {
    try verify(
      bytes, of: "shop", channel: "production", at: TestPublisher.instant(days: days),
      checkingExpiry: checkingExpiry)
  }
}
