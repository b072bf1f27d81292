public import ContentModel

/// Decodes property lists of all four formats into `Decodable` types.
///
/// Binary files are read lazily: what a type does not ask for is never decoded. Formats that lack a
/// kind of value carry it as text, and it is taken from there: numbers and booleans in OpenStep,
/// dates as RFC 3339 in OpenStep and JSON, data as base64 in JSON.
///
/// - Integers are checked against their width; a real is taken for one if it is whole.
/// - `Instant` decodes from dates and `[UInt8]` from data. So do Foundation's `Date` and `Data`,
///   without this importing Foundation: `Date` asks for the seconds since 2001, which is how
///   property lists count, and `Data` for bytes.
/// - `Value` takes whatever stands there.
/// - For types that decode in a way of their own, such as `URL`, see `make(_:from:)`.
///
/// ```swift
/// let product = try ValueDecoder().decode(Product.self, from: bundle.root["entries"]?["product/rose"]?["content"])
/// ```
public struct ValueDecoder: Sendable {
  /// What the types that decode may ask for, as `Decoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  private var makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?] = [:]

  /// A decoder without special cases.
  public init() {}

  /// Has a type made by a function instead of by its own `init(from:)`, wherever it stands as a
  /// value or an item.
  ///
  /// The function gets all that stands there; if it gives `nil`, decoding throws
  /// `DecodingError.dataCorrupted`.
  ///
  /// ```swift
  /// decoder.make(URL.self) { value in if case .string(let text) = value { URL(string: text) } else { nil } }
  /// ```
  public mutating func make<Made>(
    _ type: Made.Type, from function: @escaping @Sendable (Value) throws -> Made?
  ) {
    makers[ObjectIdentifier(type)] = { value in try function(value) }
  }

  /// A value of a type from the bytes of a property list, in a format that is detected if none is
  /// given.
  ///
  /// - Throws: `PropertyListDecodingError` if the bytes are no property list, `DecodingError` if
  ///   they do not fit the type; its path tells where. What a binary file has wrong below the root
  ///   is the underlying error of a `dataCorrupted`.
  public func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from bytes: [UInt8], as format: PropertyListFormat? = nil
  ) throws -> Decoded {
    let format = format ?? bytes.withUnsafeBufferPointer { PropertyListFormat(detectedIn: $0) }
    if format == .binary { return try decode(type, from: BinaryPropertyList(bytes).root) }
    return try decode(type, from: PropertyList.decode(bytes, as: format).value, writtenAs: format)
  }

  /// A value of a type from a part of a binary property list.
  ///
  /// - Throws: `DecodingError`; for `nil`, as a look-up gives that found nothing, `valueNotFound`.
  public func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from node: BinaryPropertyList.Node?
  ) throws -> Decoded {
    guard let node else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: [], debugDescription: "There is nothing to decode."))
    }
    return try decode(type, from: .node(node), .binary, fileSize: node.contents.size)
  }

  /// A value of a type from a property-list value; `format` says which kinds of value stand there
  /// as text.
  ///
  /// - Throws: `DecodingError`.
  public func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from value: Value, writtenAs format: PropertyListFormat = .binary
  ) throws -> Decoded {
    try decode(type, from: .value(value), format, fileSize: 0)
  }

  private func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from source: DecodingSource, _ format: PropertyListFormat, fileSize: Int
  ) throws -> Decoded {
    let settings = DecodingSettings(
      format: format, userInfo: userInfo, makers: makers, fileSize: fileSize)
    let decoder = SourceDecoder(source, outer: nil, key: nil, settings)
    return try ScalarPlace(source, nil, in: decoder).decode(type)
  }
}

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
