import ContentModel

/// A text and its signatures: a statement about a config, or a key document.
package struct SignedBody: Hashable, Sendable {
  /// The exact bytes that are signed: JSON as UTF-8.
  package let body: [UInt8]
  /// The signatures, in any order; those of unknown keys are ignored.
  package var signatures: [KeySignature]

  package init(body: [UInt8], signatures: [KeySignature]) {
    (self.body, self.signatures) = (body, signatures)
  }

  /// The most signatures: those of all keys of a document, and of the one before it.
  package static let signatureLimit = 2 * KeyDocument.keyLimit

  /// Returns the number of distinct keys among `keys` that signed this body as a type, at most
  /// `limit`.
  ///
  /// A key never has two ids, because the id is computed from the key.
  package func count(
    of keys: [KeyID: PublicKey], as type: SignedType, upTo limit: Int = .max
  ) -> Int {
    var known: Set<PublicKey> = []
    return count(of: keys, as: type, upTo: limit, known: &known)
  }

  /// Returns the number of distinct keys of one group that signed this body, at most `limit`.
  ///
  /// `known` are the keys that are known to have signed this body as this type: their signatures
  /// are not checked again, which takes a phone a tenth of a millisecond each.
  func count(
    of keys: [KeyID: PublicKey], as type: SignedType, upTo limit: Int, known: inout Set<PublicKey>
  ) -> Int {
    let message = type.encoding(of: body)
    var signers: Set<KeyID> = []
    for signature in signatures where signers.count < limit {
      guard !signers.contains(signature.key), let key = keys[signature.key] else { continue }
      if known.contains(key) || key.accepts(signature.bytes, of: message) {
        known.insert(key)
        signers.insert(signature.key)
      }
    }
    return signers.count
  }
}

/// A signature, and the name of its key.
package struct KeySignature: Hashable, Sendable {
  package let key: KeyID
  /// The 64 bytes of a signature; other bytes are no valid signature.
  package let bytes: [UInt8]

  package init(key: KeyID, bytes: [UInt8]) { (self.key, self.bytes) = (key, bytes) }
}

/// The types of signed bodies.
///
/// A signature of one type is no signature of another.
package enum SignedType: String, CaseIterable, Sendable {
  /// A statement that a config is a release of a channel.
  case release
  /// A statement that a config is still the newest one.
  case fresh
  /// A document with the keys of a channel.
  case keys
  /// The checksums of a release's files, in the form of `sha256sum`.
  ///
  /// `Scripts/dist.py` signs them, and people verify them with openssl. No reader accepts them.
  case sums

  /// The media type in the signed encoding.
  package var mediaType: String {
    switch self {
    case .release, .fresh, .keys: "application/vnd.contentc.\(rawValue)+json"
    case .sums: "application/vnd.contentc.sums"
    }
  }

  /// Returns the bytes that are signed: the pre-authentication encoding of DSSE, version 1.
  package func encoding(of body: [UInt8]) -> [UInt8] {
    let type = Array(mediaType.utf8)
    return Array("DSSEv1 \(type.count) ".utf8) + type + Array(" \(body.count) ".utf8) + body
  }
}
