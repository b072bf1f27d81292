import ContentModel
package import SiteFormat
import Testing

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// An Ed25519 key pair, made from a number.
package struct TestKey: Sendable {
  /// The 32 bytes of the secret key.
  private let seed: [UInt8]
  package let publicKey: PublicKey

  package init(_ number: Int) throws {
    seed = Digest(of: Array("key \(number)".utf8)).bytes
    publicKey = try Self.publicKey(of: seed)
  }

  package var id: KeyID { publicKey.id }

  #if canImport(CryptoKit)
    private static func publicKey(of seed: [UInt8]) throws -> PublicKey {
      let key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
      return try #require(PublicKey(bytes: Array(key.publicKey.rawRepresentation)))
    }

    package func sign(_ message: [UInt8]) throws -> [UInt8] {
      try Array(Curve25519.Signing.PrivateKey(rawRepresentation: seed).signature(for: message))
    }
  #else
    private static func publicKey(of seed: [UInt8]) throws -> PublicKey {
      let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
      defer { EVP_PKEY_free(key) }
      var count = PublicKey.byteCount
      var bytes = [UInt8](repeating: 0, count: count)
      try #require(EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1)
      return try #require(PublicKey(bytes: bytes))
    }

    package func sign(_ message: [UInt8]) throws -> [UInt8] {
      let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
      defer { EVP_PKEY_free(key) }
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var count = PublicKey.signatureByteCount
      var signature = [UInt8](repeating: 0, count: count)
      try #require(EVP_DigestSignInit(context, nil, nil, nil, key) == 1)
      try #require(EVP_DigestSign(context, &signature, &count, message, message.count) == 1)
      return signature
    }
  #endif

  /// Returns the signature of a body as a type.
  package func signature(of body: [UInt8], as type: SignedType) throws -> KeySignature {
    KeySignature(key: id, bytes: try sign(type.encoding(of: body)))
  }
}
