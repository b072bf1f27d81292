import ContentModel

extension BinaryFile {
  /// An object of a file: its kind and the range of its content, which is inside the file.
  struct Object: Sendable {
    enum Kind: Sendable { case boolean, integer, real, date, data, ascii, utf16, array, dictionary }

    let kind: Kind
    let start: Int
    /// The offset of a scalar's bytes or of a container's references.
    let content: Int
    let end: Int
    /// The number of bytes, UTF-16 units, items or members.
    let count: Int

    var isContainer: Bool { kind == .array || kind == .dictionary }
  }

  /// Returns the object at an offset after checking that it is inside the file, but not its
  /// content.
  func object(at start: Int) throws(PropertyListDecodingError) -> Object {
    let marker = bytes[start]
    switch marker >> 4 {
    case 0x5: return try sized(.ascii, at: start, unit: 1)
    case 0x1 where marker & 15 <= 4:
      return try fixed(.integer, at: start, width: 1 << Int(marker & 15))
    case 0xA: return try sized(.array, at: start, unit: layout.referenceWidth)
    case 0xD: return try sized(.dictionary, at: start, unit: 2 * layout.referenceWidth)
    case 0x6: return try sized(.utf16, at: start, unit: 2)
    case 0x4: return try sized(.data, at: start, unit: 1)
    default: break
    }
    switch marker {
    case 0x08, 0x09: return try fixed(.boolean, at: start, width: 0)
    case 0x22: return try fixed(.real, at: start, width: 4)
    case 0x23: return try fixed(.real, at: start, width: 8)
    case 0x33: return try fixed(.date, at: start, width: 8)
    case 0x80...0x8F: throw failure(.uid, at: start)
    default: throw failure(.unsupportedObject(marker), at: start)
    }
  }

  @inline(__always)
  private func fixed(_ kind: Object.Kind, at start: Int, width: Int)
    throws(PropertyListDecodingError) -> Object
  {
    let end = start + 1 + width
    guard end <= layout.offsetTable else { throw failure(.outOfBounds, at: start) }
    return Object(kind: kind, start: start, content: start + 1, end: end, count: width)
  }

  @inline(__always)
  private func sized(_ kind: Object.Kind, at start: Int, unit: Int)
    throws(PropertyListDecodingError) -> Object
  {
    let short = Int(bytes[start] & 15)
    let (count, content) = short < 15 ? (short, start + 1) : try longCount(at: start)
    guard count <= (layout.offsetTable - content) / unit else {
      throw failure(.outOfBounds, at: start)
    }
    return Object(
      kind: kind, start: start, content: content, end: content + count * unit, count: count)
  }

  /// Returns a count of fifteen or more, an integer after the object's first byte, and the offset
  /// of the content.
  private func longCount(at start: Int) throws(PropertyListDecodingError) -> (
    count: Int, content: Int
  ) {
    guard start + 1 < layout.offsetTable, bytes[start + 1] >> 4 == 1, bytes[start + 1] & 15 <= 3
    else {
      throw failure(.outOfBounds, at: start)
    }
    let width = 1 << Int(bytes[start + 1] & 15)
    guard start + 2 + width <= layout.offsetTable,
      let count = Int(exactly: bytes.bigEndian(at: start + 2, width: width))
    else { throw failure(.outOfBounds, at: start) }
    return (count, start + 2 + width)
  }
}
