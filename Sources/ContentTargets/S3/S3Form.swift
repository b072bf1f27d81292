import Hashing
import ContentModel
import ContentStore

/// The stored form of a file in a bucket.
struct S3Form {
  let body: FileBody
  let isGzip: Bool
  private let file: FileHeaders
  private let checksum: [UInt8]

  /// A bucket cannot choose between two copies: what there is compressed is stored so, under the
  /// plain name.
  ///
  /// - Throws: `StoreError` where its file cannot be read, or changed.
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

  /// The headers of the request; with the checksum, S3 refuses a body that arrives damaged or
  /// incomplete.
  var headers: [(name: String, value: String)] {
    var headers = [
      ("Cache-Control", file.cacheControl), ("Content-MD5", checksum.base64),
      ("Content-Type", file.contentType),
    ]
    if isGzip { headers.append(("Content-Encoding", "gzip")) }
    // S3 keeps no such header under its own name; a CDN's rules can read it under this one.
    if let value = file.cdnCacheControl { headers.append(("x-amz-meta-cdn-cache-control", value)) }
    return headers
  }

  /// The `ETag` that S3 computes for bytes that were sent in one part, unless it encrypts with keys
  /// of its own.
  var tag: String {
    let digits = checksum.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return "\"\(digits.joined())\""
  }
}
