import ContentModel

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// An Ed25519 public key (RFC 8032).
package struct PublicKey: Hashable, Sendable {
  /// The number of bytes of a key.
  package static let byteCount = 32
  /// The number of bytes of a signature.
  package static let signatureByteCount = 64

  /// The 32 bytes.
  package let bytes: [UInt8]

  /// Creates a key from its 32 bytes; `nil` for any other count.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// The name of the key.
  package var id: KeyID { KeyID(of: self) }

  /// Returns `true` if 64 bytes are this key's signature of a message.
  ///
  /// Bytes that are no signature, and a key that is no point of the curve, make it `false`.
  package func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard signature.count == Self.signatureByteCount else { return false }
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else {
        return false
      }
      return key.isValidSignature(signature, for: message)
    #else
      guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count) else {
        return false
      }
      defer { EVP_PKEY_free(key) }
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
        && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    #endif
  }
}
