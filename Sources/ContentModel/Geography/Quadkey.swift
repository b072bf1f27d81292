/// The name of a Web Mercator tile: a text of the digits 0 to 3, one per level.
///
/// The root, which contains all positions, is the empty text. Each digit selects a quarter: 0 is
/// north-west, 1 north-east, 2 south-west and 3 south-east. The first and the last row of tiles
/// reach the poles.
package struct Quadkey: Hashable, Sendable {
  /// The number of digits, 0 to 16.
  package let depth: Int
  /// Two bits per digit, the first digit in the highest bits; bits after the last digit are 0.
  let path: UInt32

  /// The greatest number of digits.
  package static let maximumDepth = WebMercator.depth
  /// The tile that contains all positions.
  package static let root = Quadkey(path: 0, depth: 0)

  /// Creates a tile from a path; digits after `depth` are ignored.
  init(path: UInt32, depth: Int) {
    self.depth = min(max(depth, 0), Self.maximumDepth)
    self.path = path & ~Self.rest(after: self.depth)
  }

  /// Creates a tile from its row, counted from the north, and its column, counted from the west.
  init(row: Int, column: Int, depth: Int) {
    let shift = Self.maximumDepth - depth
    self.init(
      path: Self.spread(UInt32(truncatingIfNeeded: row << shift)) << 1
        | Self.spread(UInt32(truncatingIfNeeded: column << shift)), depth: depth)
  }

  /// Creates a tile from its digits; `nil` if the text has other characters or more than 16 digits.
  package init?(_ text: some StringProtocol) {
    let digits = text.utf8.prefix(Self.maximumDepth + 1)
    guard digits.count <= Self.maximumDepth else { return nil }
    var path: UInt32 = 0
    for (level, byte) in digits.enumerated() {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 4 else { return nil }
      path |= UInt32(digit) << Self.shift(of: level)
    }
    self.init(path: path, depth: digits.count)
  }

  /// Creates the tile of a depth that contains a position.
  ///
  /// A position on a border belongs to the tile south or east of it. The longitude 180 belongs to
  /// the last column, although it is the same meridian as -180.
  /// `depth`, the number of digits, is limited to 0 to 16. Default: 16.
  package init(containing position: Coordinate, depth: Int = maximumDepth) {
    let deepest = Quadkey(
      row: WebMercator.row(containing: position.latitude),
      column: WebMercator.column(containing: position.longitude), depth: Self.maximumDepth)
    self.init(path: deepest.path, depth: depth)
  }

  /// The four quarters in order; empty at the greatest depth.
  package var children: [Quadkey] {
    guard depth < Self.maximumDepth else { return [] }
    return (0..<4).map { Quadkey(path: path | $0 << Self.shift(of: depth), depth: depth + 1) }
  }

  /// The greatest path of a tile at the greatest depth that is a part of this tile.
  var lastPath: UInt32 { path | Self.rest(after: depth) }

  /// Returns the bits of the digits after a depth.
  private static func rest(after depth: Int) -> UInt32 { UInt32.max >> UInt32(2 * depth) }

  /// Returns the position of the bits of a digit.
  private static func shift(of level: Int) -> UInt32 { UInt32(2 * (maximumDepth - 1 - level)) }

  /// Moves 16 bits apart: bit n becomes bit 2n.
  private static func spread(_ bits: UInt32) -> UInt32 {
    var bits = bits & 0xFFFF
    bits = (bits | bits << 8) & 0x00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333
    return (bits | bits << 1) & 0x5555_5555
  }

  /// Reverses `spread`; odd bits are ignored.
  private static func gather(_ bits: UInt32) -> UInt32 {
    var bits = bits & 0x5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF
    return (bits | bits >> 8) & 0x0000_FFFF
  }

  /// The row at this depth, counted from the north.
  package var row: Int { Int(Self.gather(path >> 1)) >> (Self.maximumDepth - depth) }

  /// The column at this depth, counted from the west.
  package var column: Int { Int(Self.gather(path)) >> (Self.maximumDepth - depth) }
}

extension Quadkey: Comparable, CustomStringConvertible {
  /// The digits.
  package var description: String {
    String((0..<depth).map { Character(Unicode.Scalar(0x30 + UInt8(digit(at: $0)))) })
  }

  private func digit(at level: Int) -> UInt32 { path >> Self.shift(of: level) & 3 }

  /// Compares tiles as their texts sort by code point.
  package static func < (a: Quadkey, b: Quadkey) -> Bool { (a.path, a.depth) < (b.path, b.depth) }
}

extension Quadkey {
  /// The part of the Earth that the tile covers.
  package var box: CoordinateBox {
    let (span, last) = (WebMercator.size >> depth, 1 << depth - 1)
    return CoordinateBox(
      south: row == last ? -90 : WebMercator.latitude(ofBorder: (row + 1) * span),
      west: WebMercator.longitude(ofBorder: column * span),
      north: row == 0 ? 90 : WebMercator.latitude(ofBorder: row * span),
      east: WebMercator.longitude(ofBorder: (column + 1) * span))
  }

  /// The length in metres, rounded down, of the shortest edge at the centre of the tile: the lesser
  /// of its extents from north to south and from east to west.
  ///
  /// The edges are those of the Mercator square, which ends at 85.05 degrees.
  package var shortestEdge: Int { WebMercator.shortestEdge(row: row, depth: depth) }
}
