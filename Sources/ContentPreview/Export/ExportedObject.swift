import ContentModel
import ContentSource
import PropertyLists

/// The name of an object in an exported preview.
enum ExportedObject {
  /// The extensions of files that no web server sends with a type in which browsers run scripts.
  static let plainEndings = [
    "gif", "jpeg", "jpg", "json", "m4a", "m4v", "mov", "mp3", "mp4", "ogg", "plist", "png", "wav",
    "webm", "webp",
  ]

  /// Returns the path of an object.
  ///
  /// Any other file than those of `plainEndings` gets a second extension, and is compressed by gzip.
  /// A server then sends bytes without a type, which browsers only save: a stranger's SVG or HTML
  /// must not run with the rights of the site's own pages.
  static func path(_ key: String) -> String { isPlain(key) ? key : "\(key).bin" }

  /// Returns whether an object's file may have the object's own bytes.
  ///
  /// Some servers and browsers guess a type that they do not know from the first bytes, which must
  /// not be those of a page: they take white space and `<` for HTML or XML (WHATWG, "MIME Sniffing",
  /// section 7.1). An asset may have any bytes, whatever its extension is.
  static func isCopied(_ key: String, head: [UInt8], bytes: () -> [UInt8]?) -> Bool {
    guard isPlain(key) else { return false }
    let spaces = Array("\t\n\u{C}\r ".utf8)
    guard head.first(where: { !spaces.contains($0) }) == UInt8(ascii: "<") else { return true }
    // A property list as contentc writes it has no other elements, and no style sheet.
    return bytes().map { bytes in
      (try? PropertyList.encode(PropertyList.decode(bytes).value, as: .xml)) == bytes
    } ?? false
  }

  /// The number of first bytes that `isCopied` needs: no browser or server reads more.
  static let headLength = 2_048

  private static func isPlain(_ key: String) -> Bool {
    plainEndings.contains(BuildFiles.fileExtension(of: key))
  }
}
