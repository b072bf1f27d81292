package import ContentModel
package import Diagnostics

/// A named selection of entries.
package struct BundleDefinition: Sendable {
  package var name: String
  package var location: SourceLocation
  package var include: [Pattern]
  package var exclude: [Pattern]
  package var projection: (name: ExactString, location: SourceLocation)?
  package var sort: [SortKey]
  /// The division into parts, each of which is a bundle of its own; `nil` for none.
  package var split: Split?
  /// A Boolean value that indicates whether the bundle is part of the index.
  package var isStartup: Bool
  package var format: PropertyListFormat
  package var ttl: TimeSpan?

  /// A Boolean value that indicates whether the bundle has parts.
  package var isSplit: Bool { split != nil }

  /// The rules of the tiles; `nil` if the bundle is not split by place.
  package var tiles: TileRules? { if case .place(let rules) = split { rules } else { nil } }

  /// The division of a bundle into parts.
  package enum Split: Sendable {
    /// A part for each entry.
    case entry
    /// A part for each tile of the map.
    case place(TileRules)
  }

  /// The rules by which a map is divided into tiles.
  package struct TileRules: Sendable {
    /// The name of the field with an entry's place; `nil` if the datatype has only one.
    package var field: (name: ExactString, location: SourceLocation)?
    /// The most entries of a tile, unless its parts would be too small.
    package var maximumCount: Int
    /// The least length of a tile's shortest edge, in metres.
    package var minimumEdge: Int
  }

  /// A glob over ids, and its location.
  package struct Pattern: Sendable {
    package var glob: Glob
    package var location: SourceLocation
  }

  /// A field to sort by.
  package struct SortKey: Hashable, Sendable {
    package var field: ExactString
    package var isDescending: Bool
    package var location: SourceLocation
  }
}
