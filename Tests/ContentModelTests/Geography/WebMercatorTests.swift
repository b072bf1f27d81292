import SystemC
import Testing

@testable import ContentModel

@Suite struct WebMercatorTests {
  /// The FNV-1a hash of numbers.
  private static func hash(_ numbers: some Sequence<Int>) -> UInt64 {
    numbers.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The expected hash is of borders that were computed with 40 digits (mpmath 1.3).
  @Test func hasTheBordersOfExactArithmetic() {
    let north = (0...WebMercator.size / 2).map { steps in
      WebMercator.latitude(ofBorder: WebMercator.size / 2 - steps)
    }
    #expect(Self.hash(north.map { Int(($0 * 1e7).rounded()) }) == 0x90E4_331B_46FF_E14C)
    #expect(north[0].bitPattern == 0)
    #expect(north[1] == 0.005_493_2)
    #expect(north[12_345] == 55.952_275_5)
    #expect(north[WebMercator.size / 2] == 85.051_128_8)
    for (steps, latitude) in north.enumerated() {
      #expect(WebMercator.latitude(ofBorder: WebMercator.size / 2 + steps) == 0 - latitude)
    }
  }

  /// The expected hash is of edges that were computed with 40 digits (mpmath 1.3).
  @Test func hasTheEdgesOfExactArithmetic() {
    let edges = (0...WebMercator.depth).flatMap { depth in
      (0..<max(1, 1 << depth / 2)).map { WebMercator.shortestEdge(row: $0, depth: depth) }
    }
    #expect(Self.hash(edges) == 0x817B_368A_65CF_1187)
    for depth in 1...WebMercator.depth {
      let rows = 1 << depth
      for row in 0..<rows / 2 {
        #expect(
          WebMercator.shortestEdge(row: row, depth: depth)
            == WebMercator.shortestEdge(row: rows - 1 - row, depth: depth))
      }
    }
  }

  /// C libraries differ in the last bits of functions; the rounded borders must not.
  @Test func roundsAwayTheErrorsOfCLibraries() {
    let borders = (0...WebMercator.size).filter { border in
      let latitude = WebMercator.unroundedLatitude(ofBorder: border)
      let error = 8 * latitude.ulp
      return Coordinate.rounded(latitude - error, decimals: 7)
        != Coordinate.rounded(latitude + error, decimals: 7)
    }
    #expect(borders.isEmpty)
    for depth in 0...WebMercator.depth {
      let rows = (0..<1 << depth).filter { row in
        let edge = WebMercator.unroundedShortestEdge(row: row, depth: depth)
        // The edge is a difference of latitudes: their errors in metres count.
        let error = edge * 1e-15 + 90.0.ulp * 8 * 111_000
        return Int(edge - error) != Int(edge + error)
      }
      #expect(rows.isEmpty, "depth \(depth)")
    }
  }

  /// Each function of the C library is wrong by one unit in the last place in either direction.
  @Test(arguments: [-1.0, 1], [-1.0, 1])
  func hasTheSameBordersWithAnotherCLibrary(sinhError: Double, atanError: Double) {
    let different = (0...WebMercator.size / 2).filter { steps in
      let height = Double.pi * Double(steps) / Double(WebMercator.size / 2)
      let (exactSinh, exactAtan) = (sinh(height), atan(sinh(height)))
      let other = atan(exactSinh + sinhError * exactSinh.ulp) + atanError * exactAtan.ulp
      return Coordinate.rounded(other * 180 / .pi, decimals: 7)
        != WebMercator.latitude(ofBorder: WebMercator.size / 2 - steps)
    }
    #expect(different.isEmpty)
  }

  @Test func ordersBordersAndFindsTheRowsAndColumnsBetweenThem() {
    let size = WebMercator.size
    let rows = (1..<size).filter { border in
      let latitude = WebMercator.latitude(ofBorder: border)
      return latitude >= WebMercator.latitude(ofBorder: border - 1)
        || WebMercator.row(containing: latitude) != border
        || WebMercator.row(containing: latitude.nextUp) != border - 1
        || WebMercator.row(containing: latitude.nextDown) != border
    }
    #expect(rows.isEmpty)
    let columns = (1..<size).filter { border in
      let longitude = WebMercator.longitude(ofBorder: border)
      return longitude <= WebMercator.longitude(ofBorder: border - 1)
        || WebMercator.column(containing: longitude) != border
        || WebMercator.column(containing: longitude.nextDown) != border - 1
    }
    #expect(columns.isEmpty)
  }

  @Test(arguments: [
    (90.0, 0), (85.06, 0), (85.051_128_8, 0), (85.051_128, 0), (0, 32_768), (-0.000_001, 32_768),
    (0.000_001, 32_767), (-85.051_128, 65_535), (-85.06, 65_535), (-90, 65_535),
    (1e-300, 32_767), (-1e-300, 32_768),
  ])
  func findsTheRowOfALatitude(latitude: Double, row: Int) {
    #expect(WebMercator.row(containing: latitude) == row)
  }

  @Test(arguments: [
    (-180.0, 0), (180, 65_535), (179.999_999, 65_535), (0, 32_768), (-0.000_001, 32_767),
    (-1e-300, 32_767), (1e-300, 32_768),
  ])
  func findsTheColumnOfALongitude(longitude: Double, column: Int) {
    #expect(WebMercator.column(containing: longitude) == column)
  }
}
