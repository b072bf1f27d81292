import SystemC

/// The grid of Web Mercator tiles at the greatest depth.
///
/// All builds must divide places in the same way, but C libraries differ in the last bits of `sinh`
/// and `atan`. Membership therefore depends only on borders that are rounded so that such errors
/// cannot change them:
///
/// - The latitude of a border between rows has 7 decimals. No unrounded latitude is within 2.4e-12
///   degrees of a half, at which rounding would change; the errors are less than 1e-13.
/// - The longitude of a border between columns is a fraction of 360 degrees that `Double`
///   represents exactly.
/// - A shortest edge is rounded down to whole metres. No unrounded edge is within 1.4e-5 metres of
///   a whole number; the errors are less than 1e-8.
///
/// Places have at most 6 decimals, so comparisons with borders are unambiguous.
enum WebMercator {
  /// The greatest depth of a tile.
  static let depth = 16
  /// The number of rows at the greatest depth, which is also the number of columns.
  static let size = 1 << depth

  /// Returns the latitude in degrees of a border between rows, 0 (north) to `size` (south).
  ///
  /// The outermost borders are at about 85.05 degrees, not at the poles.
  static func latitude(ofBorder border: Int) -> Double {
    Coordinate.rounded(unroundedLatitude(ofBorder: border), decimals: 7)
  }

  /// Returns the longitude in degrees of a border between columns, 0 (west) to `size` (east).
  static func longitude(ofBorder border: Int) -> Double {
    Double(border) * 360 / Double(size) - 180
  }

  /// Returns the row, 0 (north) to `size - 1`, that contains a latitude from -90 to 90.
  ///
  /// A border belongs to the row south of it; the outermost rows reach the poles.
  static func row(containing latitude: Double) -> Int {
    // The estimate can be wrong by an error of the C library; the borders decide.
    let height = asinh(tan(latitude * .pi / 180))
    var row = index(nearest: (1 - height / .pi) / 2 * Double(size))
    while row > 0, latitude > self.latitude(ofBorder: row) { row -= 1 }
    while row < size - 1, latitude <= self.latitude(ofBorder: row + 1) { row += 1 }
    return row
  }

  /// Returns the column, 0 (west) to `size - 1`, that contains a longitude from -180 to 180.
  ///
  /// A border belongs to the column east of it; 180 belongs to the last column.
  static func column(containing longitude: Double) -> Int {
    var column = index(nearest: (longitude + 180) / 360 * Double(size))
    while column > 0, longitude < self.longitude(ofBorder: column) { column -= 1 }
    while column < size - 1, longitude >= self.longitude(ofBorder: column + 1) { column += 1 }
    return column
  }

  private static func index(nearest estimate: Double) -> Int {
    // NaN, too, becomes 0.
    estimate > 0 ? Int(min(estimate, Double(size - 1))) : 0
  }

  /// Returns the length of the shortest edge of a tile in metres, rounded down.
  ///
  /// `row` is counted at `depth`, which is 0 to 16.
  static func shortestEdge(row: Int, depth: Int) -> Int {
    Int(unroundedShortestEdge(row: row, depth: depth))
  }

  /// Returns a latitude of `latitude(ofBorder:)` before rounding.
  static func unroundedLatitude(ofBorder border: Int) -> Double {
    let steps = size / 2 - border
    let height = Double.pi * Double(abs(steps)) / Double(size / 2)
    let latitude = atan(sinh(height)) * 180 / .pi
    return steps < 0 ? -latitude : latitude
  }

  /// Returns a length of `shortestEdge(row:depth:)` before rounding.
  static func unroundedShortestEdge(row: Int, depth: Int) -> Double {
    let span = size >> depth
    let degrees =
      unroundedLatitude(ofBorder: row * span) - unroundedLatitude(ofBorder: (row + 1) * span)
    let fraction = 1 / Double(1 << depth)
    let centre = Double.pi * (1 - Double(2 * row + 1) * fraction)
    let northToSouth = degrees * .pi / 180 * Coordinate.earthRadius
    let eastToWest = 2 * .pi * Coordinate.earthRadius * fraction / cosh(centre)
    return min(northToSouth, eastToWest)
  }
}
