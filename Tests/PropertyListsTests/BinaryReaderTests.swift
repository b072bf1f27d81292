import ContentModel
import PropertyLists
import TestInputs
import Testing

@Suite struct BinaryReaderTests {
  typealias Reason = PropertyListDecodingError.Reason

  @Test(
    arguments: [
      ([[0xA1, 0x00]], .cycle), ([[0xA1, 0x01], [0xD1, 0x02, 0x00], [0x51, 0x61]], .cycle),
      ([[0xA1, 0x05]], .badReference),
      ([[0xD2, 1, 2, 3, 3], [0x51, 0x61], [0x51, 0x61], [0x09]], .duplicateKey("a")),
      ([[0xD1, 1, 1], [0x10, 1]], .keyIsNotString), ([[0xD1, 0, 1], [0x10, 1]], .keyIsNotString),
      ([[0x80, 0x01]], .uid), ([[0x00]], .unsupportedObject(0)),
      ([[0x0F]], .unsupportedObject(0x0F)),
      ([[0xC1, 0x00]], .unsupportedObject(0xC1)), ([[0x70]], .unsupportedObject(0x70)),
      ([[0x15]], .unsupportedObject(0x15)),
      ([[0x51, 0x80]], .badString), ([[0x61, 0xD8, 0x00]], .badString),
      ([[0x62, 0xDC, 0x00, 0x00, 0x61]], .badString),
      ([[0x5E, 0x61]], .outOfBounds),
      ([[0x4F, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], .outOfBounds),
      ([[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], .outOfBounds),
      ([[0x13, 0]], .outOfBounds),
      ([[0xDF, 0x12, 0x7F, 0xFF, 0xFF, 0xFF]], .outOfBounds),
      (
        [[0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8)],
        .integerOutOfRange
      ),
      ([[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]], .badDate),
    ] as [([[UInt8]], Reason)])
  func refusesMalformedObjects(objects: [[UInt8]], reason: Reason) throws {
    #expect(refusal(of: binary(objects)) == reason)
  }

  @Test func refusesAFileWithoutATrailer() throws {
    #expect(refusal(of: Array("bplist00".utf8)) == .endOfInput)
    #expect(refusal(of: Array("bplist01".utf8) + Array(repeating: 0, count: 40)) == .badHeader)
    #expect(refusal(of: []) == .empty)
  }

  @Test(arguments: [
    (6, 0), (7, 9), (8, 0xFF), (15, 2), (16, 1), (23, 1), (24, 0x80), (31, 0), (31, 200),
  ])
  func refusesATrailerThatContradictsTheFile(field: Int, value: UInt8) throws {
    var bytes = binary([[0x09]])
    bytes[bytes.count - 32 + field] = value
    #expect(refusal(of: bytes) == .badTrailer)
  }

  @Test func refusesOffsetsOutsideTheObjects() throws {
    var bytes = binary([[0x09]])
    bytes[bytes.count - 33] = 9
    #expect(refusal(of: bytes) == .outOfBounds)
    bytes[bytes.count - 33] = 7
    #expect(refusal(of: bytes) == .outOfBounds)
  }

  @Test func refusesContainersThatExpandExponentially() throws {
    let laughs: [[UInt8]] = (0..<40).map { [0xA2, $0 + 1, $0 + 1] } + [[0x51, 0x61]]
    #expect(refusal(of: binary(laughs)) == .expansionTooLarge)
  }

  @Test func refusesTextsThatExpandTooMuch() throws {
    let text: [UInt8] =
      [0x5F, 0x12, 0x00, 0x01, 0x00, 0x00] + Array(repeating: 0x61, count: 65_536)
    let references: [UInt8] =
      [0xAF, 0x12, 0x00, 0x00, 0x40, 0x00] + Array(repeating: 1, count: 16_384)
    #expect(refusal(of: binary([references, text], offsetWidth: 4)) == .expansionTooLarge)
  }

  @Test func refusesOverlappingObjects() throws {
    var bytes = binary([
      [0xA3, 1, 2, 3], [0x5F, 0x10, 20] + Array(repeating: 0x61, count: 20), [0x09], [0x09],
    ])
    let table = bytes.count - 36
    for entry in [2, 3] { bytes[table + entry] = bytes[table + 1] }
    #expect(refusal(of: bytes) == nil)
    let many = (1...200).map(UInt8.init)
    bytes = binary(
      [[0xAF, 0x10, 200] + many, [0x5E] + Array(repeating: 0x61, count: 14)]
        + many.dropFirst().map { _ in [0x09] },
      offsetWidth: 2)
    let start = bytes.count - 32 - 201 * 2
    for entry in 2...200 {
      (bytes[start + entry * 2], bytes[start + entry * 2 + 1]) = (
        bytes[start + 2], bytes[start + 3]
      )
    }
    #expect(refusal(of: bytes) == .overlappingObjects)
  }

  @Test func stopsAtTheDepthLimit() throws {
    let objects = (0..<100_000).map { [0xA1] + bigEndian($0 + 1, width: 4) } + [[0x09]]
    let start = processorSeconds()
    #expect(refusal(of: binary(objects, offsetWidth: 4, referenceWidth: 4)) == .tooDeep)
    #expect(processorSeconds() - start < 1)
  }

  @Test func stopsAtTheDepthLimitInSharedObjects() throws {
    // Each half is within the limit; the second path to the lower half is the longer one.
    let chain = (0..<600).map {
      $0 == 300 ? [0x09] : [0xA1] + bigEndian($0 == 599 ? 2 : $0 + 1, width: 2)
    }
    let objects =
      [[0xA2] + bigEndian(2, width: 2) + bigEndian(301, width: 2)] + chain.dropFirst()
    #expect(refusal(of: binary(objects, offsetWidth: 2, referenceWidth: 2)) == .tooDeep)
  }

  @Test func readsTheFormsOfOtherWriters() throws {
    let wide: [UInt8] = [0x14] + Array(repeating: 0xFF, count: 16)
    let objects: [[UInt8]] = [
      [0xA4, 1, 2, 3, 3], [0x22, 0x3F, 0x80, 0, 0], wide, [0xA1, 4], [0x5F, 0x10, 1, 0x61],
    ]
    #expect(try PropertyList.decode(binary(objects)).value == [1.0, -1, ["a"], ["a"]])
    #expect(
      try PropertyList.decode(binary(objects, offsetWidth: 3)).value == [1.0, -1, ["a"], ["a"]])
  }

  private func refusal(of bytes: [UInt8]) -> Reason? {
    do {
      _ = try PropertyList.decode(bytes, as: .binary)
      return nil
    } catch { return error.reason }
  }
}

/// Returns a file of objects, the first of which is the root.
func binary(_ objects: [[UInt8]], offsetWidth: Int = 1, referenceWidth: Int = 1) -> [UInt8] {
  var bytes = Array("bplist00".utf8)
  var offsets: [UInt8] = []
  for object in objects {
    offsets += bigEndian(bytes.count, width: offsetWidth)
    bytes += object
  }
  let table = bytes.count
  bytes += offsets + [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(referenceWidth)]
  return bytes + [objects.count, 0, table].flatMap { bigEndian($0, width: 8) }
}

func bigEndian(_ number: Int, width: Int) -> [UInt8] {
  (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
