/// How a property list is written.
public enum PropertyListFormat: String, CaseIterable, Sendable {
  /// `bplist00`: the smallest and the fastest to read.
  case binary
  /// Apple's XML, document type `PLIST 1.0`.
  case xml
  /// The ASCII form of NeXT and OpenStep: strings, data, arrays and dictionaries only.
  case openstep
  /// JSON (RFC 8259); dates are RFC 3339 strings, data is base64.
  case json

  /// What a file of this format is called after the dot.
  public var fileExtension: String { self == .json ? "json" : "plist" }
}
