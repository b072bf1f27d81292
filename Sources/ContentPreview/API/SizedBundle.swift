import ContentModel

/// The sizes of an object that readers fetch.
struct SizedObject: Sendable {
  var digest: Digest
  var bytes: Int
  /// The number of bytes with compression, if that is smaller.
  var gzip: Int
}

/// A bundle in some contexts.
///
/// The objects of a split bundle are its list, then its parts.
struct SizedBundle: Sendable {
  var name: String
  var format: PropertyListFormat
  var entries: Int
  var objects: [SizedObject] = []
  /// `true` if the index includes the bundle.
  var isStartup = false
  var isSplit = false

  init(name: String, format: PropertyListFormat, entries: Int) {
    (self.name, self.format, self.entries) = (name, format, entries)
  }
}

/// All bundles of one locale and device.
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
  /// The number of bytes of the entry as compact JSON.
  var bytes: Int
}
