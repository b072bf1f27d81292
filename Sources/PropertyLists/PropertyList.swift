public import ContentModel

/// Conversion between property-list values and bytes.
///
/// ```swift
/// let value: Value = ["title": "Rose", "price": 39.5, "tags": ["red", "garden"]]
/// let bytes = try PropertyList.encode(value, as: .binary)
/// let (decoded, format) = try PropertyList.decode(bytes)
/// ```
public enum PropertyList {
  /// The greatest number of nested containers, when encoding and when decoding; the limit of
  /// Foundation's JSON reader.
  public static let depthLimit = 512

  /// The greatest number of values that ``decode(_:as:valueLimit:)`` reads by default, and of the
  /// items or members of one container that a ``BinaryPropertyList`` gives.
  ///
  /// A value can take one byte of a file but fifty of memory, so a limit of the file's size alone
  /// does not bound the memory. A release's record of 64 MB has fewer values.
  public static let valueLimit = 1 << 21

  /// Returns the canonical bytes of a value: keys are sorted by code point, and equal values give
  /// equal bytes.
  ///
  /// A format that lacks a kind of value has it as text. JSON has dates in RFC 3339 form and data
  /// in base64; OpenStep has dates, numbers and booleans as strings.
  ///
  /// - Throws: ``PropertyListEncodingError`` if the format cannot represent the value.
  public static func encode(
    _ value: Value, as format: PropertyListFormat
  ) throws(PropertyListEncodingError) -> [UInt8] {
    switch format {
    case .binary: try BinaryWriter.encode(value)
    case .xml: try XMLWriter.encode(value)
    case .openstep: try OpenStepWriter.encode(value)
    case .json: try JSONWriter.encode(value)
    }
  }

  /// Returns the value of a property list, and its format.
  ///
  /// Without `format`, the function detects it. A single string or number is JSON if it is valid
  /// JSON, and `{}` is JSON. The bytes may be untrusted: the time is linear in their number, and
  /// the memory in their number and that of the values. A file of the caller's own may have a
  /// greater `valueLimit`.
  ///
  /// ```swift
  /// let own = try PropertyList.decode(bytes, valueLimit: .max).value
  /// ```
  ///
  /// - Throws: ``PropertyListDecodingError`` if the bytes are no property list of the format, or
  ///   have more than `valueLimit` values, containers among them.
  public static func decode(
    _ bytes: [UInt8], as format: PropertyListFormat? = nil, valueLimit: Int = valueLimit
  ) throws(PropertyListDecodingError) -> (value: Value, format: PropertyListFormat) {
    try bytes.withUnsafeBufferPointer { bytes throws(PropertyListDecodingError) in
      let format = format ?? PropertyListFormat(detectedIn: bytes)
      return (try decode(bytes, in: format, valueLimit: valueLimit), format)
    }
  }

  /// Checks that readers accept the number of values of a file that an encoder wrote.
  ///
  /// Only a large file can have too many, so that others are not read.
  ///
  /// - Throws: ``PropertyListEncodingError`` with the reason `tooManyValues`.
  package static func requireReadableCount(
    of bytes: [UInt8], as format: PropertyListFormat
  ) throws(PropertyListEncodingError) {
    guard bytes.count / format.leastBytesPerValue(in: bytes) >= valueLimit else { return }
    do { _ = try decode(bytes, as: format) } catch {
      throw PropertyListEncodingError(.tooManyValues, in: format)
    }
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, in format: PropertyListFormat, valueLimit: Int
  ) throws(PropertyListDecodingError) -> Value {
    do throws(TextMistake) {
      switch format {
      case .binary: break
      case .xml: return try XMLReader.decode(bytes, valueLimit: valueLimit)
      case .openstep: return try OpenStepReader.decode(bytes, valueLimit: valueLimit)
      case .json: return try JSONReader.decode(bytes, valueLimit: valueLimit)
      }
    } catch {
      throw PropertyListDecodingError(error.reason, in: format, at: error.offset, of: bytes)
    }
    return try BinaryReader.decode(UnsafeRawBufferPointer(bytes), valueLimit: valueLimit)
  }
}

extension PropertyListFormat {
  /// Returns the fewest bytes that a value takes in a file of the format.
  fileprivate func leastBytesPerValue(in bytes: [UInt8]) -> Int {
    switch self {
    // A reference. A container with two references can be read twice.
    case .binary: bytes.count > 32 ? max(1, Int(bytes[bytes.count - 25]) / 2) : 1
    case .xml: 7  // <true/>
    case .json, .openstep: 2  // A digit and a comma.
    }
  }
}
