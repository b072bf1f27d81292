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

  /// Creates a key from its 32 bytes; `nil` for any other count, and for a weak key.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, !Self.isWeak(bytes) else { return nil }
    self.bytes = bytes
  }

  /// Returns whether anyone can sign for a key, or whether the key has a second form.
  ///
  /// Anyone can sign if the order of the key's point is 1, 2, 4 or 8. The key has a second form if
  /// its y is not below 2^255 - 19. Some libraries accept such keys, and others do not.
  private static func isWeak(_ bytes: [UInt8]) -> Bool {
    var y = bytes
    y[31] &= 0x7F
    let isReduced = y[0] < 0xED || y[31] != 0x7F || y[1..<31].contains { $0 != 0xFF }
    return !isReduced || smallOrders.contains(y)
  }

  /// The y of all points whose order divides 8.
  private static let smallOrders: [[UInt8]] = [
    Array(repeating: 0, count: 32), [1] + Array(repeating: 0, count: 31),
    [0xEC] + Array(repeating: 0xFF, count: 30) + [0x7F],
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98,
      0xF0,
      0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC,
      0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67,
      0x0F,
      0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03,
      0x7A,
    ],
  ]

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
