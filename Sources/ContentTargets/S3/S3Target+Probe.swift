import ContentModel
import Platform

extension S3Target {
  /// Returns whether the server refuses a second creation, and the replacement of a missing
  /// version.
  func probe() throws(TargetError) -> Bool {
    let key = ".probe/\(hex(bucket.environment.random()))\(hex(bucket.environment.random()))"
    let holds = try refuses(key)
    // The credentials may allow writing without removing.
    try? remove(key)
    return holds
  }

  private func refuses(_ key: String) throws(TargetError) -> Bool {
    // The bytes differ, so that no write can be taken for another.
    guard try create(key, as: probe("1")) else { return false }
    guard try !create(key, as: probe("2")) else { return false }
    return try !replace(key, with: probe("3"), tagged: "\"00000000000000000000000000000000\"")
  }

  private func probe(_ text: String) -> OutgoingFile {
    OutgoingFile(
      bytes: Array(text.utf8),
      headers: FileHeaders(contentType: "text/plain", cacheControl: "no-store"))
  }

  private func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
