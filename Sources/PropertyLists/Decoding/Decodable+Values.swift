public import ContentModel

extension Instant: Decodable {
  /// A moment from the date that stands there, or from a number of seconds since
  /// 2001-01-01T00:00:00Z.
  public init(from decoder: any Decoder) throws {
    self.init(secondsSinceReferenceDate: try decoder.singleValueContainer().decode(Double.self))
  }
}

extension Value: Decodable {
  /// Whatever stands there; by a `ValueDecoder` only, since other decoders do not tell kinds apart.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? SourceDecoder else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "Only a ValueDecoder decodes a Value."))
    }
    self = try decoder.here.whole()
  }
}
