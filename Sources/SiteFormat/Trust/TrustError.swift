package import ContentModel

/// The reason for which a config is not accepted.
package enum TrustError: Error, Hashable, Sendable {
  /// The config has no signatures.
  case unsigned
  /// The config is larger than 64 kB.
  case tooLarge
  /// A part does not have the documented form.
  case malformed(SignedPart, Malformation)
  /// There are more than 32 key documents.
  case tooManyDocuments
  /// A key document does not follow the trusted one: its version is not the next one.
  case documentOutOfOrder(version: Int, trusted: Int)
  /// A key document differs from the trusted one of the same version.
  case otherDocument(version: Int)
  /// A part is of another app or channel.
  case foreign(SignedPart)
  /// A part has too few valid signatures by a role's keys.
  case tooFewSignatures(SignedPart, valid: Int, threshold: Int)
  /// A statement names a key document that the config does not have.
  case withheldDocument(version: Int)
  /// A statement names a key document that is older than the last recovery.
  case beforeRecovery(SignedPart, version: Int, recovery: Int)
  /// The config is not the one that a statement names.
  case otherConfig(SignedPart)
  /// The config hides its own release.
  case withdrawn(release: Int)
  /// The release is older than one that was accepted before.
  case olderRelease(Int, floor: Int)
  /// Another config of this release was accepted before.
  case equivocation(release: Int)
  /// The newest key document, or the statement that the config is current, has ended.
  ///
  /// All other steps succeeded. So a reader who has this config knows that the publisher signed it.
  case expired(SignedPart, since: Instant, of: ReleaseStatement)
}

/// A part of a signed config.
package enum SignedPart: Hashable, Sendable {
  case envelope, config
  case release, fresh
  case keys(version: Int?)
}

/// The fault of a part that does not have the documented form.
package enum Malformation: Hashable, Sendable {
  /// The bytes are no property list, or no JSON.
  case unreadable
  /// The part has more bytes, keys or signatures than allowed.
  case tooLarge
  /// A member is missing, or has a value that is not allowed there.
  case member(String)
  /// A newer version of the format.
  case format(NewerFormat)
}
