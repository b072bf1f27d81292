package import ContentModel

/// The files that caches must forget.
///
/// The URLs are the complete scope. A cache that cannot take all of them in time takes a selector
/// that covers them: the prefix, the keys if its origin sends any, or everything.
package struct PurgeScope: Hashable, Sendable {
  /// The absolute URLs, as readers request them.
  package var urls: [String]
  /// The surrogate keys of `[a-z0-9-]` that the answers at these URLs carry, and perhaps others.
  package var keys: [String]
  /// The common prefix of all URLs; ends with `/`.
  package var prefix: String
  /// `true` if a cache may hold a separate answer for each `Accept-Encoding`.
  package var variesByEncoding: Bool

  package init(urls: [String], keys: [String], prefix: String, variesByEncoding: Bool = true) {
    (self.urls, self.keys, self.prefix, self.variesByEncoding) = (
      urls, keys, prefix, variesByEncoding
    )
  }
}

extension PurgeScope {
  /// Returns the scope of a channel's config at a public address.
  package static func config(
    app: String, channel: String, format: PropertyListFormat, at site: String
  ) -> PurgeScope {
    PurgeScope(
      urls: ["\(site)/\(channel)/config.\(format.fileExtension)"],
      keys: [configKey(app: app, channel: channel)],
      prefix: "\(site)/\(channel)/")
  }

  /// Returns the scope of objects of an app, from their keys at the target, at a public address.
  package static func objects(_ keys: [String], app: String, at site: String) -> PurgeScope {
    PurgeScope(
      urls: keys.map { "\(site)/\($0)" }, keys: [objectsKey(app: app)],
      prefix: "\(site)/objects/")
  }

  /// Returns the surrogate key of a channel's config.
  static func configKey(app: String, channel: String) -> String { "\(app)-\(channel)-config" }

  /// Returns the surrogate key of all objects of an app.
  static func objectsKey(app: String) -> String { "\(app)-objects" }
}

extension [String] {
  /// The URLs, paths or keys of a scope, each once.
  package var distinct: [String] {
    var known: Set<String> = []
    return filter { known.insert($0).inserted }
  }
}
