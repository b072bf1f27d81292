public import ContentModel

/// Property-list values to bytes and back.
public enum PropertyList {
  /// How many containers may stand inside one another, on writing and on reading; Foundation's JSON
  /// reader stops here too.
  public static let depthLimit = 512

  /// The canonical bytes of a value: keys by code point, equal values equal bytes.
  ///
  /// Formats that lack a kind of value write it as text: dates as RFC 3339, data as base64 (JSON);
  /// numbers and booleans as strings too (OpenStep). Throws where a format cannot carry a value at
  /// all.
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

  /// The value that some bytes stand for, and the format they were in.
  ///
  /// The bytes may come from anyone: whatever they are, this returns or throws in time linear in
  /// their count. Without `format` it is detected; a lone string or number reads as JSON where it
  /// is valid JSON, and `{}` is JSON's.
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
