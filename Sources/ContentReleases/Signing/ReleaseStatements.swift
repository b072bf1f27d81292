package import SiteFormat

/// The statements about a config, one for each role that signs releases.
package struct ReleaseStatements: Hashable, Sendable {
  package var release: SignedBody
  package var fresh: SignedBody

  package init(release: SignedBody, fresh: SignedBody) {
    (self.release, self.fresh) = (release, fresh)
  }

  /// The roles that sign, each with the type of its statement.
  package static let roles: [(role: KeyDocument.Role, type: SignedType)] = [
    (.release, .release), (.fresh, .fresh),
  ]

  /// The statement that a role signs: `fresh` or `release`.
  package subscript(role: KeyDocument.Role) -> SignedBody {
    get { role == .fresh ? fresh : release }
    set { if role == .fresh { fresh = newValue } else { release = newValue } }
  }

  /// The signatures that a statement has and needs.
  package struct Signatures: Hashable, Sendable {
    package let role: KeyDocument.Role
    /// The keys with a valid signature.
    package let keys: [KeyID]
    /// The number of keys that must sign.
    package let threshold: Int
    /// The keys that may still sign.
    package let others: [KeyID]

    package var isEnough: Bool { keys.count >= threshold }
  }

  /// Returns the signatures of each role by the keys of a document.
  package func signatures(by document: KeyDocument) -> [Signatures] {
    Self.roles.map { role, type in
      let signers = document.roles[role]
      let signed = validSignatures(of: role, as: type, by: document).map(\.key)
      return Signatures(
        role: role, keys: signed, threshold: signers.threshold,
        others: signers.keys.keys.filter { !signed.contains($0) }.sorted())
    }
  }

  /// Returns the valid signatures of a role by the keys of a document, one of each key.
  package func validSignatures(
    of role: KeyDocument.Role, as type: SignedType, by document: KeyDocument
  ) -> [KeySignature] {
    let message = type.encoding(of: self[role].body)
    var valid: [KeySignature] = []
    for signature in self[role].signatures {
      guard let key = document.roles[role].keys[signature.key],
        !valid.contains(where: { $0.key == signature.key }),
        key.accepts(signature.bytes, of: message)
      else { continue }
      valid.append(signature)
    }
    return valid
  }

  /// Returns the statements with as many valid signatures as a document asks for, and no others.
  func withNeededSignatures(by document: KeyDocument) -> ReleaseStatements {
    var needed = self
    for (role, type) in Self.roles {
      let valid = validSignatures(of: role, as: type, by: document)
      needed[role].signatures = Array(valid.prefix(document.roles[role].threshold))
    }
    return needed
  }
}
