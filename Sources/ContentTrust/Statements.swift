package import ContentModel

/// A statement that a config is a release of a channel.
package struct ReleaseStatement: Hashable, Sendable {
  package let app: String
  package let channel: String
  package let release: Int
  package let issued: Instant
  /// The hash of the config's bytes.
  package let config: Digest
  /// The number of the config's bytes.
  package let size: Int
  /// The version of the newest key document when this was signed.
  package let keys: Int

  /// The most bytes of a statement.
  package static let byteLimit = 1_024

  package init(_ body: [UInt8]) throws(TrustError) {
    let reader = try BodyReader(body, as: .release, limit: Self.byteLimit)
    app = try reader.text("app")
    channel = try reader.text("channel")
    release = try reader.number("release")
    issued = try reader.instant("issued")
    config = try reader.digest("config")
    size = try reader.number("size")
    keys = try reader.number("keys")
  }
}

/// A statement that a config is still the newest one of a channel.
package struct FreshStatement: Hashable, Sendable {
  package let app: String
  package let channel: String
  package let release: Int
  /// The hash of the config's bytes.
  package let config: Digest
  package let issued: Instant
  /// The time after which this says nothing.
  package let expires: Instant
  /// The version of the newest key document when this was signed.
  package let keys: Int

  package init(_ body: [UInt8]) throws(TrustError) {
    let reader = try BodyReader(body, as: .fresh, limit: ReleaseStatement.byteLimit)
    app = try reader.text("app")
    channel = try reader.text("channel")
    release = try reader.number("release")
    config = try reader.digest("config")
    issued = try reader.instant("issued")
    expires = try reader.instant("expires")
    keys = try reader.number("keys")
  }
}
