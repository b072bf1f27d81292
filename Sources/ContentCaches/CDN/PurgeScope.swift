package import ContentModel

/// What caches are to forget.
///
/// The URLs are all of it. A cache that cannot take so many of them in good time takes what covers
/// them: the prefix, the keys where its origin sends any, or everything.
package struct PurgeScope: Hashable, Sendable {
  /// Absolute, as readers ask for them.
  package var urls: [String]
  /// The surrogate keys of `[a-z0-9-]` that the answers at these URLs carry, and perhaps others.
  package var keys: [String]
  /// What all the URLs begin with; ends with `/`.
  package var prefix: String
  /// Whether a cache may hold an answer at these URLs once for each `Accept-Encoding`.
  package var variesByEncoding: Bool

  package init(urls: [String], keys: [String], prefix: String, variesByEncoding: Bool = true) {
    (self.urls, self.keys, self.prefix, self.variesByEncoding) = (
      urls, keys, prefix, variesByEncoding
    )
  }
}

extension PurgeScope {
  /// A channel's config at a public address.
  package static func config(
    app: String, channel: String, format: PropertyListFormat, at site: String
  ) -> PurgeScope {
    PurgeScope(
      urls: ["\(site)/\(channel)/config.\(format.fileExtension)"],
      keys: [configKey(app: app, channel: channel)],
      prefix: "\(site)/\(channel)/")
  }

  /// Objects of an app, by their keys at the target, at a public address.
  package static func objects(_ keys: [String], app: String, at site: String) -> PurgeScope {
    PurgeScope(
      urls: keys.map { "\(site)/\($0)" }, keys: [objectsKey(app: app)],
      prefix: "\(site)/objects/")
  }

  /// The surrogate key of a channel's config.
  static func configKey(app: String, channel: String) -> String { "\(app)-\(channel)-config" }

  /// The surrogate key that all objects of an app bear.
  static func objectsKey(app: String) -> String { "\(app)-objects" }
}
