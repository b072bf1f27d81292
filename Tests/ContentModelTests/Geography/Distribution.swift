import ContentModel
import TestInputs

/// The ways in which invented places are distributed.
///
/// They are made by arithmetic only, so that they are equal on every machine.
enum Distribution: String, CaseIterable, Sendable {
  /// All degrees are equally probable.
  case uniform
  /// Towns of different sizes.
  case clustered
  /// Latitudes beyond 85 degrees, in the north and in the south, and the poles themselves.
  case polar
  /// Longitudes near 180 and -180, and both themselves.
  case antimeridian
  /// Whole degrees, of which many have equal distances.
  case lattice
  /// A few points with many places each.
  case stacked
  /// One point.
  case single

  func positions(count: Int, using generator: inout SeededGenerator) -> [Coordinate] {
    let towns = (0..<max(count / 500, 8)).map { _ in
      (
        Self.degrees(70, using: &generator), Self.degrees(180, using: &generator),
        spread: 0.02 + Self.unit(using: &generator)
      )
    }
    return (0..<count).map { _ in
      let (latitude, longitude): (Double, Double)
      switch self {
      case .uniform:
        latitude = Self.degrees(90, using: &generator)
        longitude = Self.degrees(180, using: &generator)
      case .clustered:
        // Half of the places are in an eighth of the towns.
        let choices = generator.once(in: 2) ? towns[..<(towns.count / 8)] : towns[...]
        let town = choices[generator.below(choices.count)]
        latitude = town.0 + town.spread * Self.bell(using: &generator)
        longitude = town.1 + town.spread * Self.bell(using: &generator)
      case .polar:
        let distance = generator.once(in: 20) ? 0 : 6 * Self.unit(using: &generator)
        latitude = generator.once(in: 2) ? 90 - distance : distance - 90
        longitude = Self.degrees(180, using: &generator)
      case .antimeridian:
        let distance = generator.once(in: 5) ? 0 : 2 * Self.unit(using: &generator)
        latitude = Self.degrees(60, using: &generator)
        longitude = generator.once(in: 2) ? 180 - distance : distance - 180
      case .lattice:
        latitude = Double(generator.below(21) - 10)
        longitude = Double(generator.below(21) - 10)
      case .stacked:
        latitude = Double(generator.below(5)) * 40 - 80
        longitude = Double(generator.below(3)) * 180 - 180
      case .single: (latitude, longitude) = (12.5, -33.25)
      }
      return Coordinate(
        clampedLatitude: Coordinate.rounded(latitude, decimals: 6),
        longitude: Coordinate.rounded(longitude, decimals: 6))
    }
  }

  static func unit(using generator: inout SeededGenerator) -> Double {
    Double(generator.next() >> 11) / Double(1 << 53)
  }

  static func degrees(_ limit: Double, using generator: inout SeededGenerator) -> Double {
    (2 * unit(using: &generator) - 1) * limit
  }

  /// A number of about -2 to 2, mostly near 0.
  private static func bell(using generator: inout SeededGenerator) -> Double {
    (0..<4).reduce(0) { sum, _ in sum + unit(using: &generator) } - 2
  }
}

extension Coordinate {
  /// A coordinate of a test, whose degrees are in range.
  static func at(_ latitude: Double, longitude: Double) -> Coordinate {
    Coordinate(clampedLatitude: latitude, longitude: longitude)
  }
}
