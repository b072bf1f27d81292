import CDeflate
import CZlib

/// Compresses one gzip member (RFC 1952) of stretches that other members may have, too.
struct GzipMember {
  private let bytes: UnsafeRawBufferPointer
  private let stretches: [UnsafeRawBufferPointer]
  private let deflater: Deflater
  private let cache: StretchCache

  init(of bytes: UnsafeRawBufferPointer, seams: [Int], deflater: Deflater, cache: StretchCache) {
    self.bytes = bytes
    stretches = StretchCut.stretches(of: bytes.count, seams: seams).map {
      UnsafeRawBufferPointer(rebasing: bytes[$0])
    }
    self.deflater = deflater
    self.cache = cache
  }

  func compressed() throws(GzipError) -> [UInt8] {
    let checksums = stretches.map { libdeflate_crc32(0, $0.baseAddress, $0.count) }
    var shared: [SharedStretch] = []
    var blocks: [[UInt8]?] = []
    for (bytes, checksum) in zip(stretches, checksums).dropLast() {
      let stretch = cache.stretch(of: bytes, checksum: checksum)
      shared.append(stretch)
      blocks.append(try stretch.blocksUnlessBusy { () throws(GzipError) in try open(bytes) })
    }
    let last = deflater.withCompressed(stretches[stretches.count - 1]) { Array($0) }
    // Stretches that another thread was compressing are mostly done by now.
    var all: [[UInt8]] = []
    for (index, stretch) in shared.enumerated() {
      if let made = blocks[index] {
        all.append(made)
      } else {
        all.append(try stretch.blocks { () throws(GzipError) in try open(stretches[index]) })
      }
    }
    return joined(all + [last], checksum: combined(checksums))
  }

  private func open(_ bytes: UnsafeRawBufferPointer) throws(GzipError) -> [UInt8] {
    try deflater.withCompressed(bytes) { stream throws(GzipError) in
      try DeflateStream.opened(stream)
    }
  }

  private func combined(_ checksums: [UInt32]) -> UInt32 {
    zip(stretches, checksums).reduce(0) { sum, next in
      UInt32(crc32_combine(UInt(sum), UInt(next.1), next.0.count))
    }
  }

  private func joined(_ streams: [[UInt8]], checksum: UInt32) -> [UInt8] {
    // No flags, no time, no hint at the level, an unknown system.
    let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    var member: [UInt8] = []
    member.reserveCapacity(header.count + streams.reduce(8) { $0 + $1.count })
    member += header
    for stream in streams { member += stream }
    for word in [checksum, UInt32(truncatingIfNeeded: bytes.count)] {
      withUnsafeBytes(of: word.littleEndian) { member += $0 }
    }
    return member
  }
}
