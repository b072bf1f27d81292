extension Digest {
  /// A hash as files of a format have it: as data where the format has that, else as lower-case
  /// hex.
  package func value(in format: PropertyListFormat) -> Value {
    format == .json ? .string(hex) : .data(bytes)
  }
}
