/// Appends numbers and byte strings in a fixed form; what it wrote, `ByteReader` reads.
@usableFromInline package struct ByteBuilder: Sendable {
  @usableFromInline package internal(set) var bytes: [UInt8] = []

  package init() {}

  /// Makes room for so many bytes ahead.
  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Appends a number in little-endian order.
  @inlinable package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends bytes as they are.
  package mutating func append(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  /// Appends bytes as they are.
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

/// Reads what `ByteBuilder` wrote; whatever the bytes are, it never reads beyond them.
@usableFromInline package struct ByteReader {
  /// The bytes ended early, or a count in them is impossible.
  @usableFromInline package struct Malformed: Error {
    @usableFromInline package init() {}
  }

  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline package internal(set) var offset: Int

  /// Reads from an offset on; the bytes must stay where they are meanwhile.
  package init(_ bytes: UnsafeRawBufferPointer, at offset: Int = 0) {
    (self.bytes, self.offset) = (bytes, offset)
  }

  package var isAtEnd: Bool { offset == bytes.count }

  /// A number in little-endian order.
  @inlinable package mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(Malformed) -> Number {
    let size = MemoryLayout<Number>.size
    guard offset <= bytes.count - size else { throw Malformed() }
    defer { offset += size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// A count of things of which each takes at least so many bytes.
  package mutating func count(ofAtLeast size: Int = 1) throws(Malformed) -> Int {
    let count = Int(try number(UInt32.self))
    guard count <= (bytes.count - offset) / size else { throw Malformed() }
    return count
  }

  /// So many bytes.
  package mutating func raw(_ count: Int) throws(Malformed) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - offset else { throw Malformed() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }

  /// Bytes that stand after their count.
  package mutating func counted() throws(Malformed) -> UnsafeRawBufferPointer {
    try raw(try count())
  }

  /// A text that stands after its count.
  package mutating func text() throws(Malformed) -> String {
    String(decoding: try counted(), as: UTF8.self)
  }
}
