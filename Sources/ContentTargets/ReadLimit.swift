import ContentModel

/// The largest sizes that contentc reads of files at a target, by kind; the key of a file tells its
/// kind.
///
/// contentc writes no larger files of these kinds: a larger one is foreign, and could take all
/// memory.
package enum ReadLimit {
  /// The limit of a channel's config; a build warns above 16 kB.
  package static let config = 1 << 20
  /// The limit of a release's record: about 600,000 objects.
  package static let record = 64 << 20
  /// The limit of each file of a purge: about 600,000 objects.
  static let purge = 64 << 20
  /// The limit of the file in which a prune keeps its marks for the next one.
  static let marks = 64 << 20
  /// The key of the file with a prune's marks.
  package static let marksKey = "prune/marks.plist"
  /// The limit of a lock, a probe, and the rules for hosts.
  static let small = 1 << 20
  /// The limit of an object that is read as a whole; larger assets are copied piece by piece.
  static let object = 1 << 30
  /// The limit of the recipe of a bundle, `Recipe.maximumSize`.
  static let recipe = 4 << 20
  /// The limit of an object that is a property list, as many bytes as a client loads for a release.
  ///
  /// A gzip file can decode to a thousand times its bytes.
  package static let propertyList = 256 << 20

  /// Returns the limit of the file with a key.
  package static func bytes(of key: String) -> Int {
    let parts = key.utf8.split(separator: UInt8(ascii: "/"))
    if parts.count == 2, parts[1].starts(with: "config.".utf8) { return config }
    if key.hasSameBytes(as: marksKey) { return marks }
    if (3...4).contains(parts.count), parts[1].elementsEqual("purges".utf8) { return purge }
    if parts.count == 3 {
      if parts[0].elementsEqual("objects".utf8) {
        if key.hasByteSuffix(".bundletext") { return recipe }
        return key.hasByteSuffix(".plist") || key.hasByteSuffix(".json") ? propertyList : object
      }
      if parts[1].elementsEqual("releases".utf8) { return record }
    }
    return parts.count > 3 ? object : small
  }
}

extension TargetError {
  /// Describes a file that is larger than its limit.
  init(tooLarge key: String, at target: String, size: Int? = nil) {
    let size = size.map { "has \($0) bytes" } ?? "is too large"
    self.init(
      .tooLarge,
      "'\(key)' at \(target) \(size), and contentc reads at most \(ReadLimit.bytes(of: key)) of such a file: "
        + "something else wrote it; remove it, or put the file of a backup back")
  }
}
