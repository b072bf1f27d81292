import TestInputs
import Testing

@testable import ContentModel

@Suite struct TileTreeTests {
  private static func positions(
    _ distribution: Distribution, count: Int, seed: Int = 1
  ) -> [Coordinate] {
    var generator = SeededGenerator(seed: seed)
    return distribution.positions(count: count, using: &generator)
  }

  @Test func hasNoLeavesWithoutPositions() {
    #expect(TileTree(positions: [], maximumCount: 1, minimumEdge: 0).leaves.isEmpty)
    #expect(TileTree(positions: [], maximumCount: .min, minimumEdge: .min).leaves.isEmpty)
  }

  @Test func hasTheRootForFewPositions() {
    let positions = Self.positions(.uniform, count: 200)
    let tree = TileTree(positions: positions, maximumCount: 200, minimumEdge: 0)
    #expect(tree.leaves == [.init(quadkey: .root, indices: Array(0..<200))])
  }

  @Test(arguments: Distribution.allCases, [(1, 0), (7, 10_000), (200, 1_000)])
  func putsEachPositionIntoOneLeaf(distribution: Distribution, parameters: (Int, Int)) {
    let positions = Self.positions(distribution, count: 3_000)
    let leaves = TileTree(
      positions: positions, maximumCount: parameters.0, minimumEdge: parameters.1
    ).leaves
    #expect(leaves.flatMap(\.indices).sorted() == Array(0..<3_000))
    #expect(leaves.map(\.quadkey) == leaves.map(\.quadkey).sorted())
    for (leaf, next) in zip(leaves, leaves.dropFirst()) {
      #expect(!leaf.quadkey.contains(next.quadkey))
    }
    for leaf in leaves {
      #expect(!leaf.indices.isEmpty && leaf.indices == leaf.indices.sorted())
      for index in leaf.indices {
        #expect(
          Quadkey(containing: positions[index], depth: leaf.quadkey.depth) == leaf.quadkey)
      }
    }
  }

  /// `minimumEdge` has precedence over `maximumCount`, and no tile is divided without need.
  @Test(arguments: Distribution.allCases, [(1, 0), (7, 10_000), (50, 1_000_000), (3, .max)])
  func dividesATileOnlyIfItHasTooManyPositions(
    distribution: Distribution, parameters: (Int, Int)
  ) {
    let (maximum, edge) = parameters
    let leaves = TileTree(
      positions: Self.positions(distribution, count: 1_000), maximumCount: maximum,
      minimumEdge: edge
    ).leaves
    for leaf in leaves {
      if leaf.indices.count > maximum {
        #expect(
          leaf.quadkey.depth == 16 || leaf.quadkey.children.contains { $0.shortestEdge < edge })
      }
      if let parent = leaf.quadkey.parent {
        #expect(leaf.quadkey.shortestEdge >= edge)
        let siblings = leaves.filter { parent.contains($0.quadkey) }
        #expect(siblings.reduce(0) { $0 + $1.indices.count } > maximum)
      }
    }
  }

  @Test func keepsEqualPositionsTogether() {
    let positions = Self.positions(.single, count: 5_000)
    let leaves = TileTree(positions: positions, maximumCount: 200, minimumEdge: 0).leaves
    #expect(leaves.count == 1)
    #expect(leaves[0].quadkey == Quadkey(containing: positions[0]))
    #expect(leaves[0].indices == Array(0..<5_000))
  }

  @Test func dependsOnlyOnTheSetOfPositions() {
    let positions = Self.positions(.clustered, count: 2_000)
    let tree = TileTree(positions: positions, maximumCount: 20, minimumEdge: 100)
    let reversed = TileTree(positions: positions.reversed(), maximumCount: 20, minimumEdge: 100)
    #expect(
      tree.leaves
        == reversed.leaves.map {
          .init(quadkey: $0.quadkey, indices: $0.indices.map { 1_999 - $0 }.reversed())
        })
  }

  /// Each machine divides 50,000 places in the same way.
  @Test(arguments: [
    (Distribution.uniform, 0, UInt64(0xDCA1_68A8_7CFF_8697)),
    (.clustered, 10_000, 0x1971_CDF1_DBD9_0346), (.polar, 0, 0x456E_2819_5543_2AD9),
  ])
  func isEqualOnEachMachine(distribution: Distribution, minimumEdge: Int, hash: UInt64) {
    let tree = TileTree(
      positions: Self.positions(distribution, count: 50_000), maximumCount: 200,
      minimumEdge: minimumEdge)
    var found: UInt64 = 0xCBF2_9CE4_8422_2325
    for leaf in tree.leaves {
      for number in [Int(leaf.quadkey.path), leaf.quadkey.depth] + leaf.indices {
        found = (found ^ UInt64(number)) &* 0x100_0000_01B3
      }
    }
    #expect(found == hash)
  }
}

/// The leaves that change with the positions.
@Suite struct TileTreeChangeTests {
  /// Positions by id.
  private typealias Places = [(id: Int, position: Coordinate)]

  private struct Leaf: Hashable {
    let quadkey: Quadkey
    let ids: [Int]
  }

  private static func leaves(of places: Places, edge: Int) -> [Leaf] {
    TileTree(positions: places.map(\.position), maximumCount: 4, minimumEdge: edge).leaves.map {
      Leaf(quadkey: $0.quadkey, ids: $0.indices.map { places[$0].id }.sorted())
    }
  }

  /// Returns the only tile whose leaves differ after a place was removed: a leaf, or the tile that
  /// several leaves merged into.
  private static func changedTile(before: [Leaf], after: [Leaf]) throws -> Quadkey {
    let gone = before.filter { !after.contains($0) }
    let added = after.filter { !before.contains($0) }
    #expect(added.count <= 1)
    guard let merged = added.first else {
      // The place was the only one of its leaf.
      #expect(gone.count == 1 && gone.first?.ids.count == 1)
      return try #require(gone.first).quadkey
    }
    #expect(gone.allSatisfy { merged.quadkey.contains($0.quadkey) })
    #expect(gone.map(\.quadkey) == [merged.quadkey] || merged.ids.count <= 4)
    return merged.quadkey
  }

  /// A removal changes one leaf or merges several.
  ///
  /// An insertion is the reverse of a removal, and a move is both.
  @Test(arguments: Distribution.allCases, [0, 200_000])
  func aMoveChangesTwoLeavesOrThoseOfAMergeAndASplit(distribution: Distribution, edge: Int) throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<150 {
      let count = 2 + generator.below(60)
      let places = Array(
        distribution.positions(count: count, using: &generator).enumerated()
          .map { (id: $0, position: $1) })
      let moved = generator.below(count)
      var others = places
      others.remove(at: moved)
      let other = generator.once(in: 3) ? Distribution.uniform : distribution
      let target = other.positions(count: 1, using: &generator)[0]
      let before = Self.leaves(of: places, edge: edge)
      let without = Self.leaves(of: others, edge: edge)
      let after = Self.leaves(of: others + [(id: moved, position: target)], edge: edge)
      let (source, destination) = (
        try Self.changedTile(before: before, after: without),
        try Self.changedTile(before: after, after: without)
      )
      let changed = before.filter { !after.contains($0) } + after.filter { !before.contains($0) }
      #expect(
        changed.allSatisfy { source.contains($0.quadkey) || destination.contains($0.quadkey) },
        "round \(round)")
      if before.map(\.quadkey) == after.map(\.quadkey) {
        #expect(Set(changed.map(\.quadkey)).count <= 2)
      }
    }
  }
}
