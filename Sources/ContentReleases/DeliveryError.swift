/// Why a release did not come about: what was found at the target, and what to do.
package struct DeliveryError: Error, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The target holds something that must not be touched or cannot be understood, or lacks what
    /// it should have.
    case refused
    /// Another publisher was faster; nothing was changed.
    case lost
    /// What was asked for is not there: a release, a channel's content.
    case unknown
  }

  package var kind: Kind
  /// A sentence for a person.
  package var description: String

  package init(_ kind: Kind, _ description: String) {
    (self.kind, self.description) = (kind, description)
  }
}
