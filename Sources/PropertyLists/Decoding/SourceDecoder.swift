import ContentModel

/// The decoder of one value; a class, because the decoders of its contents refer to it for their
/// path.
final class SourceDecoder: Decoder {
  let source: DecodingSource
  let settings: DecodingSettings
  private let outer: SourceDecoder?
  private let key: (any CodingKey)?

  init(
    _ source: DecodingSource, outer: SourceDecoder?, key: (any CodingKey)?,
    settings: DecodingSettings
  ) {
    (self.source, self.outer, self.key, self.settings) = (source, outer, key, settings)
  }

  /// The keys from the root to this value, computed on access.
  var codingPath: [any CodingKey] {
    var keys: [any CodingKey] = []
    var decoder: SourceDecoder? = self
    while let current = decoder {
      if let key = current.key { keys.append(key) }
      decoder = current.outer
    }
    return keys.reversed()
  }

  var userInfo: [CodingUserInfoKey: Any] { settings.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard source.kind == .dictionary else {
      throw valueContainer.mismatch([String: Any].self, expected: "a dictionary")
    }
    return KeyedDecodingContainer(try MemberContainer<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if source.kind == .array { return ItemContainer(self) }
    guard let bytes = try valueContainer.bytes() else {
      throw valueContainer.mismatch([Any].self, expected: "an array")
    }
    // Foundation's `Data` decodes byte by byte.
    return ItemContainer(SourceDecoder(.bytes(bytes), outer: outer, key: key, settings: settings))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { valueContainer }

  /// This value as a scalar.
  var valueContainer: ValueContainer { ValueContainer(source, key: nil, in: self) }
}

/// The settings of one call of `decode`; a class, because all its decoders share one allowance.
final class DecodingSettings {
  let format: PropertyListFormat
  let userInfo: [CodingUserInfoKey: Any]
  let makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?]
  /// The number of bytes of the file that may still be decoded, which bounds the unfolding of
  /// shared objects.
  private var bytesLeft: Int

  init(
    format: PropertyListFormat, userInfo: [CodingUserInfoKey: any Sendable],
    makers: [ObjectIdentifier: @Sendable (Value) throws -> Any?], fileSize: Int
  ) {
    (self.format, self.userInfo, self.makers) = (format, userInfo, makers)
    bytesLeft = max(1 << 28, 256 * fileSize)
  }

  /// Subtracts the size of a node from the allowance: a scalar's bytes, or one for a container.
  @inline(__always)
  func take(_ source: DecodingSource) throws(PropertyListDecodingError) {
    guard case .node(let node) = source else { return }
    bytesLeft -= node.object.isContainer ? 1 : node.object.end - node.object.start
    if bytesLeft < 0 {
      throw PropertyListDecodingError(.expansionTooLarge, inBinaryAt: node.object.start)
    }
  }
}

/// A coding key for an index, for `super` or for any name.
enum AnyCodingKey: CodingKey {
  case index(Int)
  case `super`
  case name(String)

  init(stringValue: String) { self = .name(stringValue) }

  init(intValue: Int) { self = .index(intValue) }

  var stringValue: String {
    switch self {
    case .index(let index): "Index \(index)"
    case .super: "super"
    case .name(let name): name
    }
  }

  var intValue: Int? { if case .index(let index) = self { index } else { nil } }
}
