import ContentModel

/// A file of the build that readers fetch.
struct SizedObject: Sendable {
  var digest: Digest
  /// As it is, and packed if that is smaller.
  var bytes: Int
  var gzip: Int
}

/// A bundle in some contexts; a split one with its list, which comes first, and all parts.
struct SizedBundle: Sendable {
  var name: String
  var format: PropertyListFormat
  var entries: Int
  var objects: [SizedObject] = []
  /// Whether the index carries it, too.
  var isStartup = false
  var isSplit = false

  init(name: String, format: PropertyListFormat, entries: Int) {
    (self.name, self.format, self.entries) = (name, format, entries)
  }
}

/// What one locale and device fetches for everything.
struct SizedContext: Sendable {
  var locale: String
  var device: String
  var bundles: [SizedBundle]

  var name: String { "\(locale)/\(device)" }
  var objects: [SizedObject] { bundles.flatMap(\.objects) }
}

/// An entry, and the bundle in which it takes the most room.
struct LargeEntry: Sendable {
  var entry: String
  var bundle: String
  /// Of the entry as compact JSON.
  var bytes: Int
}
