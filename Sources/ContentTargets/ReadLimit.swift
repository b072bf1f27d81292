import ContentModel

/// The most bytes that contentc reads of a file at a target, by the kind of file that its key
/// names.
///
/// contentc writes no larger files of these kinds. Another program wrote a larger one, which could
/// take all memory.
package enum ReadLimit {
  /// Of a channel's config; a build warns above 16 kB.
  package static let config = 1 << 20
  /// Of a release's record: about 600,000 objects.
  package static let record = 64 << 20
  /// Of a purge's manifest.
  static let manifest = 64 << 20
  /// Of the file in which a prune keeps its marks for the next one.
  static let marks = 64 << 20
  /// The key of that file.
  package static let marksKey = "prune/marks.plist"
  /// Of a lock, a probe, and rules for hosts.
  static let small = 1 << 20
  /// Of an object that is read as a whole; larger assets are copied piece by piece.
  static let object = 1 << 30

  /// The limit of the file that a key names.
  package static func bytes(of key: String) -> Int {
    let parts = key.utf8.split(separator: UInt8(ascii: "/"))
    if parts.count == 2, parts[1].starts(with: "config.".utf8) { return config }
    if key.hasSameBytes(as: marksKey) { return marks }
    if parts.count == 3 {
      if parts[0].elementsEqual("objects".utf8) { return object }
      if parts[1].elementsEqual("releases".utf8) { return record }
      if parts[1].elementsEqual("purges".utf8) { return manifest }
    }
    return parts.count > 3 ? object : small
  }
}

extension TargetError {
  /// A file that has more bytes than contentc reads.
  init(tooLarge key: String, at target: String, size: Int? = nil) {
    let size = size.map { "has \($0) bytes" } ?? "is too large"
    self.init(
      .tooLarge,
      "'\(key)' at \(target) \(size), and contentc reads at most \(ReadLimit.bytes(of: key)) of such a file: "
        + "something else wrote it; remove it, or put the file of a backup back")
  }
}
