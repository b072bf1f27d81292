/// An incremental MD5 hash (RFC 1321).
///
/// S3 requires MD5 as a checksum. It detects damage, but does not withstand an attacker.
package struct MD5: Sendable {
  private var context = MD5Context()

  /// Creates a hash of no bytes.
  package init() {}

  /// Returns the 16 bytes of the hash of an input.
  package static func hash(of bytes: [UInt8]) -> [UInt8] {
    var hash = MD5()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finalize()
  }

  /// Adds the next bytes of the input.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    context.update(bufferPointer: bytes)
  }

  /// Returns the 16 bytes of the hash of all bytes so far; more bytes may follow.
  package func finalize() -> [UInt8] { Array(context.finalize()) }
}
