/// The media types of files by extension (IANA's registry).
package enum MediaType {
  /// The types with their file extensions, in lower case and without a dot.
  package static let all: [(type: String, endings: [String])] = [
    ("application/x-plist", ["plist"]), ("application/json", ["json", "bundletext"]),
    ("application/pdf", ["pdf"]), ("image/png", ["png"]), ("image/jpeg", ["jpg", "jpeg"]),
    ("image/gif", ["gif"]), ("image/webp", ["webp"]), ("image/avif", ["avif"]),
    ("image/heic", ["heic"]), ("image/svg+xml", ["svg"]), ("audio/mpeg", ["mp3"]),
    ("audio/mp4", ["m4a"]), ("audio/aac", ["aac"]), ("audio/wav", ["wav"]),
    ("audio/ogg", ["ogg", "oga", "opus"]), ("audio/flac", ["flac"]),
    ("video/mp4", ["mp4", "m4v"]), ("video/webm", ["webm"]), ("video/quicktime", ["mov"]),
    ("font/ttf", ["ttf"]), ("font/otf", ["otf"]), ("font/woff2", ["woff2"]),
    ("text/plain", ["txt"]), ("text/vtt", ["vtt"]), ("text/html", ["html"]),
    ("text/css", ["css"]), ("text/csv", ["csv"]),
  ]

  private static let types = Dictionary(
    firstOf: all.flatMap { row in row.endings.map { ($0, row.type) } })

  /// Returns the type of files with an extension; `application/octet-stream` for an unknown one.
  package static func of(ending: String) -> String { types[ending] ?? "application/octet-stream" }

  /// Returns the value of `Content-Type` for a type; text files are UTF-8.
  package static func header(_ type: String) -> String {
    type.hasBytePrefix("text/") ? "\(type); charset=utf-8" : type
  }
}

extension String {
  /// Returns the value of `Content-Type` for files with an extension.
  package static func contentType(of fileExtension: String) -> String {
    MediaType.header(MediaType.of(ending: fileExtension))
  }

  /// The value of `Cache-Control` for files that never change (RFC 8246).
  package static let forever = "public, max-age=31536000, immutable"
}
