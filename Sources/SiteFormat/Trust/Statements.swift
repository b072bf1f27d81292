package import ContentModel
import PropertyLists

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

  package init(
    app: String, channel: String, release: Int, issued: Instant, config: Digest, size: Int,
    keys: Int
  ) {
    (self.app, self.channel, self.release) = (app, channel, release)
    (self.issued, self.config, self.size, self.keys) = (issued, config, size, keys)
  }

  /// Reads the text of a statement.
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

  /// Returns the text to sign, with sorted keys and without spaces.
  ///
  /// - Throws: `PropertyListEncodingError`.
  package func body() throws -> [UInt8] {
    let members: Members = [
      "format": 1, "app": .string(app), "channel": .string(channel),
      "release": .integer(Int64(release)), "issued": .string(issued.rfc3339),
      "config": .string(config.hex), "size": .integer(Int64(size)), "keys": .integer(Int64(keys)),
    ]
    return try PropertyList.encode(.dictionary(members), as: .json)
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
  /// The time after which readers do not accept the statement.
  package let expires: Instant
  /// The version of the newest key document when this was signed.
  package let keys: Int

  /// Creates the statement about a release; `keys` is the version of the newest key document, or `nil`
  /// for that of the release.
  package init(
    about release: ReleaseStatement, issued: Instant, expires: Instant, keys: Int? = nil
  ) {
    (app, channel, self.release) = (release.app, release.channel, release.release)
    (config, self.keys) = (release.config, keys ?? release.keys)
    (self.issued, self.expires) = (issued, expires)
  }

  /// Reads the text of a statement.
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

  /// Returns the text to sign, with sorted keys and without spaces.
  ///
  /// - Throws: `PropertyListEncodingError`.
  package func body() throws -> [UInt8] {
    let members: Members = [
      "format": 1, "app": .string(app), "channel": .string(channel),
      "release": .integer(Int64(release)), "config": .string(config.hex),
      "issued": .string(issued.rfc3339), "expires": .string(expires.rfc3339),
      "keys": .integer(Int64(keys)),
    ]
    return try PropertyList.encode(.dictionary(members), as: .json)
  }
}
