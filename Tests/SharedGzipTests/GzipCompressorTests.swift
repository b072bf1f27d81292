import Foundation
import SharedGzip
import TestInputs
import Testing

struct GzipCompressorTests {
  @Test(arguments: 0..<60)
  func joinsPartsWithoutLoss(seed: Int) throws {
    let (bytes, seams) = object(seed)
    let member = try GzipCompressor(level: seed % 13).compress(bytes, seams: seams)
    #expect(try Gzip.decompress(member, limit: bytes.count) == bytes)
  }

  @Test(arguments: 1...64)
  func endsBlocksAtEveryBitOfAByte(length: Int) throws {
    let head =
      Array("roses tulips lilies ".utf8.prefix(length % 20))
      + [UInt8](repeating: 7, count: 4096 + length)
    let tail = Array(repeatElement(Array("dahlias and asters ".utf8), count: 300).joined())
    let member = try GzipCompressor().compress(head + tail, seams: [head.count])
    #expect(try Gzip.decompress(member, limit: 20_000) == head + tail)
  }

  @Test func writesFilesThatPythonReads() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let compressor = GzipCompressor()
    for seed in 100..<130 {
      let (bytes, seams) = object(seed)
      try Data(bytes).write(to: folder.appending(path: "\(seed)"))
      try Data(try compressor.compress(bytes, seams: seams))
        .write(to: folder.appending(path: "\(seed).gz"))
    }
    let script = """
      import gzip, sys, zlib
      for seed in range(100, 130):
          path = f"{sys.argv[1]}/{seed}"
          packed, plain = open(path + ".gz", "rb").read(), open(path, "rb").read()
          assert gzip.decompress(packed) == plain
          # One member, and nothing behind it: not every browser reads two.
          one = zlib.decompressobj(31)
          assert one.decompress(packed) == plain and one.eof and not one.unused_data
      """
    let python = try Process.run(
      URL(filePath: "/usr/bin/env"), arguments: ["python3", "-c", script, folder.path])
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
  }

  @Test func compressesEqualStretchesOnce() throws {
    var random = SeededGenerator(seed: 1)
    let (shared, table) = (random.bytes(60_000), random.bytes(20_000))
    let compressor = GzipCompressor()
    for _ in 0..<4 {
      let (own, end) = (random.bytes(9000), random.bytes(5000))
      let bytes = shared + own + table + end
      let member = try compressor.compress(bytes, seams: [60_000, 69_000, 89_000])
      #expect(try Gzip.decompress(member, limit: bytes.count) == bytes)
    }
    #expect(compressor.compressions == 4 * 4 - 3 * 2)
  }

  @Test func sharesStretchesAmongConcurrentThreads() async throws {
    var random = SeededGenerator(seed: 2)
    let (shared, own) = (random.bytes(200_000), random.bytes(8 * 10_000))
    let objects = (0..<8).map { shared + own[$0 * 10_000..<($0 + 1) * 10_000] }
    let compressor = GzipCompressor()
    let members = try await compressed(objects, by: compressor)
    #expect(compressor.compressions == 9)
    let fresh = try objects.map { try GzipCompressor().compress($0, seams: [200_000]) }
    #expect(members == fresh)
  }

  @Test(arguments: [0, 100_000, 1 << 30])
  func compressesEquallyWithAnyCacheLimit(cacheLimit: Int) throws {
    let compressor = GzipCompressor(cacheLimit: cacheLimit)
    let seeds = [1, 2, 3, 1, 4, 2, 2, 5, 1]
    for seed in seeds {
      let (bytes, seams) = object(seed)
      #expect(
        try compressor.compress(bytes, seams: seams)
          == GzipCompressor().compress(bytes, seams: seams))
    }
  }

  @Test func evictsStretchesAboveItsLimit() throws {
    var random = SeededGenerator(seed: 3)
    let stretches = (0..<10).map { _ in random.bytes(20_000) }
    let compressor = GzipCompressor(cacheLimit: 100_000)
    for stretch in stretches + stretches {
      _ = try compressor.compress(stretch + stretch, seams: [20_000])
    }
    #expect(compressor.compressions == 40)
  }

  @Test func keepsRecentlyUsedStretches() throws {
    var random = SeededGenerator(seed: 4)
    let asked = random.bytes(20_000)
    let compressor = GzipCompressor(cacheLimit: 100_000)
    for _ in 0..<10 {
      for first in [asked, random.bytes(20_000)] {
        _ = try compressor.compress(first + asked, seams: [20_000])
      }
    }
    #expect(compressor.compressions == 20 + 11)
  }

  /// Bytes of some size, and seams in them that have no meaning.
  private func object(_ seed: Int) -> (bytes: [UInt8], seams: [Int]) {
    var random = SeededGenerator(seed: seed)
    let bytes = random.bytes(Int.random(in: 0...100_000, using: &random))
    let seams = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      Int.random(in: 0...max(1, bytes.count), using: &random)
    }
    return (bytes, seams)
  }

  private func compressed(_ objects: [[UInt8]], by compressor: GzipCompressor) async throws
    -> [[UInt8]]
  {
    try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
      for (index, bytes) in objects.enumerated() {
        group.addTask { (index, try compressor.compress(bytes, seams: [200_000])) }
      }
      var members = [[UInt8]](repeating: [], count: objects.count)
      for try await (index, member) in group { members[index] = member }
      return members
    }
  }
}
