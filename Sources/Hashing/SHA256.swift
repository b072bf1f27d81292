package import ContentModel

/// A SHA-256 hash (FIPS 180-4) of bytes that arrive piece by piece.
package struct SHA256: Sendable {
  private var context = SHA256Context()

  /// A hash of no bytes yet.
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
  /// The SHA-256 of some bytes.
  package init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBytes(Self.init(of:))
  }

  /// The SHA-256 of bytes in borrowed memory.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bytes)
    self = hash.finalize()
  }
}
