public import ContentModel

extension BinaryPropertyList {
  /// A value in a file, decoded on access.
  ///
  /// A property for another kind of value is `nil`, so a path of keys is one expression. A
  /// malformed file throws.
  public struct Node: Sendable {
    let contents: BinaryContents
    let object: BinaryFile.Object
    /// The number of the value's object; values with the same number are one object of the file.
    package let number: Int
    /// The number of containers around this value.
    let depth: Int
  }
}

extension BinaryPropertyList.Node {
  /// The kinds of values.
  public enum Kind: Hashable, Sendable {
    /// A scalar.
    case string, integer, real, boolean, date, data
    /// A container.
    case array, dictionary
  }

  /// The kind of this value.
  public var kind: Kind {
    switch object.kind {
    case .ascii, .utf16: .string
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .array: .array
    case .dictionary: .dictionary
    }
  }

  /// The number of items or members; 0 for a scalar.
  public var count: Int { object.isContainer ? object.count : 0 }

  /// The text; `nil` if this is no string.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the bytes are not ASCII or UTF-16.
  public var string: String? {
    get throws(PropertyListDecodingError) {
      guard kind == .string else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try file.string(object)
      }
    }
  }

  /// The number; `nil` if this is no integer.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the number exceeds 64 bits.
  public var integer: Int64? {
    get throws(PropertyListDecodingError) {
      guard kind == .integer else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try file.integer(object)
      }
    }
  }

  /// The number; `nil` if this is no real.
  ///
  /// For a number without a point, see ``integer``.
  public var real: Double? {
    get throws(PropertyListDecodingError) {
      guard kind == .real else { return nil }
      return try contents.withFile { file in file.real(object) }
    }
  }

  /// The Boolean value; `nil` if this is no boolean.
  public var boolean: Bool? {
    get throws(PropertyListDecodingError) {
      guard kind == .boolean else { return nil }
      return try contents.withFile { file in file.boolean(object) }
    }
  }

  /// The date; `nil` if this is no date.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the date is infinite or not a number.
  public var date: Instant? {
    get throws(PropertyListDecodingError) {
      guard kind == .date else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in try file.date(object)
      }
    }
  }

  /// The bytes; `nil` if this is no data.
  public var data: [UInt8]? {
    get throws(PropertyListDecodingError) {
      guard kind == .data else { return nil }
      return try contents.withFile { file in Array(file.bytes[object.content..<object.end]) }
    }
  }

  /// The value and its contents, decoded at once under all rules of
  /// ``PropertyList/decode(_:as:valueLimit:)``.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the value or its contents are malformed.
  public var value: Value {
    get throws(PropertyListDecodingError) {
      try contents.withFile { file throws(PropertyListDecodingError) in
        try object.isContainer
          ? BinaryReader.decode(
            number, of: file, depth: depth, valueLimit: PropertyList.valueLimit)
          : file.scalar(object)
      }
    }
  }
}
