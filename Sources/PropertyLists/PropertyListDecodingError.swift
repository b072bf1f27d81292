public import ContentModel

/// An error in the bytes of a property list, with its place.
///
/// ```swift
/// do {
///   _ = try PropertyList.decode(Array("[1,\n null]".utf8))
/// } catch {
///   // “JSON property list, line 2, column 2: property lists have no null”
///   show(error.description)
/// }
/// ```
public struct PropertyListDecodingError: Error, Hashable {
  /// A place in a text; lines end in LF, CR or CR LF, and columns are Unicode scalars.
  public struct TextPosition: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
  }

  /// The offset of the offending byte, from 0 up to the byte count.
  public let offset: Int
  /// The line and column of the offending byte; `nil` in binary files.
  public let position: TextPosition?
  /// The format that the caller passed or the reader detected.
  public let format: PropertyListFormat
  /// The rule that the bytes break.
  public let reason: Reason

  init(
    _ reason: Reason, in format: PropertyListFormat, at offset: Int, of text: some Collection<UInt8>
  ) {
    (self.reason, self.format, self.offset) = (reason, format, offset)
    position = TextPosition(of: offset, in: text)
  }

  init(_ reason: Reason, inBinaryAt offset: Int) {
    (self.reason, format, self.offset, position) = (reason, .binary, offset, nil)
  }
}

extension PropertyListDecodingError.TextPosition {
  /// Creates the position of a byte.
  init(of offset: Int, in bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var line = 1
    var column = 1
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for index in start..<max(start, min(offset, bytes.count)) {
      switch bytes[index] {
      case UInt8(ascii: "\r") where bytes[(index + 1)...].first == UInt8(ascii: "\n"):
        // The line ends with the next byte.
        break
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        line += 1
        column = 1
      case 0x80...0xBF: break
      default: column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }
}

extension PropertyListDecodingError: CustomStringConvertible {
  /// The format, the place and the rule.
  public var description: String {
    let place = position.map { "line \($0.line), column \($0.column)" } ?? "byte \(offset)"
    return "\(format.title) property list, \(place): \(reason)"
  }
}

extension PropertyListFormat {
  /// The name of the format, for messages.
  var title: String {
    switch self {
    case .binary: "binary"
    case .xml: "XML"
    case .openstep: "OpenStep"
    case .json: "JSON"
    }
  }
}
