import ContentModel
import ContentSource

/// The name of an object in an exported preview.
enum ExportedObject {
  /// The extensions of files that every web server sends with a type in which no browser runs
  /// scripts.
  static let plainEndings = [
    "gif", "jpeg", "jpg", "json", "m4a", "m4v", "mov", "mp3", "mp4", "ogg", "plist", "png", "wav",
    "webm", "webp",
  ]

  /// Returns the path of an object.
  ///
  /// Any other file than those of `plainEndings` gets a second extension. A server then sends bytes
  /// without a type, which browsers only save: a stranger's SVG or HTML must not run with the rights
  /// of the site's own pages.
  static func path(_ key: String) -> String {
    plainEndings.contains(BuildFiles.fileExtension(of: key)) ? key : "\(key).bin"
  }
}
