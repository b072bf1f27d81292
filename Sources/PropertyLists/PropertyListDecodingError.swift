public import ContentModel

/// Why some bytes are no property list, and where.
public struct PropertyListDecodingError: Error, Hashable {
  /// A place in a text; both count from 1, columns in Unicode scalars.
  public struct TextPosition: Hashable, Sendable {
    /// The line, from 1.
    public let line: Int
    /// The column, from 1.
    public let column: Int
  }

  /// The offset of the offending byte, from 0 up to the byte count.
  public let offset: Int
  /// The same place as a person would look it up; `nil` in binary files.
  public let position: TextPosition?
  /// The format that was read.
  public let format: PropertyListFormat
  /// Why it cannot be read.
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
  /// Where a byte stands; a line ends in LF, CR or both.
  init(of offset: Int, in bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var (line, column) = (1, 1)
    let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for index in start..<max(start, min(offset, bytes.count)) {
      switch bytes[index] {
      case UInt8(ascii: "\n"): (line, column) = (line + 1, 1)
      case UInt8(ascii: "\r"):
        let isHalf = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
        if !isHalf { (line, column) = (line + 1, 1) }
      case 0x80...0xBF: break
      default: column += 1
      }
    }
    (self.line, self.column) = (line, column)
  }
}

extension PropertyListDecodingError: CustomStringConvertible {
  /// The place and the rule that was broken, in one sentence.
  public var description: String {
    let place = position.map { "line \($0.line), column \($0.column)" } ?? "byte \(offset)"
    return "\(format.title) property list, \(place): \(reason)"
  }
}

extension PropertyListFormat {
  /// What the format is called in a sentence.
  var title: String {
    switch self {
    case .binary: "binary"
    case .xml: "XML"
    case .openstep: "OpenStep"
    case .json: "JSON"
    }
  }
}
