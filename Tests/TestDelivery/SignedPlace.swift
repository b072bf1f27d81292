import ContentModel
import ContentSigning
import ContentTargets
import ContentTrust
import PropertyLists
import TestServers
import Testing

@testable import ContentReleases

/// A channel that one key signs.
struct SignedPlace: Sendable {
  /// The time at which the channel signs at first.
  static let start = Instant(secondsSince1970: 1_800_000_000)

  let memory = MemoryTarget()
  let document: KeyDocument
  let secret: SecretKey

  init() throws {
    secret = try #require(SecretKey.random())
    let id = "\(secret.publicKey.id)"
    let role: Value = ["threshold": 1, "keys": [.string(id)]]
    let members: Members = [
      "format": 1, "app": "shop", "channels": ["production"], "version": 1,
      "issued": "2027-01-01T00:00:00Z", "expires": "2028-01-01T00:00:00Z",
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
      secondsSinceReferenceDate: Self.start.secondsSinceReferenceDate + seconds)
    place.signing = ChannelSigning([document], validFor: .days(14), now: { now }) {
      [secret] body, type, _, _ in try Self.signed(body, type, by: secret)
    }
    return place
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
    return try memory.verify(bytes, of: "shop", channel: "production", at: Self.start)
  }
}
