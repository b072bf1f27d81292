import ContentModel

/// What holds for the whole of one decoding; a class, since every part of it carries this along.
final class DecodingSettings {
  let format: PropertyListFormat
  let userInfo: [CodingUserInfoKey: Any]
  let makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?]

  init(
    format: PropertyListFormat, userInfo: [CodingUserInfoKey: any Sendable],
    makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?]
  ) {
    (self.format, self.userInfo, self.makers) = (format, userInfo, makers)
  }
}

/// Gives `Value` what stands at a decoder's place as it is.
protocol WholeValueDecoder {
  var wholeValue: Value { get throws }
}

/// The decoder of one value.
struct SourceDecoder<Source: DecodingSource>: Decoder, WholeValueDecoder {
  let source: Source
  let path: DecodingPath
  let settings: DecodingSettings

  var codingPath: [any CodingKey] { path.keys }
  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }
  var wholeValue: Value { get throws { try reading { try source.whole } } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard source.kind == .dictionary else { throw mismatch([String: Any].self, "a dictionary") }
    return KeyedDecodingContainer(try MemberContainer<Source, Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if source.kind == .array { return ItemContainer(decoder: self) }
    guard let bytes = try bytes() else { throw mismatch([Any].self, "an array") }
    // Foundation's `Data` decodes byte by byte.
    let items = SourceDecoder<ByteSource>(source: .all(bytes), path: path, settings: settings)
    return ItemContainer(decoder: items)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  /// A value of a type, made as the type itself or the user wants it.
  @inline(__always)
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    if type == [UInt8].self, let bytes = try bytes() as? Decoded { return bytes }
    if type == String.self, let text = try string() as? Decoded { return text }
    if !settings.makers.isEmpty, let make = settings.makers[ObjectIdentifier(type)] {
      guard let made = try make(wholeValue) as? Decoded else { throw corrupted("This makes no \(type).") }
      return made
    }
    return try Decoded(from: self)
  }
}

extension SourceDecoder {
  /// Passes on what a file has wrong with the path that led there.
  @inline(__always)
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as PropertyListDecodingError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "\(error)", underlyingError: error))
    }
  }

  func mismatch(_ type: Any.Type, _ wanted: String) -> DecodingError {
    .typeMismatch(
      type, .init(codingPath: codingPath, debugDescription: "Expected \(wanted) but found \(source.kind.phrase)."))
  }

  func corrupted(_ description: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: codingPath, debugDescription: description))
  }
}

extension BinaryPropertyList.Node.Kind {
  /// As it stands in a sentence.
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

/// Data as the bytes that it is made of.
enum ByteSource: DecodingSource {
  case all([UInt8])
  case one(UInt8)

  var kind: BinaryPropertyList.Node.Kind { if case .all = self { .array } else { .integer } }
  var count: Int { if case .all(let bytes) = self { bytes.count } else { 0 } }
  var keys: [String] { [] }

  var scalar: Value {
    switch self {
    case .all(let bytes): .data(bytes)
    case .one(let byte): .integer(Int64(byte))
    }
  }

  var whole: Value { scalar }

  func member(_ key: String) -> ByteSource? { nil }

  func item(_ index: Int) -> ByteSource? {
    if case .all(let bytes) = self, bytes.indices.contains(index) { .one(bytes[index]) } else { nil }
  }
}
