package import ContentModel
import PropertyLists

/// The key documents that each signed config of a channel carries.
///
/// A reader follows them from the document that it trusts, so that every rotation makes configs larger.
package struct CarriedDocuments: Sendable {
  /// The version of the oldest document from which readers can follow the channel.
  package let base: Int
  /// The documents after `base`, with no more signatures than readers need.
  package let documents: [SignedBody]

  /// The most bytes of the documents in a config; the rest of its 64 kB is left to the config.
  package static let byteLimit = 48 << 10

  /// Collects the documents after a base from all documents of a channel, whose versions begin at 1.
  package init(_ all: [KeyDocument], after base: Int) {
    self.base = base
    documents = zip([nil] + all.map(Optional.some), all).compactMap { before, document in
      document.version > base ? document.neededSignatures(after: before) : nil
    }
  }

  /// The part of the room for documents that is taken, where 1 is all of it.
  ///
  /// - Throws: `PropertyListEncodingError`.
  package func share(in format: PropertyListFormat) throws -> Double {
    let bytes = try PropertyList.encode(
      .array(documents.map { $0.value(in: format) }), as: format
    ).count
    return max(
      Double(documents.count) / Double(Envelope.documentLimit),
      Double(bytes) / Double(Self.byteLimit))
  }
}

extension KeyDocument {
  /// The signatures of a document by the keys of a document that must accept it.
  package struct Signatures: Sendable {
    /// The version of the document whose `keys` role signs.
    package let authority: Int
    package let count: Int
    package let threshold: Int
    /// The keys that may still sign.
    package let others: [KeyID]

    package var isEnough: Bool { count >= threshold }
  }

  /// Returns the valid signatures that this document has and needs.
  ///
  /// The document needs signatures by its own keys and by the keys of the document before it, if
  /// any.
  package func signatures(after earlier: KeyDocument?) -> [Signatures] {
    let message = SignedType.keys.encoding(of: signed.body)
    return [earlier, self].compactMap(\.self).map { authority in
      let role = authority.roles.keys
      let valid = role.keys.filter { id, key in
        signed.signatures.contains { $0.key == id && key.accepts($0.bytes, of: message) }
      }
      return Signatures(
        authority: authority.version, count: valid.count, threshold: role.threshold,
        others: role.keys.keys.filter { valid[$0] == nil }.sorted())
    }
  }

  /// Returns this document with as many valid signatures as readers need; with all if there are too
  /// few.
  fileprivate func neededSignatures(after earlier: KeyDocument?) -> SignedBody {
    let message = SignedType.keys.encoding(of: signed.body)
    var kept: [KeySignature] = []
    for authority in [earlier, self].compactMap(\.self) {
      let role = authority.roles.keys
      func isValid(_ signature: KeySignature) -> Bool {
        role.keys[signature.key]?.accepts(signature.bytes, of: message) ?? false
      }
      var count = Set(kept.map(\.key)).filter { role.keys[$0] != nil }.count
      for signature in signed.signatures where count < role.threshold {
        guard !kept.contains(where: { $0.key == signature.key }), isValid(signature) else {
          continue
        }
        kept.append(signature)
        count += 1
      }
      if count < role.threshold { return signed }
    }
    return SignedBody(body: signed.body, signatures: kept)
  }
}
