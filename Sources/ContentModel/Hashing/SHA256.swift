/// An incremental SHA-256 hash (FIPS 180-4).
package struct SHA256: Sendable {
  private var context = SHA256Context()

  /// Creates a hash of no bytes.
  package init() {}

  /// Adds the next bytes of the input.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    context.update(bufferPointer: bytes)
  }

  /// Returns the hash of all bytes so far; more bytes may follow.
  package func finalize() -> Digest {
    guard let digest = Digest(bytes: context.finalize()) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return digest
  }
}

extension Digest {
  /// Creates the SHA-256 digest of bytes.
  package init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBytes(Self.init(of:))
  }

  /// Creates the SHA-256 digest of bytes in borrowed memory.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bytes)
    self = hash.finalize()
  }
}
