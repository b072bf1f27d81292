extension BinaryWriter {
  /// Returns the file: header, objects, offset table, trailer.
  consuming func assemble() -> [UInt8] {
    let referenceWidth = UInt64(starts.count - 1).byteWidth
    let offsetTable = 8 + body.count + references.count * referenceWidth
    let offsetWidth = UInt64(offsetTable).byteWidth
    let size = offsetTable + starts.count * offsetWidth + 32
    return [UInt8](unsafeUninitializedCapacity: size) { output, count in
      count = size
      guard let start = UnsafeMutableRawPointer(output.baseAddress) else { return }
      start.copyMemory(from: Array("bplist00".utf8), byteCount: 8)
      writeObjects(to: start + 8, referenceWidth: referenceWidth)
      writeOffsets(
        to: start + offsetTable, offsetWidth: offsetWidth, referenceWidth: referenceWidth)
      let trailer = start + size - 32
      trailer.storeBytes(of: 0, as: UInt64.self)
      (trailer + 6).storeBytes(of: UInt8(offsetWidth), as: UInt8.self)
      (trailer + 7).storeBytes(of: UInt8(referenceWidth), as: UInt8.self)
      for (index, field) in [starts.count, 0, offsetTable].enumerated() {
        (trailer + 8 + index * 8).storeBigEndian(UInt64(field), width: 8)
      }
    }
  }

  /// Writes the objects, each container's references after its header; the memory has room for
  /// all.
  private borrowing func writeObjects(to start: UnsafeMutableRawPointer, referenceWidth: Int) {
    var output = start
    var copied = 0
    var written = 0
    func copy(to end: Int) {
      output.copyMemory(from: body.base + copied, byteCount: end - copied)
      output += end - copied
      copied = end
    }
    for index in 0..<containers.count {
      copy(to: containers[index].end)
      for reference in written..<written + containers[index].count {
        output.storeBigEndian(
          UInt64(truncatingIfNeeded: references[reference]), width: referenceWidth)
        output += referenceWidth
      }
      written += containers[index].count
    }
    copy(to: body.count)
  }

  private borrowing func writeOffsets(
    to start: UnsafeMutableRawPointer, offsetWidth: Int, referenceWidth: Int
  ) {
    for index in 0..<starts.count {
      let offset = 8 + starts[index] + referencesBefore[index] * referenceWidth
      (start + index * offsetWidth).storeBigEndian(UInt64(offset), width: offsetWidth)
    }
  }
}
