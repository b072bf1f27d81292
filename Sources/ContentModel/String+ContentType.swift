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
    case "mp4", "m4v": "video/mp4"
    case "webm": "video/webm"
    case "mov": "video/quicktime"
    case "mp3": "audio/mpeg"
    case "m4a": "audio/mp4"
    case "aac": "audio/aac"
    case "wav": "audio/wav"
    case "ogg", "oga", "opus": "audio/ogg"
    case "flac": "audio/flac"
    case "vtt": "text/vtt; charset=utf-8"
    case "ttf": "font/ttf"
    case "otf": "font/otf"
    case "woff2": "font/woff2"
    case "html": "text/html; charset=utf-8"
    case "css": "text/css; charset=utf-8"
    case "csv": "text/csv; charset=utf-8"
    case "txt": "text/plain; charset=utf-8"
    default: "application/octet-stream"
    }
  }
}
