import ContentModel
import Testing

/// Base64 as YAML and property lists have it.
@Suite struct Base64Tests {
  @Test(
    arguments: [
      ("", []), ("AA==", [0]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]), ("+/+/", [251, 255, 191]),
      ("AA= =", [0]), (" A\tA\r\n==", [0]), ("AA", nil), ("A", nil), ("AAE", nil), ("AA==A", nil),
      ("====", nil), ("AAEC=", nil), ("A*==", nil), ("AA-_", nil),
    ] as [(String, [UInt8]?)])
  func decodesPaddedGroups(text: String, bytes: [UInt8]?) {
    #expect(Base64.decode(text) == bytes)
    #expect(canonical(text) == bytes)
  }

  @Test(arguments: [("AB==", [0]), ("AAF=", [0, 1])] as [(String, [UInt8])])
  func refusesUnusedBitsOfCanonicalText(text: String, bytes: [UInt8]) {
    #expect(Base64.decode(text) == bytes)
    #expect(canonical(text) == nil)
  }

  @Test func encodesWithPadding() {
    #expect([[], [0], [0, 1], [0, 1, 2]].map(\.base64) == ["", "AA==", "AAE=", "AAEC"])
  }

  private func canonical(_ text: String) -> [UInt8]? {
    Array(text.utf8).withUnsafeBufferPointer(Base64.decode(canonical:))
  }
}
