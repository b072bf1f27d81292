/// The items of an array, one after another.
struct ItemContainer<Source: DecodingSource>: UnkeyedDecodingContainer {
  let decoder: SourceDecoder<Source>
  private(set) var currentIndex = 0

  init(decoder: SourceDecoder<Source>) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { decoder.source.count }
  var isAtEnd: Bool { currentIndex >= decoder.source.count }

  // Property lists have no null.
  func decodeNil() throws -> Bool { false }

  /// What the next item gives; only then is it passed.
  @inline(__always)
  private mutating func next<Result>(
    _ type: Any.Type, _ body: (SourceDecoder<Source>) throws -> Result
  ) throws -> Result {
    let path = DecodingPath.below(decoder.path, PlainKey(index: currentIndex))
    guard let source = try decoder.reading({ try decoder.source.item(currentIndex) }) else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: path.keys, debugDescription: "There are only \(decoder.source.count) items."))
    }
    let result = try body(SourceDecoder(source: source, path: path, settings: decoder.settings))
    currentIndex += 1
    return result
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: String.Type) throws -> String { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Double.Type) throws -> Double { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Float.Type) throws -> Float { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int.Type) throws -> Int { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next(type) { try $0.decode(type) } }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next(type) { try $0.decode(type) } }

  mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try next(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next(KeyedDecodingContainer<Nested>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try next((any Decoder).self) { $0 }
  }
}
