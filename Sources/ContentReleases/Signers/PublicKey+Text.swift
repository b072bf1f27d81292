import ContentModel
package import SiteFormat

extension PublicKey {
  /// Why a text is no public key, as the end of a sentence that begins with its place.
  package struct Refusal: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// The bytes before the key in a SubjectPublicKeyInfo for Ed25519 (RFC 8410).
  private static let prefix: [UInt8] = [
    0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
  ]

  /// Reads a key: PEM as `openssl pkey -pubout` writes it, the line of `ssh-keygen`, a secret key in
  /// PEM, or the base64 of its 32 bytes.
  package init(text: String) throws(Refusal) {
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    let key: PublicKey?
    if lines.contains(where: { $0.hasBytePrefix("-----BEGIN PUBLIC KEY-----") }) {
      let body = lines.filter { !$0.hasBytePrefix("-----") }.joined()
      let bytes = Base64.decode(body) ?? []
      guard bytes.starts(with: Self.prefix) else { throw Refusal("is no Ed25519 key") }
      key = PublicKey(bytes: Array(bytes.dropFirst(Self.prefix.count)))
    } else if lines.contains(where: { $0.hasBytePrefix("-----BEGIN ") }) {
      do throws(SecretKey.Refusal) { key = try SecretKey(pem: Array(text.utf8)).publicKey } catch {
        throw Refusal(error.description)
      }
    } else if words.count >= 2, words[0].hasBytePrefix("ssh-") || words[0].hasBytePrefix("sk-") {
      guard let blob = Base64.decode(words[1]) else { throw Refusal("is no key of ssh-keygen") }
      do throws(SSHAgent.Failure) { key = try SSHAgent.key(in: blob) } catch {
        throw Refusal("cannot be used: \(error.description)")
      }
    } else {
      key = words.count == 1 ? Base64.decode(words[0]).flatMap { PublicKey(bytes: $0) } : nil
    }
    guard let key else {
      throw Refusal(
        "is no Ed25519 public key: PEM, a line of ssh-keygen, or the base64 of 32 bytes")
    }
    self = key
  }
}

extension PublicKey {
  /// The key as a SubjectPublicKeyInfo in PEM, which openssl reads.
  package var pem: String {
    "-----BEGIN PUBLIC KEY-----\n\((Self.prefix + bytes).base64)\n-----END PUBLIC KEY-----\n"
  }
}
