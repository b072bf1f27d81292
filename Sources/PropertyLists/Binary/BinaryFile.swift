import ContentModel

/// The borrowed bytes of a `bplist00` file and the layout that its trailer describes.
///
/// Release builds read the buffer without bounds checks, so an offset is used only after
/// `offset(of:)` or `object(at:)` has checked it.
struct BinaryFile {
  let bytes: UnsafeRawBufferPointer
  let layout: BinaryLayout

  init(_ bytes: UnsafeRawBufferPointer) throws(PropertyListDecodingError) {
    (self.bytes, layout) = (bytes, try BinaryLayout(of: bytes))
  }

  /// Creates a file whose layout has been checked.
  init(_ bytes: UnsafeRawBufferPointer, layout: BinaryLayout) {
    (self.bytes, self.layout) = (bytes, layout)
  }

  func failure(_ reason: PropertyListDecodingError.Reason, at offset: Int)
    -> PropertyListDecodingError
  {
    PropertyListDecodingError(reason, inBinaryAt: offset)
  }

  /// Returns the offset of an object, which is between the header and the offset table.
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

  /// Returns the number of the object that a container refers to; -1 if it exceeds `Int`.
  @inline(__always)
  func reference(_ index: Int, of object: Object) -> Int {
    let width = layout.referenceWidth
    return Int(exactly: bytes.bigEndian(at: object.content + index * width, width: width)) ?? -1
  }

  /// Returns a reference as a key of `ShapeTable`; -1, which no shape has, if it exceeds `Int32`.
  @inline(__always)
  func shapeNumber(_ index: Int, of object: Object) -> Int32 {
    Int32(exactly: reference(index, of: object)) ?? -1
  }

  func isString(at offset: Int) -> Bool { bytes[offset] >> 4 == 5 || bytes[offset] >> 4 == 6 }
}
