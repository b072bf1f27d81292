import SystemC

/// A position on the Earth: latitude and longitude in degrees (WGS 84).
///
/// The longitudes -180 and 180 are the same meridian, and at a pole all longitudes are the same
/// point. Distances respect this; `==` compares the numbers.
///
/// ```swift
/// let berlin = Coordinate(latitude: 52.52, longitude: 13.405)
/// let paris = Coordinate(latitude: 48.8566, longitude: 2.3522)
/// if let berlin, let paris {
///   let kilometres = berlin.distance(to: paris) / 1_000  // 877.46
///   show(kilometres)
/// }
/// ```
public struct Coordinate: Hashable, Sendable {
  /// The degrees north of the equator, -90 to 90; negative in the south.
  public let latitude: Double
  /// The degrees east of Greenwich, -180 to 180; negative in the west.
  public let longitude: Double

  /// The mean radius of the Earth in metres (R1 of the IUGG).
  package static let earthRadius = 6_371_008.8

  /// Creates a coordinate from degrees; `nil` if the latitude is not within -90 to 90 or the
  /// longitude is not within -180 to 180.
  public init?(latitude: Double, longitude: Double) {
    // Neither range contains NaN.
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.init(clampedLatitude: latitude, longitude: longitude)
  }

  /// Reads the value of a field of type `place`; `nil` for another value.
  package init?(_ value: Value) {
    guard let latitude = value["latitude"]?.real, let longitude = value["longitude"]?.real else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }

  /// Creates the coordinate nearest to some degrees that are numbers; NaN becomes 0.
  package init(clampedLatitude latitude: Double, longitude: Double) {
    self.latitude = Self.clamped(latitude, to: 90)
    self.longitude = Self.clamped(longitude, to: 180)
  }

  private static func clamped(_ degrees: Double, to limit: Double) -> Double {
    // Equal coordinates must be written as equal bytes, so there is no -0.0.
    degrees.isNaN || degrees == 0 ? 0 : min(max(degrees, -limit), limit)
  }

  /// Rounds degrees to some decimals, 0 to 15; halves are rounded away from 0.
  ///
  /// The result is the number nearest to its decimal text, on every machine: IEEE 754 defines each
  /// step. It is never -0.0.
  package static func rounded(_ degrees: Double, decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<min(max(decimals, 0), 15) { scale *= 10 }
    let number = (degrees * scale).rounded() / scale
    return number == 0 ? 0 : number
  }
}

extension Coordinate {
  /// Returns the length in metres of the shortest path to another position on a sphere with the
  /// Earth's mean radius.
  ///
  /// The Earth is no sphere, so a distance differs by up to 0.6 % from that on the ellipsoid.
  public func distance(to other: Coordinate) -> Double {
    // The haversine, `near`, is inaccurate near the antipode, so its complement is computed, too, as
    // a sum without cancellation.
    // Differences are taken in degrees, where those of near positions are exact, without their sign:
    // the distance is the same in both directions even if a C library's `sin` is not odd.
    let turn = longitudeDifference(to: other.longitude)
    let cosines = cosineOfLatitude * other.cosineOfLatitude
    let near =
      Self.squaredSine(ofDegrees: abs(latitude - other.latitude) / 2)
      + cosines * Self.squaredSine(ofDegrees: turn / 2)
    let far =
      Self.squaredSine(ofDegrees: abs(latitude + other.latitude) / 2)
      + cosines * Self.squaredSine(ofDegrees: (180 - turn) / 2)
    return 2 * Self.earthRadius * atan2(near.squareRoot(), far.squareRoot())
  }

  /// Returns the angle to a meridian in degrees, 0 to 180, on the shorter way around the Earth.
  package func longitudeDifference(to longitude: Double) -> Double {
    let difference = abs(self.longitude - longitude)
    return difference > 180 ? 360 - difference : difference
  }

  /// The cosine of the latitude, which is exactly 0 at the poles.
  package var cosineOfLatitude: Double { Self.sine(ofDegrees: 90 - abs(latitude)) }

  /// Returns the sine of an angle in degrees.
  package static func sine(ofDegrees degrees: Double) -> Double { sin(degrees * .pi / 180) }

  private static func squaredSine(ofDegrees degrees: Double) -> Double {
    let sine = sine(ofDegrees: degrees)
    return sine * sine
  }
}
