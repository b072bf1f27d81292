import ContentModel
import ContentTrust
import TestInputs
import Testing

/// Ed25519 as Project Wycheproof's vectors require: no malleable, short or garbled signature.
@Suite struct Ed25519Tests {
  @Test func agreesWithAllVectorsOfWycheproof() throws {
    let lines = try CheckedOutFiles.text("Tests/ContentTrustTests/Wycheproof/ed25519.txt")
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == 151)
    for line in lines {
      let words = line.split(separator: " ").map(String.init)
      try #require(words.count == 5)
      let key = try #require(PublicKey(bytes: Self.bytes(words[2])))
      let isAccepted = key.accepts(Self.bytes(words[4]), of: Self.bytes(words[3]))
      #expect(isAccepted == (words[1] == "valid"), "vector \(words[0])")
    }
  }

  @Test func acceptsNothingForAKeyThatIsNoPoint() throws {
    // y = 2 has no x on the curve.
    let key = try #require(PublicKey(bytes: [2] + Array(repeating: 0, count: 31)))
    #expect(!key.accepts(Array(repeating: 0, count: 64), of: []))
  }

  @Test func namesAKeyByTheHashOfItsBytes() throws {
    // printf '%064d' 0 | xxd -r -p | sha256sum
    let key = try #require(PublicKey(bytes: Array(repeating: 0, count: 32)))
    #expect("\(key.id)" == "66687aadf862bd77")
    #expect(KeyID("66687aadf862bd77") == key.id)
    for text in [
      "66687AADF862BD77", "66687aadf862bd7", "66687aadf862bd777", "+6687aadf862bd77", "",
    ] {
      #expect(KeyID(text) == nil)
    }
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    hex == "-"
      ? []
      : stride(from: 0, to: hex.utf8.count, by: 2).compactMap { place in
        UInt8(hex.dropFirst(place).prefix(2), radix: 16)
      }
  }
}
