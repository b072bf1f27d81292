import ContentModel

/// The bytes of a `bplist00` file, lent for the length of one call, and what its trailer says about
/// them.
///
/// The buffer is read without bounds checks in release builds: an offset is used only after
/// `offset(of:)` or `object(at:)` has held it against the file's own limits.
struct BinaryFile {
  let bytes: UnsafeRawBufferPointer
  let layout: BinaryLayout

  init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListDecodingError) {
    (self.bytes, layout) = (bytes, try BinaryLayout(of: bytes))
  }

  /// A file of which the layout has been checked before.
  init(_ bytes: UnsafeRawBufferPointer, layout: BinaryLayout) {
    (self.bytes, self.layout) = (bytes, layout)
  }

  func failure(_ reason: PropertyListDecodingError.Reason, at offset: Int)
    -> PropertyListDecodingError
  {
    PropertyListDecodingError(reason, inBinaryAt: offset)
  }

  /// Where an object begins, between header and offset table.
  @inline(__always)
  func offset(of number: Int) throws(PropertyListDecodingError) -> Int {
    guard number >= 0, number < layout.objectCount else {
      throw failure(.badReference, at: layout.offsetTable)
    }
    let entry = layout.offsetTable + number * layout.offsetWidth
    let offset = bytes.bigEndian(at: entry, width: layout.offsetWidth)
    guard offset >= 8, offset < UInt64(layout.offsetTable) else {
      throw failure(.outOfBounds, at: entry)
    }
    return Int(offset)
  }

  /// The number of the object that a container refers to; -1 if it is no possible number.
  @inline(__always)
  func reference(_ index: Int, of object: Object) -> Int {
    let width = layout.referenceWidth
    return Int(exactly: bytes.bigEndian(at: object.content + index * width, width: width)) ?? -1
  }

  /// A reference as it tells shapes apart; -1, which no shape has, if it can be no object's number.
  @inline(__always)
  func shapeNumber(_ index: Int, of object: Object) -> Int32 {
    Int32(exactly: reference(index, of: object)) ?? -1
  }

  func isString(at offset: Int) -> Bool { bytes[offset] >> 4 == 5 || bytes[offset] >> 4 == 6 }
}
