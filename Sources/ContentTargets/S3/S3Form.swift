import ContentModel
import System

/// The stored form of a file in a bucket.
struct S3Form {
  let body: FileBody
  let isGzip: Bool
  private let file: FileHeaders
  private let checksum: [UInt8]

  /// Chooses the compressed copy if there is one, since a bucket cannot choose between two copies;
  /// it is stored under the plain name.
  ///
  /// - Throws: `StoreError` if the file cannot be read, or has changed.
  init(_ file: OutgoingFile, isIdentity: Bool) throws(StoreError) {
    let compressed = isIdentity ? nil : file.compressed
    body = compressed ?? file.body
    isGzip = compressed != nil
    self.file = file.headers
    switch body {
    case .bytes(let bytes): checksum = MD5.hash(of: bytes)
    case .file(let file): checksum = try file.md5()
    }
  }

  /// The headers of the request; because of the checksum, S3 refuses a body that arrives damaged or
  /// incomplete.
  var headers: [(name: String, value: String)] {
    var headers = [
      ("Cache-Control", file.cacheControl), ("Content-MD5", checksum.base64),
      ("Content-Type", file.contentType),
    ]
    if isGzip { headers.append(("Content-Encoding", "gzip")) }
    // S3 stores this header only as metadata; rules of a CDN can read it there.
    if let value = file.cdnCacheControl { headers.append(("x-amz-meta-cdn-cache-control", value)) }
    return headers
  }

  /// The `ETag` that S3 computes for a body that was sent in one part, unless S3 encrypts with keys
  /// of its own.
  var tag: String {
    let digits = checksum.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return "\"\(digits.joined())\""
  }
}
