import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import SharedGzip
import System

/// An object in the form that a release stores.
struct SampleObject: Sendable {
  let key: String
  let bytes: [UInt8]
  let file: OutgoingFile

  init(_ text: String) throws {
    bytes = Array(text.utf8)
    let name = Self.name(of: bytes)
    key = "objects/\(name.prefix(2))/\(name).plist"
    file = OutgoingFile(
      bytes: bytes, compressed: try GzipCompressor().compress(bytes),
      headers: FileHeaders(
        contentType: "application/x-plist", cacheControl: "public, max-age=31536000, immutable"))
  }

  /// Returns the hexadecimal digest that names the bytes.
  static func name(of bytes: [UInt8]) -> String {
    Digest(of: bytes).hex
  }
}

extension OutgoingFile {
  /// Returns a channel's config.
  static func config(_ text: String) -> OutgoingFile {
    OutgoingFile(
      bytes: Array(text.utf8),
      headers: FileHeaders(contentType: "application/x-plist", cacheControl: "public, max-age=60"))
  }
}
