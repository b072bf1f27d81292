package import ContentModel
import Crypto

extension ContentModel.Digest {
  /// The SHA-256 of some bytes.
  package init(sha256 bytes: [UInt8]) {
    guard let digest = Self(bytes: SHA256.hash(data: bytes)) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    self = digest
  }
}
