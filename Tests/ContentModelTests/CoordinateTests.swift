import ContentModel
import Foundation
import Testing

@Suite struct CoordinateTests {
  @Test(arguments: [
    (90.0, 180.0), (-90, -180), (0, 0), (52.52, 13.405), (89.999_999_9, -179.999_999_9),
  ])
  func keepsDegreesInRange(latitude: Double, longitude: Double) throws {
    let coordinate = try #require(Coordinate(latitude: latitude, longitude: longitude))
    #expect((coordinate.latitude, coordinate.longitude) == (latitude, longitude))
  }

  @Test(arguments: [
    (90.000_000_1, 0.0), (-90.000_000_1, 0), (0, 180.000_000_1), (0, -180.000_000_1), (.nan, 0),
    (0, .nan), (.infinity, 0), (0, -.infinity), (1e300, 1e300), (.signalingNaN, 0),
  ])
  func refusesOtherDegrees(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test func hasNoNegativeZero() throws {
    let coordinate = try #require(Coordinate(latitude: -0.0, longitude: -0.0))
    #expect(coordinate.latitude.sign == .plus && coordinate.longitude.sign == .plus)
    #expect(Coordinate.rounded(-4e-7, decimals: 6).sign == .plus)
  }

  /// Latitude and longitude, those of another position, and the distance in metres.
  ///
  /// They are by Vincenty's formula for a sphere with 40 digits (mpmath 1.3). The class `Geod` of
  /// pyproj 3.7, on a sphere with the same radius, agrees to a micrometre.
  private static let distances: [(Double, Double, Double, Double, Double)] = [
    (52.52, 13.405, 48.856_6, 2.352_2, 877_464.537_921_509_173),
    (-33.868_8, 151.209_3, 40.712_8, -74.006, 15_988_777.591_649_340_7),
    (0, 0, 0, 180, 20_015_114.442_035_924_3),
    (90, 0, -90, 0, 20_015_114.442_035_924_3),
    (90, 12, 90, -99, 0),
    (35.5, -120.25, -35.5, 59.75, 20_015_114.442_035_924_3),
    (35.5, -120.25, -35.499_999, 59.75, 20_015_114.330_840_844_1),
    (35.5, -120.25, -35.5, 59.749_999, 20_015_114.351_510_283_9),
    (60, 10, 60.000_001, 10, 0.111_195_080_233_532_913),
    (60, 10, 60, 10.000_001, 0.055_597_540_116_766_455_9),
    (89.999_999, 0, 89.999_999, 180, 0.222_390_160_467_065_826),
    (10, 180, 10, -180, 0),
    (10, 179.999_999, 10, -179.999_999, 0.219_011_554_221_595_478),
    (-17.713_4, 178.065, -13.833_3, -171.75, 1_171_828.823_795_407_47),
    (0, 0, 45, 90, 10_007_557.221_017_962_2),
    (0, 0, 0, 0.000_000_1, 0.011_119_508_023_353_291_3),
    (89, -170, 89, 170, 38_615.744_635_341_408_8),
    (48.137_154, 11.576_124, 48.137_254, 11.576_224, 13.368_196_237_354_273_9),
    (1, 2, -1, -177.999_9, 20_015_103.324_221_455_9),
  ]

  @Test(arguments: distances)
  func measuresKnownDistances(
    latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double,
    metres: Double
  ) throws {
    let a = try #require(Coordinate(latitude: latitude, longitude: longitude))
    let b = try #require(Coordinate(latitude: otherLatitude, longitude: otherLongitude))
    #expect(abs(a.distance(to: b) - metres) <= 1e-8)
    #expect(a.distance(to: b) == b.distance(to: a))
    #expect(a.distance(to: a) == 0)
  }

  @Test func measuresTinyDistancesWithRelativeAccuracy() throws {
    // 1e-12 degrees: a cosine would be 1.
    let a = try #require(Coordinate(latitude: 0, longitude: 0))
    let b = try #require(Coordinate(latitude: 0, longitude: 1e-12))
    let metres = 1e-12 * .pi / 180 * Coordinate.earthRadius
    #expect(abs(a.distance(to: b) / metres - 1) < 1e-14)
  }

  @Test(arguments: [
    (1.0000005, 1.000_001), (1.000_000_4, 1), (-1.000_000_5, -1.000_001), (90, 90), (-180, -180),
    (13.405, 13.405), (0.000_000_49, 0), (0.000_000_51, 0.000_001), (179.999_999_6, 180),
    (-0.1, -0.1), (123.456_789_012, 123.456_789),
  ])
  func roundsToSixDecimals(degrees: Double, rounded: Double) {
    #expect(Coordinate.rounded(degrees, decimals: 6).bitPattern == (rounded + 0).bitPattern)
  }

  /// The shortest text of a rounded number has at most 6 decimals, so every format writes it so.
  @Test func roundsToTheNumberOfItsDecimalText() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let degrees = Double.random(in: -180...180, using: &generator)
      let rounded = Coordinate.rounded(degrees, decimals: 6)
      #expect(abs(rounded - degrees) <= 5.000_001e-7)
      #expect(Coordinate.rounded(rounded, decimals: 6) == rounded)
      #expect(Double(String(format: "%.6f", rounded)) == rounded, "\(degrees)")
    }
  }

  @Test func roundsWithAnyNumberOfDecimals() {
    #expect(Coordinate.rounded(1.25, decimals: .min) == 1)
    #expect(Coordinate.rounded(1.25, decimals: .max) == 1.25)
  }

  @Test func clampsDegreesToTheirRanges() {
    let coordinate = Coordinate(clampedLatitude: 91, longitude: -.infinity)
    #expect((coordinate.latitude, coordinate.longitude) == (90, -180))
    #expect(Coordinate(clampedLatitude: .nan, longitude: .nan).latitude == 0)
  }

  @Test func decodesItsEncoding() throws {
    let coordinate = try #require(Coordinate(latitude: -33.868_8, longitude: 151.209_3))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(coordinate)
    #expect(String(decoding: data, as: UTF8.self) == #"{"latitude":-33.8688,"longitude":151.2093}"#)
    #expect(try JSONDecoder().decode(Coordinate.self, from: data) == coordinate)
  }

  @Test(arguments: [
    (#"{"latitude": 91, "longitude": 0}"#, "latitude"),
    (#"{"latitude": 0, "longitude": -180.5}"#, "longitude"),
  ])
  func refusesToDecodeOtherDegrees(json: String, key: String) {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Coordinate.self, from: Data(json.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == [key])
  }
}
