import ContentModel

/// A decoder's value, or its item or member at a key, which can be decoded without a decoder of its
/// own.
struct ValueContainer {
  let source: DecodingSource
  let key: (any CodingKey)?
  let decoder: SourceDecoder

  @inline(__always)
  init(_ source: DecodingSource, key: (any CodingKey)?, in decoder: SourceDecoder) {
    (self.source, self.key, self.decoder) = (source, key, decoder)
  }

  /// The decoder of this value.
  var ownDecoder: SourceDecoder {
    get throws {
      guard let key else { return decoder }
      try reading { () throws(PropertyListDecodingError) in try decoder.settings.take(source) }
      return SourceDecoder(source, outer: decoder, key: key, settings: decoder.settings)
    }
  }

  /// Returns a value of a type, made by the caller's function for the type or by its
  /// `init(from:)`.
  @inline(__always)
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if type == [UInt8].self, let bytes = try bytes() as? Decoded { return bytes }
    if type == Value.self, let value = try value() as? Decoded { return value }
    if !decoder.settings.makers.isEmpty, let make = decoder.settings.makers[ObjectIdentifier(type)]
    {
      guard let made = try make(value()) as? Decoded else {
        throw corrupted("This makes no \(type).")
      }
      return made
    }
    return try Decoded(from: ownDecoder)
  }

  func value() throws -> Value {
    try reading { () throws(PropertyListDecodingError) in
      try decoder.settings.take(source)
      return try source.value
    }
  }
}

extension ValueContainer {
  /// Calls `body` and rethrows an error of the file as a `DecodingError` with the coding path.
  @inline(__always)
  private func reading<Result>(_ body: () throws(PropertyListDecodingError) -> Result) throws
    -> Result
  {
    do { return try body() } catch { throw decoder.unreadable(error, below: key) }
  }

  func mismatch(_ type: Any.Type, expected: String) -> DecodingError {
    .typeMismatch(type, context("Expected \(expected) but found \(source.kind.phrase)."))
  }

  func corrupted(_ description: String) -> DecodingError { .dataCorrupted(context(description)) }

  private func context(_ description: String) -> DecodingError.Context {
    .init(codingPath: codingPath, debugDescription: description)
  }
}

extension SourceDecoder {
  /// Returns an error of the file as a `DecodingError`.
  func unreadable(_ error: PropertyListDecodingError, below key: (any CodingKey)? = nil)
    -> DecodingError
  {
    let path = key.map { codingPath + [$0] } ?? codingPath
    return .dataCorrupted(
      .init(codingPath: path, debugDescription: "\(error)", underlyingError: error))
  }
}

extension BinaryPropertyList.Node.Kind {
  /// The kind with an article, for messages.
  fileprivate var phrase: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real"
    case .boolean: "a boolean"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }
}
