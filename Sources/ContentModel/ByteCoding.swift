/// A builder of binary data that `ByteReader` reads: numbers, and byte strings after their counts.
///
/// A count is a number of 32 bits, so a byte string must have fewer than 2^32 bytes.
@usableFromInline package struct ByteBuilder: Sendable {
  @usableFromInline package internal(set) var bytes: [UInt8] = []

  package init() {}

  /// Creates a builder with room for `capacity` bytes.
  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends a number in little-endian order.
  @inlinable package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes without their count.
  package mutating func append(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  /// Appends bytes without their count.
  package mutating func append(raw: ArraySlice<UInt8>) { bytes.append(contentsOf: raw) }

  /// Appends bytes after their count.
  package mutating func append(counted part: ArraySlice<UInt8>) {
    append(UInt32(part.count))
    bytes.append(contentsOf: part)
  }

  /// Appends bytes after their count.
  package mutating func append(counted part: some Collection<UInt8>) {
    append(UInt32(part.count))
    bytes.append(contentsOf: part)
  }

  /// Appends the 32 bytes of a digest.
  package mutating func append(_ digest: Digest) {
    digest.withBytes { bytes.append(contentsOf: $0) }
  }

  /// Appends a text after its count.
  package mutating func append(_ text: String) {
    var text = text
    append(UInt32(text.utf8.count))
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }
}

/// A reader of data from `ByteBuilder`, which never reads outside its bytes.
@usableFromInline package struct ByteReader {
  /// An error for bytes that end early or contain a count that exceeds them.
  @usableFromInline package struct Malformed: Error {
    @usableFromInline package init() {}
  }

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline package internal(set) var offset: Int

  /// Creates a reader from an offset; the bytes must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, offset)
  }

  package var isAtEnd: Bool { offset == bytes.count }

  /// Reads a number in little-endian order.
  @inlinable package mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(Malformed) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset <= bytes.count - size else { throw Malformed() }
    defer { offset += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// Reads a count of items, each of which has at least `size` bytes.
  package mutating func count(ofAtLeast size: Int = 1) throws(Malformed) -> Int {
    let count = Int(try number(UInt32.self))
    guard count <= (bytes.count - offset) / size else { throw Malformed() }
    return count
  }

  /// Reads `count` bytes.
  package mutating func raw(_ count: Int) throws(Malformed) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - offset else { throw Malformed() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Reads bytes after their count.
  package mutating func counted() throws(Malformed) -> UnsafeRawBufferPointer {
    try raw(try count())
  }

  /// Reads a text after its count.
  package mutating func text() throws(Malformed) -> String {
    String(decoding: try counted(), as: UTF8.self)
  }
}
