import System

/// A key whose file is inside the target's folder.
struct FolderKey: Hashable {
  let text: String
  /// The names of the folders on the way to the file.
  let folders: [Substring]
  let name: Substring

  /// The prefix of contentc's own file names in a target; no file of a release has it.
  static let reserved = ".contentc"
  /// The ending by which a server finds the compressed copy (nginx `gzip_static`, Caddy
  /// `precompressed`).
  static let compressedEnding = ".gz"

  /// Splits a key.
  ///
  /// - Throws: `.invalidPath` if it breaks the rules of `Target`.
  init(_ text: String) throws(StoreError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, parts.allSatisfy(Self.isPlain) else { throw .invalidPath(text) }
    (self.text, self.folders, self.name) = (text, Array(parts.dropLast()), name)
  }

  static func isPlain(_ part: Substring) -> Bool {
    // The compressed copy's name must fit in 255 bytes, too.
    part != "." && part != ".." && (1...252).contains(part.utf8.count) && !part.hasPrefix(reserved)
      && part.utf8.allSatisfy(isPlain)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
