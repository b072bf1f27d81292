import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import TestServers
import Testing

@testable import ContentReleases

/// A channel that one key signs.
struct SignedPlace: Sendable {
  /// The time at which the channel signs at first, unless a test needs that of the system's clock.
  static let start = Instant(secondsSince1970: 1_800_000_000)

  let start: Instant
  let memory = MemoryTarget()
  let document: KeyDocument
  let secret: SecretKey

  init(at start: Instant = start) throws {
    self.start = start
    secret = try #require(SecretKey.random())
    let id = "\(secret.publicKey.id)"
    let role: Value = ["threshold": 1, "keys": [.string(id)]]
    let members: Members = [
      "format": 1, "app": "shop", "channels": ["production"], "version": 1,
      "issued": .string(Self.instant(days: -14, after: start).rfc3339),
      "expires": .string(Self.instant(days: 351, after: start).rfc3339),
      "keys": .dictionary(
        Members([
          (
            id,
            [
              "algorithm": "ed25519", "public": .string(secret.publicKey.bytes.base64),
            ] as Value
          )
        ])),
      "roles": ["keys": role, "release": role, "fresh": role],
    ]
    let body = try PropertyList.encode(.dictionary(members), as: .json)
    document = try KeyDocument(Self.signed(body, .keys, by: secret))
  }

  private static func instant(days: Double, after start: Instant) -> Instant {
    Instant(secondsSinceReferenceDate: start.secondsSinceReferenceDate + days * 86_400)
  }

  static func signed(
    _ body: [UInt8], _ type: SignedType, by secret: SecretKey
  ) throws -> SignedBody {
    let bytes = try #require(secret.signature(of: type.encoding(of: body)))
    return SignedBody(
      body: body, signatures: [KeySignature(key: secret.publicKey.id, bytes: bytes)])
  }

  /// The channel at a target, some seconds later.
  func place(_ target: (any Target)? = nil, after seconds: Double = 0) -> ChannelPlace {
    var place = ChannelPlace(target ?? memory)
    let now = Instant(
      secondsSinceReferenceDate: start.secondsSinceReferenceDate + seconds)
    place.signing = ChannelSigning([document], validFor: .days(14), now: { now }) {
      [secret] body, type, _, _ in try Self.signed(body, type, by: secret)
    }
    return place
  }

  /// Returns any config, signed as a release with its number.
  func sealed(_ config: [UInt8]) throws -> [UInt8] {
    let number = try PropertyList.decode(config).value["release"]?.number
    let release = ReleaseStatement(
      app: "shop", channel: "production", release: number ?? 1, issued: start,
      config: Digest(of: config), size: config.count, keys: 1)
    let fresh = FreshStatement(
      about: release, issued: start, expires: Self.instant(days: 14, after: start))
    return try Envelope(
      config: config, release: Self.signed(release.body(), .release, by: secret),
      fresh: Self.signed(fresh.body(), .fresh, by: secret), documents: []
    ).encoded(as: .binary)
  }

  /// Writes the key document into a folder, and returns the path of the file that an app pins.
  func pin(in folder: ScratchFolder) throws -> String {
    try folder.write("1.json", document.signed.file())
    return folder.path("1.json")
  }

  /// Verifies what is served as an app does, and returns its release.
  func verified() throws -> VerifiedConfig {
    let bytes = try #require(memory.read("production/config.plist")).bytes
    var memory = TrustMemory(pinned: document)
    return try memory.verify(bytes, of: "shop", channel: "production", at: start)
  }
}
