import ContentModel
package import SiteFormat

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// An Ed25519 secret key (RFC 8032), whose bytes no message or log shows.
package struct SecretKey: Sendable {
  /// The 32 bytes from which the key is derived.
  private let seed: [UInt8]
  package let publicKey: PublicKey

  /// Creates a key from its 32 bytes; `nil` for any other count.
  init?(seed: [UInt8]) {
    guard seed.count == PublicKey.byteCount, let publicKey = Self.publicKey(of: seed) else {
      return nil
    }
    (self.seed, self.publicKey) = (seed, publicKey)
  }

  /// Creates a new key from the system's random numbers.
  package static func random() -> SecretKey? {
    var generator = SystemRandomNumberGenerator()
    return SecretKey(seed: (0..<PublicKey.byteCount).map { _ in generator.next() })
  }

  /// Returns the 64 bytes of the signature of a message; `nil` if libcrypto has no memory.
  package func signature(of message: [UInt8]) -> [UInt8]? {
    #if canImport(CryptoKit)
      guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
        return nil
      }
      return (try? key.signature(for: message)).map { Array($0) }
    #else
      guard let key = Self.key(seed) else { return nil }
      defer { EVP_PKEY_free(key) }
      let context = EVP_MD_CTX_new()
      defer { EVP_MD_CTX_free(context) }
      var count = PublicKey.signatureByteCount
      var signature = [UInt8](repeating: 0, count: count)
      guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
        EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
        count == PublicKey.signatureByteCount
      else { return nil }
      return signature
    #endif
  }

  private static func publicKey(of seed: [UInt8]) -> PublicKey? {
    #if canImport(CryptoKit)
      (try? Curve25519.Signing.PrivateKey(rawRepresentation: seed))
        .flatMap { PublicKey(bytes: Array($0.publicKey.rawRepresentation)) }
    #else
      guard let key = key(seed) else { return nil }
      defer { EVP_PKEY_free(key) }
      var count = PublicKey.byteCount
      var bytes = [UInt8](repeating: 0, count: count)
      guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { return nil }
      return PublicKey(bytes: bytes)
    #endif
  }

  #if !canImport(CryptoKit)
    private static func key(_ seed: [UInt8]) -> OpaquePointer? {
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count)
    }
  #endif
}

extension SecretKey: CustomStringConvertible, CustomReflectable {
  /// The name of the public key.
  package var description: String { "the secret key of \(publicKey.id)" }

  /// No members: a dump must not show the secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension SecretKey {
  /// The reason for which a text is no secret key; without any part of the text.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    case noPEM, encrypted, openSSH, publicKey, otherAlgorithm, otherPublicKey

    package var description: String {
      switch self {
      case .noPEM: "is no PEM file with a private key"
      case .encrypted: "is encrypted; use an agent, or decrypt it with 'openssl pkey'"
      case .openSSH:
        "has OpenSSH's own form; add it to an agent with 'ssh-add', and name its fingerprint"
      case .publicKey: "is a public key; the private one is needed"
      case .otherAlgorithm: "is no Ed25519 key; 'openssl genpkey -algorithm ed25519' makes one"
      case .otherPublicKey: "has a public key that does not belong to its private one"
      }
    }
  }

  /// The bytes before the key in PKCS#8 (RFC 5958) for Ed25519 (RFC 8410), after the length and the
  /// version: the algorithm 1.3.101.112, and an octet string that contains an octet string.
  private static let prefix: [UInt8] = [
    0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
  ]
  /// The bytes before the public key in version 2, as RFC 8410 and as the library ring write them.
  private static let publicPrefixes: [[UInt8]] = [
    [0x81, 0x21, 0x00], [0xA1, 0x23, 0x03, 0x21, 0x00],
  ]
  private static let label = "PRIVATE KEY"

  /// Reads a key from PKCS#8 in PEM (RFC 7468), as `openssl genpkey` writes it.
  package init(pem: [UInt8]) throws(Refusal) {
    let lines = String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingWhitespace }
    guard let first = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") }) else {
      throw .noPEM
    }
    switch lines[first].dropFirst("-----BEGIN ".count) {
    case "\(Self.label)-----": break
    case "ENCRYPTED PRIVATE KEY-----": throw .encrypted
    case "OPENSSH PRIVATE KEY-----": throw .openSSH
    case "PUBLIC KEY-----": throw .publicKey
    default: throw .otherAlgorithm
    }
    let body = lines[(first + 1)...]
    guard let end = body.firstIndex(of: "-----END \(Self.label)-----"),
      let bytes = Base64.decode(body[..<end].joined())
    else { throw .noPEM }
    // A sequence with the version 1 or 2.
    guard bytes.count > 5, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2,
      [[0x02, 0x01, 0x00], [0x02, 0x01, 0x01]].contains(Array(bytes[2..<5])),
      bytes[5...].starts(with: Self.prefix)
    else { throw .otherAlgorithm }
    let rest = bytes.dropFirst(5 + Self.prefix.count)
    guard let key = SecretKey(seed: Array(rest.prefix(PublicKey.byteCount))) else {
      throw .otherAlgorithm
    }
    let tail = Array(rest.dropFirst(PublicKey.byteCount))
    guard tail.isEmpty || Self.publicPrefixes.contains(where: { $0 + key.publicKey.bytes == tail })
    else { throw .otherPublicKey }
    self = key
  }

  /// The key as PKCS#8 in PEM: the content of a file that only its owner may read.
  package var pem: String {
    "-----BEGIN \(Self.label)-----\n\(([0x30, 0x2E, 0x02, 0x01, 0x00] + Self.prefix + seed).base64)\n-----END \(Self.label)-----\n"
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmingWhitespace: Substring {
    var text = drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}
