extension String {
  /// The media type of a file.
  package static func contentType(of fileExtension: String) -> String {
    switch fileExtension {
    case "plist": "application/x-plist"
    case "json": "application/json"
    case "png": "image/png"
    case "jpg", "jpeg": "image/jpeg"
    case "gif": "image/gif"
    case "webp": "image/webp"
    case "avif": "image/avif"
    case "heic": "image/heic"
    case "svg": "image/svg+xml"
    case "pdf": "application/pdf"
    case "mp4": "video/mp4"
    case "txt": "text/plain; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}
