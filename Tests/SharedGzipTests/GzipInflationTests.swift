import Testing

@testable import SharedGzip

/// Gzip files that are read piece by piece.
@Suite struct GzipInflationTests {
  let plain = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31) }

  @Test(arguments: [1, 17, 65_536, 1 << 20]) func decodesPiecesOfAnySize(size: Int) throws {
    let file = try GzipCompressor().compress(plain)
    let found = try decoded(file, pieces: size, limit: plain.count)
    #expect(found.isWhole && found.bytes == plain)
  }

  @Test func detectsIncompleteFiles() throws {
    let file = try GzipCompressor().compress(plain)
    var damaged = file
    damaged[file.count - 6] ^= 1
    for (what, bytes) in [
      ("cut", Array(file.dropLast())), ("empty", []), ("no gzip", plain), ("damaged", damaged),
      ("something behind", file + [0]), ("a second file", file + file),
    ] {
      #expect(try !decoded(bytes, pieces: 1_000, limit: 2 * plain.count).isWhole, "\(what)")
    }
  }

  @Test func stopsAtTheLimit() throws {
    let file = try GzipCompressor().compress([UInt8](repeating: 0, count: 50_000_000))
    let found = try decoded(file, pieces: 1_000, limit: 1_000_000)
    #expect(!found.isWhole && found.bytes.count <= 1_000_000)
  }

  private func decoded(_ file: [UInt8], pieces: Int, limit: Int) throws -> (
    isWhole: Bool, bytes: [UInt8]
  ) {
    let inflation = try #require(GzipInflation(limit: limit))
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: file.count, by: pieces) {
      Array(file[start..<min(start + pieces, file.count)]).withUnsafeBytes { piece in
        inflation.decompress(piece) { bytes.append(contentsOf: $0) }
      }
    }
    return (inflation.isWhole, bytes)
  }
}
