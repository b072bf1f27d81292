import SharedGzip
import Testing

struct GzipTests {
  private let compressor = GzipCompressor()

  @Test(arguments: ["", "7", "Country Charm "], [1, 30_000])
  func decompressesToTheSameBytes(text: String, times: Int) throws {
    let bytes = Array(repeatElement(text.utf8, count: times).joined())
    #expect(try Gzip.decompress(compressor.compress(bytes), limit: bytes.count) == bytes)
  }

  @Test func writesNoTimeNameOrSystem() throws {
    let header = try compressor.compress(Array("flowers".utf8)).prefix(10)
    #expect(Array(header) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
  }

  @Test func refusesMoreThanTheLimit() throws {
    let bomb = try compressor.compress([UInt8](repeating: 0, count: 10_000_000))
    #expect(throws: GzipError.tooLarge(limit: 9_999_999)) {
      try Gzip.decompress(bomb, limit: 9_999_999)
    }
    #expect(throws: GzipError.tooLarge(limit: 0)) {
      try Gzip.decompress(compressor.compress([1]), limit: 0)
    }
  }

  @Test func refusesTruncatedFiles() throws {
    let whole = try compressor.compress(Array("roses, tulips and more roses, tulips".utf8))
    for count in whole.indices {
      #expect(throws: GzipError.damaged) {
        try Gzip.decompress(Array(whole[..<count]), limit: 1000)
      }
    }
  }

  @Test func refusesDamagedFilesAndTrailingBytes() throws {
    var bytes = try compressor.compress(Array("roses".utf8))
    #expect(throws: GzipError.damaged) { try Gzip.decompress(bytes + [0], limit: 1000) }
    bytes[bytes.count - 6] ^= 1
    #expect(throws: GzipError.damaged) { try Gzip.decompress(bytes, limit: 1000) }
  }

  @Test func refusesAnInvalidLevel() {
    #expect(throws: GzipError.noCompressor(level: 13)) {
      try GzipCompressor(level: 13).compress([1])
    }
  }
}
