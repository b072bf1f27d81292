package import ContentModel

/// What may be other than before in a content folder.
package enum ContentChange: Hashable, Sendable {
  /// Something; nobody knows what.
  case anything
  /// What stands at these paths below the folder, or does not any more; all else is as it was.
  case files(Set<ExactString>)

  /// Adds another change to this one.
  package mutating func formUnion(_ other: ContentChange) {
    switch (self, other) {
    case (.files(let own), .files(let more)): self = .files(own.union(more))
    default: self = .anything
    }
  }
}
