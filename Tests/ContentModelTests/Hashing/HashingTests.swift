import ContentModel
import Testing

/// Vectors of FIPS 180-4's examples, RFC 1321 and RFC 4231.
struct HashingTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func computesSHA256(text: String, hex: String) {
    #expect(Digest(of: Array(text.utf8)).hex == hex)
  }

  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"),
    ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
  ])
  func computesMD5(text: String, hex: String) {
    #expect(MD5.hash(of: Array(text.utf8)).hex == hex)
  }

  @Test func doesNotDependOnTheSplitOfTheInput() {
    let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for cut in [0, 1, 63, 64, 65, 999, 1_000] {
      var (sha, md5) = (SHA256(), MD5())
      for piece in [bytes[..<cut], bytes[cut...]] {
        piece.withUnsafeBytes {
          sha.update($0)
          md5.update($0)
        }
      }
      #expect(sha.finalize() == Digest(of: bytes))
      #expect(md5.finalize() == MD5.hash(of: bytes))
    }
  }

  @Test func leavesACopyUnchanged() {
    var hash = SHA256()
    let copy = hash
    ([1, 2, 3] as [UInt8]).withUnsafeBytes { hash.update($0) }
    #expect(copy.finalize() == Digest(of: []))
    #expect(hash.finalize() != copy.finalize())
  }

  @Test(arguments: [
    (
      key: [UInt8](repeating: 0x0b, count: 20), text: "Hi There",
      hex: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      key: Array("Jefe".utf8), text: "what do ya want for nothing?",
      hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      key: [UInt8](repeating: 0xaa, count: 131),
      text: "Test Using Larger Than Block-Size Key - Hash Key First",
      hex: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      key: [], text: "", hex: "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    ),
  ])
  func computesHMAC(key: [UInt8], text: String, hex: String) {
    let message = Array(text.utf8)
    let code = HMAC.code(for: message, key: key)
    #expect(code.hex == hex)
    #expect(HMAC.isValid(code, for: message, key: key))
    for place in code.indices {
      var damaged = code
      damaged[place] ^= 1
      #expect(!HMAC.isValid(damaged, for: message, key: key))
    }
    #expect(!HMAC.isValid(Array(code.dropLast()), for: message, key: key))
    #expect(!HMAC.isValid(code, for: message + [0], key: key))
  }
}

extension [UInt8] {
  fileprivate var hex: String {
    reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }
  }
}
