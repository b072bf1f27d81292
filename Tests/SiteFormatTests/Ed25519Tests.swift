import ContentModel
import SiteFormat
import TestInputs
import Testing

/// Ed25519 as Project Wycheproof's vectors require: malleable, short or garbled signatures are
/// invalid.
@Suite struct Ed25519Tests {
  @Test func agreesWithAllVectorsOfWycheproof() throws {
    let lines = try CheckedOutFiles.text("Tests/SiteFormatTests/Wycheproof/ed25519.txt")
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

  @Test func refusesSignaturesByAKeyThatIsNotAPointOnTheCurve() throws {
    // y = 2 has no x on the curve.
    let key = try #require(PublicKey(bytes: [2] + Array(repeating: 0, count: 31)))
    #expect(!key.accepts(Array(repeating: 0, count: 64), of: []))
  }

  @Test func namesAKeyByTheHashOfItsBytes() throws {
    // printf '02%062d' 0 | xxd -r -p | sha256sum
    let key = try #require(PublicKey(bytes: [2] + Array(repeating: 0, count: 31)))
    #expect("\(key.id)" == "5778f985db754c66")
    #expect(KeyID("5778f985db754c66") == key.id)
    for text in [
      "5778F985DB754C66", "5778f985db754c6", "5778f985db754c667", "+778f985db754c66", "",
    ] {
      #expect(KeyID(text) == nil)
    }
  }

  /// Anyone can sign for a point of small order, and a y above the prime is a second form of a key.
  @Test(arguments: [
    String(repeating: "00", count: 32), "01" + String(repeating: "00", count: 31),
    "01" + String(repeating: "00", count: 30) + "80",
    "ec" + String(repeating: "ff", count: 30) + "7f",
    "ed" + String(repeating: "ff", count: 30) + "7f",
    "ee" + String(repeating: "ff", count: 30) + "ff",
    "ff" + String(repeating: "ff", count: 30) + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
  ])
  func refusesWeakKeys(hex: String) {
    #expect(PublicKey(bytes: Self.bytes(hex)) == nil)
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    hex == "-"
      ? []
      : stride(from: 0, to: hex.utf8.count, by: 2).compactMap { place in
        UInt8(hex.dropFirst(place).prefix(2), radix: 16)
      }
  }
}
