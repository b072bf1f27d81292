/// The reason for which a release was not published: the state of the target, and the remedy.
package struct DeliveryError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The target holds something that must not be touched or cannot be understood, or lacks a file
    /// that it should have.
    case refused
    /// Another publisher was faster; nothing was changed.
    case lost
    /// The release or the channel's content does not exist.
    case unknown
  }

  package var kind: Kind
  /// A sentence for a person.
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
