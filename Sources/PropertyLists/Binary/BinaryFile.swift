import ContentModel

/// The bytes of a `bplist00` file, and what its trailer says about them.
struct BinaryFile {
  let bytes: [UInt8]
  let objectCount: Int
  /// The number of the root object.
  let root: Int
  let referenceWidth: Int
  /// Where the objects end and the offset table begins.
  let offsetTable: Int
  private let offsetWidth: Int

  private static let trailerSize = 32

  /// Checks header and trailer: all counts that are used later fit the file.
  init(_ bytes: [UInt8]) throws(PropertyListDecodingError) {
    self.bytes = bytes
    func failure(_ reason: PropertyListDecodingError.Reason, at offset: Int) -> PropertyListDecodingError {
      PropertyListDecodingError(reason, in: .binary, at: offset, of: bytes)
    }
    if bytes.isEmpty { throw failure(.empty, at: 0) }
    guard bytes.starts(with: "bplist00".utf8) else { throw failure(.badHeader, at: 0) }
    let trailer = bytes.count - Self.trailerSize
    guard trailer >= 8 + 1 + 1 else { throw failure(.endOfInput, at: bytes.count) }
    (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
    guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth),
      let objectCount = Int(exactly: bytes.bigEndian(at: trailer + 8, width: 8)),
      let root = Int(exactly: bytes.bigEndian(at: trailer + 16, width: 8)),
      let offsetTable = Int(exactly: bytes.bigEndian(at: trailer + 24, width: 8)),
      offsetTable >= 9, offsetTable < trailer, root < objectCount,
      objectCount <= (trailer - offsetTable) / offsetWidth, objectCount < Int32.max
    else { throw failure(.badTrailer, at: trailer) }
    (self.objectCount, self.root, self.offsetTable) = (objectCount, root, offsetTable)
  }

  func failure(_ reason: PropertyListDecodingError.Reason, at offset: Int) -> PropertyListDecodingError {
    PropertyListDecodingError(reason, in: .binary, at: offset, of: bytes)
  }

  /// Where an object begins, between header and offset table.
  func offset(of number: Int) throws(PropertyListDecodingError) -> Int {
    guard number >= 0, number < objectCount else { throw failure(.badReference, at: offsetTable) }
    let entry = offsetTable + number * offsetWidth
    let offset = bytes.bigEndian(at: entry, width: offsetWidth)
    guard offset >= 8, offset < UInt64(offsetTable) else { throw failure(.outOfBounds, at: entry) }
    return Int(offset)
  }

  /// The number of the object that a container refers to; -1 if it is no possible number.
  func reference(_ index: Int, of object: Object) -> Int {
    let number = bytes.bigEndian(at: object.contentStart + index * referenceWidth, width: referenceWidth)
    return Int(exactly: number) ?? -1
  }

  func isString(at offset: Int) -> Bool { bytes[offset] >> 4 == 5 || bytes[offset] >> 4 == 6 }
}

extension [UInt8] {
  /// The number that some bytes make, the highest first; at most eight bytes, all inside the array.
  func bigEndian(at offset: Int, width: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in offset..<offset + width { number = number << 8 | UInt64(self[index]) }
    return number
  }
}
