import ContentModel
import Hashing

/// The headers that libcurl would not write, or would write otherwise.
struct RequestHeaders: Sendable {
  private let lines: [String]
  private let isSigned: Bool

  init(_ address: CacheAddress, _ access: CacheAccess) {
    var lines = ["Content-Type: application/octet-stream"]
    if let value = access.authorization { lines.append("Authorization: \(value)") }
    isSigned = address.isBucket && access.bucket != nil
    if isSigned, let token = access.bucket?.token { lines.append("x-amz-security-token: \(token)") }
    // Bytes are sent without asking first; but libcurl would sign this line, and not send it.
    if !isSigned { lines.append("Expect:") }
    self.lines = lines
  }

  /// The headers of a request with these bytes.
  ///
  /// Signature Version 4 asks for the bytes' hash as a header; libcurl 7.88 signs it, but does not
  /// send it by itself.
  func lines(sending bytes: [UInt8]) -> [String] {
    guard isSigned else { return lines }
    return lines + ["x-amz-content-sha256: \(Digest(of: bytes))"]
  }
}
