/// An MD5 hash (RFC 1321) of bytes that arrive piece by piece.
///
/// S3 requires it as a checksum. It finds damage, but does not withstand an attacker.
package struct MD5: Sendable {
  private var context = MD5Context()

  /// A hash of no bytes yet.
  package init() {}

  /// Returns the 16 bytes of the hash of some bytes.
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
