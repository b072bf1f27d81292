import ContentModel
import PropertyLists
import TestInputs
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: PropertyListFormat.allCases)
  func decodesEncodedValues(format: PropertyListFormat) throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      let value = Value.random(carriedBy: format, using: &generator)
      let bytes = try PropertyList.encode(value, as: format)
      #expect(try PropertyList.decode(bytes, as: format).value == value)
      #expect(try PropertyList.encode(value, as: format) == bytes)
    }
  }

  @Test(arguments: PropertyListFormat.allCases)
  func detectsTheFormatOfEncodedValues(format: PropertyListFormat) throws {
    let value: Value = ["a:\"b\\": ["x", "y"], "c": "d"]
    let (read, detected) = try PropertyList.decode(try PropertyList.encode(value, as: format))
    #expect(read == value)
    #expect(detected == format)
  }

  @Test(arguments: PropertyListFormat.allCases)
  func keepsDictionariesThatResembleKeyedArchives(format: PropertyListFormat) throws {
    let value: Value = ["CF$UID": "1", "nested": ["CF$UID": "2"]]
    #expect(try PropertyList.decode(try PropertyList.encode(value, as: format)).value == value)
  }

  @Test(arguments: PropertyListFormat.allCases)
  func keepsCanonicallyEquivalentKeysAndTexts(format: PropertyListFormat) throws {
    let value: Value = ["\u{E9}": "e\u{301}", "e\u{301}": "\u{E9}"]
    let read = try PropertyList.decode(try PropertyList.encode(value, as: format)).value
    #expect(read.members?.count == 2 && read == value)
  }

  @Test(arguments: PropertyListFormat.allCases)
  func readsAndWritesUpToTheSameDepth(format: PropertyListFormat) throws {
    var value: Value = "x"
    for _ in 0..<PropertyList.depthLimit { value = .array([value]) }
    #expect(
      try PropertyList.decode(try PropertyList.encode(value, as: format), as: format).value == value
    )
    #expect(throws: PropertyListEncodingError.self) {
      try PropertyList.encode(.array([value]), as: format)
    }
  }

  @Test(arguments: [PropertyListFormat.binary, .xml])
  func keepsExtremeNumbers(format: PropertyListFormat) throws {
    let value: Value = [
      .real(-0.0), .real(.nan), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude),
      1e20, .real(1), .integer(1), true, .integer(.max), .integer(.min), 255, 256, 65_535, 65_536,
      4_294_967_295, 4_294_967_296, -1,
    ]
    #expect(try PropertyList.decode(try PropertyList.encode(value, as: format)).value == value)
  }

  @Test func writesARepeatedTextOnceInBinary() throws {
    let text = String(repeating: "long ", count: 2_000)
    let value = Value.array(Array(repeating: .string(text), count: 2_000))
    let bytes = try PropertyList.encode(value, as: .binary)
    #expect(bytes.count < 20_000)
    #expect(try PropertyList.decode(bytes).value == value)
  }
}
