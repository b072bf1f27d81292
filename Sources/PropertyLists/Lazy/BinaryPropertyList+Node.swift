public import ContentModel

extension BinaryPropertyList {
  /// A value in a file, of which nothing is decoded but what is asked for.
  ///
  /// What is asked of a value of another kind is `nil`, so that a path of keys reads as one
  /// expression. What the file itself has wrong is thrown.
  public struct Node: Sendable {
    let contents: BinaryContents
    let object: BinaryFile.Object
    let number: Int
    /// How many containers stand around this.
    let depth: Int
  }
}

extension BinaryPropertyList.Node {
  /// What a value is.
  public enum Kind: Hashable, Sendable {
    /// A value without parts.
    case string, integer, real, boolean, date, data
    /// A value that holds others.
    case array, dictionary
  }

  /// What this is.
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

  /// How many items or members this has; 0 for what is no container.
  public var count: Int { object.isContainer ? object.count : 0 }

  /// The text; `nil` if this is no string.
  public var string: String? {
    get throws(PropertyListDecodingError) {
      guard kind == .string else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try file.string(object)
      }
    }
  }

  /// The number; `nil` if this is no integer.
  public var integer: Int64? {
    get throws(PropertyListDecodingError) {
      guard kind == .integer else { return nil }
      return try contents.withFile { file throws(PropertyListDecodingError) in
        try file.integer(object)
      }
    }
  }

  /// The number; `nil` if this is no real (an integer is none: see `integer`).
  public var real: Double? {
    get throws(PropertyListDecodingError) {
      guard kind == .real else { return nil }
      return try contents.withFile { file in file.real(object) }
    }
  }

  /// Whether it holds; `nil` if this is no boolean.
  public var boolean: Bool? {
    get throws(PropertyListDecodingError) {
      guard kind == .boolean else { return nil }
      return try contents.withFile { file in file.boolean(object) }
    }
  }

  /// The moment; `nil` if this is no date.
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

  /// This with all that it holds, decoded at once, under all the rules of `PropertyList.decode`.
  public var value: Value {
    get throws(PropertyListDecodingError) {
      try contents.withFile { file throws(PropertyListDecodingError) in
        try object.isContainer
          ? BinaryReader.decode(number, of: file, depth: depth) : file.scalar(object)
      }
    }
  }
}
