import TestInputs
import Testing

@testable import SharedGzip

struct DeflateStreamTests {
  /// Streams of one block and of several, stored ones among them.
  private static let objects = (0..<80).map { seed in
    var random = SeededGenerator(seed: seed)
    return random.bytes(seed < 40 ? seed : seed * 1000)
  }

  @Test func opensStreamsThatEndAtEveryBit() throws {
    let deflater = try #require(Deflater(level: 6))
    var ends: Set<Int> = []
    for bytes in Self.objects {
      let stream = compressed(bytes, by: deflater)
      let opened = try stream.withUnsafeBytes { try DeflateStream.opened($0) }
      ends.insert(try end(of: stream) % 8)
      // Opened streams can be joined, and need an end: an empty block that says that it is the
      // last.
      #expect(
        try Gzip.decompress(member(opened + opened + [3, 0], of: bytes + bytes), limit: 1 << 20)
          == bytes + bytes)
    }
    #expect(ends == Set(0..<8))
  }

  @Test func refusesAnUnfinishedStream() throws {
    let deflater = try #require(Deflater(level: 6))
    let stream = compressed(Self.objects[50], by: deflater)
    for count in [0, 1, stream.count / 2, stream.count - 1] {
      #expect(throws: GzipError.self) {
        try stream.prefix(count).withUnsafeBytes { try DeflateStream.opened($0) }
      }
    }
  }

  @Test(arguments: 0..<200)
  func staysWithinDamagedStreams(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = compressed(random.bytes(5000), by: try #require(Deflater(level: seed % 13)))
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      bytes[Int.random(in: 0..<min(200, bytes.count), using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    let end = (try? end(of: bytes)) ?? 0
    #expect(end <= bytes.count * 8)
  }

  private func end(of stream: [UInt8]) throws -> Int {
    try stream.withUnsafeBytes {
      var walk = DeflateWalk(over: $0)
      return try walk.lastBlock().end
    }
  }

  private func compressed(_ bytes: [UInt8], by deflater: Deflater) -> [UInt8] {
    bytes.withUnsafeBytes { deflater.withCompressed($0) { Array($0) } }
  }

  private func member(_ blocks: [UInt8], of bytes: [UInt8]) throws -> [UInt8] {
    let trailer = try GzipCompressor().compress(bytes).suffix(8)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF] + blocks + trailer
  }
}
