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
  /// JSON, and `{}` is JSON. The bytes may be untrusted: the time is linear in their number.
  ///
  /// - Throws: ``PropertyListDecodingError`` if the bytes are no property list of the format.
  public static func decode(
    _ bytes: [UInt8], as format: PropertyListFormat? = nil
  ) throws(PropertyListDecodingError) -> (value: Value, format: PropertyListFormat) {
    try bytes.withUnsafeBufferPointer { bytes throws(PropertyListDecodingError) in
      let format = format ?? PropertyListFormat(detectedIn: bytes)
      return (try decode(bytes, in: format), format)
    }
  }

  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, in format: PropertyListFormat
  ) throws(PropertyListDecodingError) -> Value {
    switch format {
    case .binary: try BinaryReader.decode(UnsafeRawBufferPointer(bytes))
    case .xml: try XMLReader.decode(bytes)
    case .openstep: try OpenStepReader.decode(bytes)
    case .json: try JSONReader.decode(bytes)
    }
  }
}
