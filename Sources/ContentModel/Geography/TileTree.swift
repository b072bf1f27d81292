/// A division of positions into tiles: an adaptive quadtree, whose leaves have at most a maximum
/// number of positions if their size permits it.
///
/// The leaves depend only on the set of positions. If a position is added, one leaf changes or is
/// split; if it is removed, one leaf changes or several merge.
package struct TileTree: Sendable {
  /// A tile that has positions and is not divided further.
  package struct Leaf: Hashable, Sendable {
    /// The name of the tile.
    package let quadkey: Quadkey
    /// The indices of its positions, ascending.
    package let indices: [Int]
  }

  /// The tiles with at least one position, sorted by quadkey; each position is in one of them.
  package private(set) var leaves: [Leaf] = []

  private typealias Point = (path: UInt32, index: Int)

  /// Divides positions.
  ///
  /// A tile with too many positions is split unless it has the greatest depth or the shortest edge
  /// of one of its quarters, empty or not, would be too short.
  ///
  /// - Parameters:
  ///   - positions: The positions; equal ones are always in the same tile.
  ///   - maximumCount: The greatest number of positions in a tile that can be split.
  ///   - minimumEdge: The least length of the shortest edge of a tile, in metres.
  package init(positions: [Coordinate], maximumCount: Int, minimumEdge: Int) {
    let points = positions.enumerated().map { index, position in
      (path: Quadkey(containing: position).path, index: index)
    }.sorted { $0 < $1 }
    divide(points[...], of: .root, maximumCount: maximumCount, minimumEdge: minimumEdge)
  }

  /// Appends the leaves of a tile; the recursion ends at the greatest depth.
  private mutating func divide(
    _ points: ArraySlice<Point>, of tile: Quadkey, maximumCount: Int, minimumEdge: Int
  ) {
    guard !points.isEmpty else { return }
    let children = points.count > maximumCount ? tile.children : []
    guard !children.isEmpty, children.allSatisfy({ $0.shortestEdge >= minimumEdge }) else {
      return leaves.append(Leaf(quadkey: tile, indices: points.map(\.index).sorted()))
    }
    var rest = points
    for child in children {
      let end = Self.end(of: child, in: rest)
      divide(
        rest[..<end], of: child, maximumCount: maximumCount, minimumEdge: minimumEdge)
      rest = rest[end...]
    }
  }

  /// Returns the index of the first point after a tile, by binary search.
  private static func end(of tile: Quadkey, in points: ArraySlice<Point>) -> Int {
    var (low, high) = (points.startIndex, points.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if points[middle].path <= tile.lastPath { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
