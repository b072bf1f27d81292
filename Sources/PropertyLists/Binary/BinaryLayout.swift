import ContentModel

/// The checked trailer of a `bplist00` file.
struct BinaryLayout: Sendable {
  let objectCount: Int
  /// The number of the root object.
  let root: Int
  /// The number of bytes of a reference, 1 to 8.
  let referenceWidth: Int
  /// The offset of the offset table, at which the objects end.
  let offsetTable: Int
  /// The number of bytes of an entry of the offset table, 1 to 8.
  let offsetWidth: Int

  private static let trailerSize = 32

  /// Reads the trailer after checking that the header is valid and all counts fit the file.
  init(of bytes: UnsafeRawBufferPointer) throws(PropertyListDecodingError) {
    if bytes.isEmpty { throw PropertyListDecodingError(.empty, inBinaryAt: 0) }
    guard bytes.starts(with: "bplist00".utf8) else {
      throw PropertyListDecodingError(.badHeader, inBinaryAt: 0)
    }
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= 8 + 1 + 1 else {
      throw PropertyListDecodingError(.endOfInput, inBinaryAt: bytes.count)
    }
    (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
      let objectCount = Int(exactly: bytes.bigEndian(at: trailer + 8, width: 8)),
      let root = Int(exactly: bytes.bigEndian(at: trailer + 16, width: 8)),
      let offsetTable = Int(exactly: bytes.bigEndian(at: trailer + 24, width: 8)),
      offsetTable >= 9, offsetTable < trailer, root < objectCount,
      objectCount <= (trailer - offsetTable) / offsetWidth, objectCount < Int32.max
    else { throw PropertyListDecodingError(.badTrailer, inBinaryAt: trailer) }
    (self.objectCount, self.root, self.offsetTable) = (objectCount, root, offsetTable)
  }
}
