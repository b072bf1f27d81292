import ContentSource

/// Media types by a file's ending (IANA's registry).
enum MediaType {
  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml", "heic": "image/heic", "pdf": "application/pdf", "json": "application/json",
    "txt": "text/plain", "mp3": "audio/mpeg", "m4a": "audio/mp4", "aac": "audio/aac", "wav": "audio/wav",
    "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac", "mp4": "video/mp4",
    "m4v": "video/mp4", "webm": "video/webm", "mov": "video/quicktime", "vtt": "text/vtt", "avif": "image/avif",
    "ttf": "font/ttf", "otf": "font/otf", "woff2": "font/woff2", "html": "text/html", "css": "text/css",
    "csv": "text/csv",
  ]

  /// The type of a file; `application/octet-stream` for an ending that is not known.
  static func of(_ path: String) -> String {
    Asset.fileExtension(of: path).flatMap { types[$0] } ?? "application/octet-stream"
  }

  /// Whether width and height are read from files of a type.
  static func isMeasured(_ type: String) -> Bool {
    ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"].contains(type)
  }
}
