package import ContentModel
package import Diagnostics

/// A named selection of entries.
package struct BundleDefinition: Sendable {
  package var name: String
  package var location: SourceLocation
  package var include: [Pattern]
  package var exclude: [Pattern]
  package var projection: (name: String, location: SourceLocation)?
  package var sort: [SortKey]
  /// A Boolean value that indicates whether every entry is a bundle of its own.
  package var isSplit: Bool
  /// A Boolean value that indicates whether the bundle is part of the index.
  package var isStartup: Bool
  package var format: PropertyListFormat
  package var ttl: TimeSpan?

  /// A glob over ids, and its location.
  package struct Pattern: Sendable {
    package var glob: Glob
    package var location: SourceLocation
  }

  /// A field to sort by.
  package struct SortKey: Hashable, Sendable {
    package var field: String
    package var isDescending: Bool
    package var location: SourceLocation
  }
}
