import ContentModel

/// The reason for a target's failure.
package struct TargetError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The bucket or folder does not exist and cannot be made.
    case missing
    /// The target denies access, or does not know the credentials.
    case denied
    /// The target cannot be reached, or did not answer in time: the effect of a write is unknown.
    case unreachable
    /// Another writer is at work.
    case busy
    /// The target answers, but fails: a full disk, an error of its own.
    case failed
    /// The address or a setting cannot be right.
    case unusable
    /// The file to write cannot be read on this machine, or it changed meanwhile.
    case unreadable
    /// A file is larger than any that contentc writes, and is not read.
    case tooLarge
    /// A file has an encoding that contentc does not write, or cannot be decompressed.
    case damaged
  }

  package var kind: Kind
  /// A sentence for the user that names the target and holds no secret.
  package var description: String
  /// The tag of a file that cannot be decoded; with it, another file can replace that one.
  package var tag: String?

  package init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }

  /// Creates the error for an address that cannot be right.
  init(_ mistake: S3Address.Mistake) { self.init(.unusable, mistake.description) }
}
