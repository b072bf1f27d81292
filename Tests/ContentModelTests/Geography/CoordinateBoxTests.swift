import TestInputs
import Testing

@testable import ContentModel

@Suite struct CoordinateBoxTests {
  /// Returns the least distance from a position to a grid of points in a box, with its corners and
  /// edges.
  private static func sampledDistance(
    from position: Coordinate, to box: CoordinateBox, steps: Int
  ) -> Double {
    var least = Double.infinity
    for i in 0...steps {
      let latitude = box.south + (box.north - box.south) * Double(i) / Double(steps)
      for j in 0...steps {
        let longitude = box.west + (box.east - box.west) * Double(j) / Double(steps)
        least = min(least, position.distance(to: .at(latitude, longitude: longitude)))
      }
    }
    return least
  }

  /// Returns the greatest distance between neighbouring points of the grid, in metres.
  private static func spacing(of box: CoordinateBox, steps: Int) -> Double {
    max(box.north - box.south, box.east - box.west) / Double(steps) * 111_200
  }

  /// Returns a box and a position, some of them at the poles or near 180 degrees.
  private static func example(
    using generator: inout SeededGenerator
  ) -> (CoordinateBox, Coordinate) {
    let distribution = generator.one(of: Distribution.allCases)
    let positions = distribution.positions(count: 2, using: &generator)
    return (Quadkey(containing: positions[0], depth: generator.below(17)).box, positions[1])
  }

  @Test func boundIsNeverAboveADistanceAndCloseToTheLeast() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<600 {
      let (box, position) = Self.example(using: &generator)
      let bound = box.distance(from: position)
      let least = Self.sampledDistance(from: position, to: box, steps: 24)
      #expect(bound <= least, "\(position) \(box)")
      #expect(least - bound <= Self.spacing(of: box, steps: 24), "\(position) \(box)")
    }
  }

  /// The nearest edge is sampled so densely that the least distance is met.
  @Test func boundIsTheLeastDistanceToAnEdge() {
    var generator = SeededGenerator(seed: 12)
    for _ in 0..<100 {
      let (box, position) = Self.example(using: &generator)
      guard !box.contains(position), box.north - box.south < 60 else { continue }
      let bound = box.distance(from: position)
      let steps = 2_000
      var least = Double.infinity
      for i in 0...steps {
        let latitude = box.south + (box.north - box.south) * Double(i) / Double(steps)
        let longitude = box.west + (box.east - box.west) * Double(i) / Double(steps)
        for point in [
          Coordinate.at(latitude, longitude: box.west), .at(latitude, longitude: box.east),
          .at(box.south, longitude: longitude), .at(box.north, longitude: longitude),
        ] {
          least = min(least, position.distance(to: point))
        }
      }
      #expect(bound <= least, "\(position) \(box)")
      // Along an edge, the distance changes by at most the spacing. Near its minimum, it changes by
      // the square of the spacing, so half a spacing is a wide bound.
      #expect(
        least - bound <= Self.spacing(of: box, steps: steps) / 2 + 1e-6, "\(position) \(box)")
    }
  }

  /// The distances were computed with 40 digits (mpmath 1.3), except differences of latitudes.
  @Test(arguments: [
    // North and south of the box, and on its meridians.
    (20.0, 15.0, 1_111_950.802_335_329), (-5, 10, 555_975.401_167_664_6),
    // The nearest point is inside a meridian edge, and not at the latitude of the position.
    (5, 30, 1_107_676.251_968_158_1),
    // Across 180 degrees, a corner is nearest.
    (9, -170, 17_630_054.657_234_818),
    // Poles.
    (90, 77, 8_895_606.418_682_632), (-90, -99, 10_007_557.221_017_96),
  ])
  func measuresKnownDistances(latitude: Double, longitude: Double, metres: Double) {
    let box = CoordinateBox(south: 0, west: 10, north: 10, east: 20)
    let distance = box.distance(from: .at(latitude, longitude: longitude))
    #expect(distance <= metres + 1e-8 && metres - distance < 2e-6, "\(distance)")
  }

  /// The nearest point of a box far in the north is over the pole, or nearer to it than the
  /// position.
  @Test func findsTheInteriorOfAMeridianEdge() {
    let box = CoordinateBox(south: 0, west: 10, north: 89, east: 20)
    let position = Coordinate.at(60, longitude: -60)
    let bound = box.distance(from: position)
    let sameLatitude = position.distance(to: .at(60, longitude: 10))
    let corners = [0.0, 89].map { position.distance(to: .at($0, longitude: 10)) }
    #expect(bound < sameLatitude - 10_000 && bound < corners[0] - 10_000)
    #expect(bound < corners[1] - 10_000)
  }

  @Test func isZeroOnBothSidesOf180Degrees() {
    let (west, east) = (Quadkey.root.children[0].box, Quadkey.root.children[1].box)
    for longitude in [-180.0, 180] {
      #expect(west.distance(from: .at(10, longitude: longitude)) == 0)
      #expect(east.distance(from: .at(10, longitude: longitude)) == 0)
    }
    #expect(west.distance(from: .at(90, longitude: 55)) == 0)
  }
}
