import ContentModel
import Testing

@Suite struct DigestTests {
  @Test func readsItsHexadecimalDigits() throws {
    for seed in 0..<64 {
      let bytes = (0..<32).map { UInt8(truncatingIfNeeded: ($0 + 1) * (2 * seed + 1) * 37 >> 1) }
      let digest = try #require(Digest(bytes: bytes))
      let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      #expect(
        digest.hex == hex && Digest(hex: hex) == digest && Digest(hex: hex.uppercased()) == digest)
      #expect(Digest(hex: hex)?.bytes == bytes)
    }
  }

  @Test(arguments: [
    "", "0", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
    String(repeating: "0", count: 128), String(repeating: "0", count: 63) + "g",
    "/" + String(repeating: "0", count: 63),
    String(repeating: "0", count: 63) + "\u{301}", String(repeating: "\u{FF10}", count: 64),
    "0x" + String(repeating: "0", count: 62),
  ])
  func refusesOtherTexts(text: String) { #expect(Digest(hex: text) == nil) }
}
