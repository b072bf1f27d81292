public import ContentModel

/// A decoder of property lists in all four formats into `Decodable` types.
///
/// ```swift
/// struct Product: Decodable {
///   let title: String
///   let price: Double
/// }
///
/// let bundle = try BinaryPropertyList(contentsOf: path)
/// let rose = try bundle.root["entries"]?["product/rose"]
/// let product = try ValueDecoder().decode(Product.self, from: rose)
/// ```
///
/// Binary files are read lazily: a member that the type does not decode is never read. A format
/// that lacks a kind of value has it as text, and the decoder converts it: numbers and booleans in
/// OpenStep, dates in RFC 3339 form in OpenStep and JSON, data in base64 in JSON.
///
/// - An integer must fit the width of its type; a real without a fraction decodes as an integer.
/// - `Instant` decodes from a date and `[UInt8]` from data. Foundation's `Date` and `Data` do, too,
///   although this module does not import Foundation.
/// - `Value` decodes from any value.
/// - For types with their own encoding, such as `URL`, see ``make(_:from:)``.
public struct ValueDecoder: Sendable {
  /// The values that decoding types read as `Decoder.userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  private var makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?] = [:]

  /// Creates a decoder that uses the `init(from:)` of every type.
  public init() {}

  /// Decodes a type with a function instead of its `init(from:)`.
  ///
  /// ```swift
  /// var decoder = ValueDecoder()
  /// decoder.make(URL.self) { value in
  ///   if case .string(let text) = value { URL(string: text) } else { nil }
  /// }
  /// ```
  ///
  /// The function receives the whole value. If it returns `nil`, decoding throws
  /// `DecodingError.dataCorrupted`.
  public mutating func make<Made>(
    _ type: Made.Type, from function: @escaping @Sendable (Value) throws -> Made?
  ) {
    makers[ObjectIdentifier(type)] = { value in try function(value) }
  }

  /// Decodes a type from the bytes of a property list.
  ///
  /// Without `format`, the decoder detects it, as ``PropertyList/decode(_:as:valueLimit:)`` does.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the bytes are no property list, `DecodingError` if
  ///   they do not match the type. If a part of a binary file is malformed, the underlying error
  ///   of `DecodingError.dataCorrupted` is a ``PropertyListDecodingError``.
  public func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from bytes: [UInt8], as format: PropertyListFormat? = nil
  ) throws -> Decoded {
    let format = format ?? bytes.withUnsafeBufferPointer { PropertyListFormat(detectedIn: $0) }
    if format == .binary { return try decode(type, from: BinaryPropertyList(bytes).root) }
    return try decode(type, from: PropertyList.decode(bytes, as: format).value, writtenAs: format)
  }

  /// Decodes a type from a part of a binary property list.
  ///
  /// - Throws: `DecodingError` if the part does not match the type or is malformed;
  ///   `DecodingError.valueNotFound` if `node` is `nil`.
  public func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from node: BinaryPropertyList.Node?
  ) throws -> Decoded {
    guard let node else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: [], debugDescription: "There is nothing to decode."))
    }
    return try decode(type, from: .node(node), format: .binary, fileSize: node.contents.size)
  }

  /// Decodes a type from a value.
  ///
  /// If the value was read from a format that lacks some kinds of values, pass that `format`, so
  /// that the decoder converts text to them.
  ///
  /// - Throws: `DecodingError` if the value does not match the type.
  public func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from value: Value, writtenAs format: PropertyListFormat = .binary
  ) throws -> Decoded {
    try decode(type, from: .value(value), format: format, fileSize: 0)
  }

  private func decode<Decoded: Decodable>(
    _ type: Decoded.Type, from source: DecodingSource, format: PropertyListFormat, fileSize: Int
  ) throws -> Decoded {
    let settings = DecodingSettings(
      format: format, userInfo: userInfo, makers: makers, fileSize: fileSize)
    let decoder = SourceDecoder(source, outer: nil, key: nil, settings: settings)
    return try ValueContainer(source, key: nil, in: decoder).decode(type)
  }
}

extension Instant: Decodable {
  /// Decodes an instant from a date, or from a number of seconds since 2001-01-01T00:00:00Z.
  public init(from decoder: any Decoder) throws {
    self.init(secondsSinceReferenceDate: try decoder.singleValueContainer().decode(Double.self))
  }
}

extension Value: Decodable {
  /// Decodes a value of any kind.
  ///
  /// - Throws: `DecodingError.dataCorrupted` in other decoders than ``ValueDecoder``, which do not
  ///   distinguish the kinds.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? SourceDecoder else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "Only a ValueDecoder decodes a Value."))
    }
    self = try decoder.valueContainer.value()
  }
}
