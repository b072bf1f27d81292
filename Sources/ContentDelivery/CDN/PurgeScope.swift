/// What caches are to forget.
///
/// The URLs are all of it. A cache that cannot take so many of them in good time takes what covers them: the prefix, the
/// keys where its origin sends any, or everything.
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
    (self.urls, self.keys, self.prefix, self.variesByEncoding) = (urls, keys, prefix, variesByEncoding)
  }
}
