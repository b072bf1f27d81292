extension Coordinate: Codable {
  private enum CodingKeys: String, CodingKey {
    case latitude
    case longitude
  }

  /// Decodes a coordinate from a dictionary with the numbers `latitude` and `longitude`.
  ///
  /// - Throws: `DecodingError` if a number is missing or out of its range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      let isLatitude = !(-90...90).contains(latitude)
      throw DecodingError.dataCorruptedError(
        forKey: isLatitude ? .latitude : .longitude, in: container,
        debugDescription: isLatitude
          ? "Latitude \(latitude) is not within -90 to 90."
          : "Longitude \(longitude) is not within -180 to 180.")
    }
    self = coordinate
  }

  /// Encodes a dictionary with the numbers `latitude` and `longitude`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .latitude)
    try container.encode(longitude, forKey: .longitude)
  }
}
