/// A decoding container of the members of a dictionary.
struct MemberContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: SourceDecoder

  var codingPath: [any CodingKey] { decoder.codingPath }

  /// All keys, if `Key` accepts any string.
  ///
  /// `allKeys` cannot throw, so the keys are read early: otherwise, a malformed dictionary would
  /// decode as an empty one.
  private let openKeys: [Key]?

  init(_ decoder: SourceDecoder) throws {
    self.decoder = decoder
    let takesAnyKey = Key(stringValue: "\0") != nil
    do throws(PropertyListDecodingError) {
      openKeys = takesAnyKey ? try decoder.source.keys.compactMap(Key.init(stringValue:)) : nil
    } catch { throw decoder.unreadable(error) }
  }

  var allKeys: [Key] {
    openKeys ?? ((try? decoder.source.keys) ?? []).compactMap(Key.init(stringValue:))
  }

  /// Returns `true` for a malformed member, too, so that decoding it reports the error.
  func contains(_ key: Key) -> Bool {
    do { return try decoder.source.member(key.stringValue) != nil } catch { return true }
  }

  // Property lists have no null.
  func decodeNil(forKey key: Key) throws -> Bool { false }

  /// Returns the member of a key.
  @inline(__always)
  private func member(_ key: some CodingKey) throws -> ValueContainer {
    let source: DecodingSource?
    do throws(PropertyListDecodingError) {
      source = try decoder.source.member(key.stringValue)
    } catch {
      throw decoder.unreadable(error, below: key)
    }
    guard let source else {
      throw DecodingError.keyNotFound(
        key,
        .init(codingPath: codingPath, debugDescription: "There is no key '\(key.stringValue)'."))
    }
    return ValueContainer(source, key: key, in: decoder)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try member(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try member(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try member(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try member(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try member(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try member(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try member(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try member(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try member(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try member(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try member(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try member(key).decode(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try member(key).decode(type)
  }

  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try member(key).decode(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try member(key).ownDecoder.container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).ownDecoder.unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try member(AnyCodingKey.super).ownDecoder }

  func superDecoder(forKey key: Key) throws -> any Decoder { try member(key).ownDecoder }
}
