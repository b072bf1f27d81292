extension BinaryLinker {
  /// A finished file.
  package struct File: Sendable {
    package var bytes: [UInt8]
    /// The offsets of ranges that other files with the same shared objects have, too.
    package var seams: [Int]
  }

  private static let head = Array("bplist00".utf8)

  /// Returns the file with an object as its root and prepares the linker for the next file.
  package mutating func finish(root: Object) -> File {
    let width = UInt64(starts.count - 1).byteWidth
    let sharedEnd = Self.head.count + shared.body + shared.references * width
    let offsetTable = Self.head.count + body.count + references.count * width
    let offsetWidth = UInt64(offsetTable).byteWidth
    let size = offsetTable + starts.count * offsetWidth + 32
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { output, count in
      var writer = ByteWriter(output)
      if let last, last.referenceWidth == width {
        last.file.bytes.withUnsafeBytes {
          writer.copy(UnsafeRawBufferPointer(rebasing: $0[..<sharedEnd]))
        }
      } else {
        Self.head.withUnsafeBytes { writer.copy($0) }
        writeObjects(from: Extent(), to: shared, &writer, referenceWidth: width)
      }
      writeObjects(from: shared, to: extent, &writer, referenceWidth: width)
      writeOffsets(&writer, referenceWidth: width, width: offsetWidth)
      for byte in [0, 0, 0, 0, 0, 0, offsetWidth, width] { writer.write(UInt64(byte), width: 1) }
      for field in [starts.count, Int(root), offsetTable] { writer.write(UInt64(field), width: 8) }
      count = writer.count
    }
    let seams =
      shared.objects == 0
      ? [] : [sharedEnd, offsetTable, offsetTable + shared.objects * offsetWidth]
    let file = File(bytes: bytes, seams: seams)
    last = (file, width)
    rewind()
    return file
  }

  /// Writes a range of objects, each container with its references after it.
  private func writeObjects(
    from start: Extent, to end: Extent, _ writer: inout ByteWriter, referenceWidth: Int
  ) {
    var done = start.body
    var reference = start.references
    for index in start.containers..<end.containers {
      let (object, count) = (Int(containers[index].object), Int(containers[index].count))
      let next = object + 1 < end.objects ? Int(starts[object + 1]) : end.body
      writer.copy(UnsafeRawBufferPointer(start: body.base + done, count: next - done))
      writer.write(
        UnsafeBufferPointer(start: references.base + reference, count: count), width: referenceWidth
      )
      done = next
      reference += count
    }
    writer.copy(UnsafeRawBufferPointer(start: body.base + done, count: end.body - done))
  }

  /// Writes the offset of each object: its offset in `body` plus the size of all references before
  /// it.
  private func writeOffsets(_ writer: inout ByteWriter, referenceWidth: Int, width: Int) {
    var shift = Self.head.count
    var next = 0
    for index in 0..<containers.count {
      let (object, count) = (Int(containers[index].object), Int(containers[index].count))
      while next <= object {
        writer.write(UInt64(Int(starts[next]) + shift), width: width)
        next += 1
      }
      shift += count * referenceWidth
    }
    while next < starts.count {
      writer.write(UInt64(Int(starts[next]) + shift), width: width)
      next += 1
    }
  }
}

/// A cursor that fills memory from front to back; the caller computes the size before.
private struct ByteWriter {
  private let output: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  init(_ output: UnsafeMutableBufferPointer<UInt8>) {
    self.output = UnsafeMutableRawBufferPointer(output)
  }

  /// Returns the memory for the next `added` bytes.
  @inline(__always)
  private mutating func room(for added: Int) -> UnsafeMutableRawPointer {
    precondition(count + added <= output.count)
    defer { count += added }
    return output.baseAddress.unsafelyUnwrapped + count
  }

  mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    room(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Writes the lowest `width` bytes of a number in big-endian order.
  @inline(__always)
  mutating func write(_ number: UInt64, width: Int) {
    room(for: width).storeBigEndian(number, width: width)
  }

  /// Writes the lowest 1, 2 or 4 bytes of each number in big-endian order.
  mutating func write(_ numbers: UnsafeBufferPointer<UInt32>, width: Int) {
    let room = room(for: numbers.count * width)
    switch width {
    case 1:
      for index in 0..<numbers.count {
        room.storeBytes(
          of: UInt8(truncatingIfNeeded: numbers[index]), toByteOffset: index, as: UInt8.self)
      }
    case 2:
      for index in 0..<numbers.count {
        room.storeBytes(
          of: UInt16(truncatingIfNeeded: numbers[index]).bigEndian, toByteOffset: index * 2,
          as: UInt16.self)
      }
    default:
      for index in 0..<numbers.count {
        room.storeBytes(of: numbers[index].bigEndian, toByteOffset: index * 4, as: UInt32.self)
      }
    }
  }
}
