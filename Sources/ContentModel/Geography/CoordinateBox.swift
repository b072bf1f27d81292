import SystemC

/// A part of the Earth between two parallels and two meridians, in degrees.
///
/// It extends eastwards from `west` to `east`, which is at least `west`: a box does not cross the
/// meridian of 180 degrees.
package struct CoordinateBox: Hashable, Sendable {
  /// The least latitude, -90 to 90.
  package let south: Double
  /// The least longitude, -180 to 180.
  package let west: Double
  /// The greatest latitude, -90 to 90.
  package let north: Double
  /// The greatest longitude, -180 to 180.
  package let east: Double

  /// Returns a lower bound of the distance in metres from a position to all positions in the box; 0
  /// for a position inside.
  ///
  /// The bound is at most a micrometre below the distance to the nearest position of the box. A
  /// micrometre is more than the rounding errors of the C library, so `Coordinate.distance(to:)`
  /// never returns less than the bound.
  package func distance(from position: Coordinate) -> Double {
    max(unreducedDistance(from: position) - 1e-6, 0)
  }

  private func unreducedDistance(from position: Coordinate) -> Double {
    // If the box has the position's longitude, the nearest point is on the same meridian. Otherwise
    // it is on the meridian edge with the smaller angle, as each parallel recedes from the position
    // with the angle (compare S2LatLngRect::GetDistance of S2 Geometry).
    let isEastOfBox =
      position.longitudeDifference(to: east) < position.longitudeDifference(to: west)
    let isBetween = (west...east).contains(position.longitude)
    let meridian = isBetween ? position.longitude : isEastOfBox ? east : west
    // On the whole great circle of the meridian, the nearest point has this latitude. Beyond 90
    // degrees it is on the other side of a pole, and then an end of the edge is nearest.
    let turn = position.longitudeDifference(to: meridian)
    let nearest =
      atan2(
        Coordinate.sine(ofDegrees: position.latitude),
        position.cosineOfLatitude * Coordinate.sine(ofDegrees: 90 - turn)) * 180 / .pi
    return [south, north, min(max(nearest, south), north)].lazy.map {
      position.distance(to: Coordinate(clampedLatitude: $0, longitude: meridian))
    }.min() ?? 0
  }
}
