import ContentModel

/// The decoder of one value; a class, since a decoder is passed on as `any Decoder` and is the path
/// to those inside it.
final class SourceDecoder: Decoder {
  let source: DecodingSource
  let settings: DecodingSettings
  private let outer: SourceDecoder?
  private let key: (any CodingKey)?

  init(
    _ source: DecodingSource, outer: SourceDecoder?, key: (any CodingKey)?,
    _ settings: DecodingSettings
  ) {
    (self.source, self.outer, self.key, self.settings) = (source, outer, key, settings)
  }

  /// The keys that lead here from the root, made only when somebody asks.
  var codingPath: [any CodingKey] {
    var (keys, decoder): ([any CodingKey], SourceDecoder?) = ([], self)
    while let here = decoder {
      if let key = here.key { keys.append(key) }
      decoder = here.outer
    }
    return keys.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard source.kind == .dictionary else {
      throw here.mismatch([String: Any].self, "a dictionary")
    }
    return KeyedDecodingContainer(try MemberContainer<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if source.kind == .array { return ItemContainer(self) }
    guard let bytes = try here.bytes() else { throw here.mismatch([Any].self, "an array") }
    // Foundation's `Data` decodes byte by byte.
    return ItemContainer(SourceDecoder(.bytes(bytes), outer: outer, key: key, settings))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { here }

  /// This value as a scalar.
  var here: ScalarPlace { ScalarPlace(source, nil, in: self) }
}
