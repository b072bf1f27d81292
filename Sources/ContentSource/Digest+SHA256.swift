package import ContentModel
import Crypto

extension ContentModel.Digest {
  /// The SHA-256 of some bytes.
  package init(of bytes: [UInt8]) {
    self = bytes.withUnsafeBytes(Self.init(of:))
  }

  /// The SHA-256 of bytes that belong to someone else.
  package init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    guard let digest = hash.finalize().withUnsafeBytes(Self.init(raw:)) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    self = digest
  }
}
