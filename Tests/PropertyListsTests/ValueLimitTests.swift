import ContentModel
import PropertyLists
import Testing

/// A forged file can have a value in each byte, and a value takes fifty bytes of memory.
@Suite struct ValueLimitTests {
  typealias Reason = PropertyListDecodingError.Reason

  private static let formats = PropertyListFormat.allCases

  @Test(arguments: formats)
  func acceptsAsManyValuesAsTheLimit(format: PropertyListFormat) throws {
    let value: Value = ["a": ["x", "y", ["b": "z"]], "c": ["x", "x"]]
    let bytes = try PropertyList.encode(value, as: format)
    #expect(try PropertyList.decode(bytes, valueLimit: 9).value == value)
    #expect(refusal(of: bytes, valueLimit: 8) == .tooManyValues)
  }

  @Test(arguments: formats)
  func countsNoKeys(format: PropertyListFormat) throws {
    let names = (0..<100).map { "key \($0)" }
    let value = Value.dictionary(Members(names.map { ($0, .string($0)) }))
    let bytes = try PropertyList.encode(value, as: format)
    #expect(try PropertyList.decode(bytes, valueLimit: 101).value == value)
    #expect(refusal(of: bytes, valueLimit: 100) == .tooManyValues)
  }

  @Test(arguments: formats)
  func refusesMoreValuesThanTheDefault(format: PropertyListFormat) throws {
    let bytes = list(of: PropertyList.valueLimit, in: format)
    #expect(refusal(of: bytes) == .tooManyValues)
    let longest = list(of: PropertyList.valueLimit - 1, in: format)
    #expect(refusal(of: longest) == nil)
  }

  @Test func countsASharedObjectForEachReference() {
    let pairs: [[UInt8]] = (0..<6).map { [0xA2, $0 + 1, $0 + 1] } + [[0x51, 0x61]]
    #expect(refusal(of: binary(pairs), valueLimit: 12) == .tooManyValues)
    // A container is read twice and then kept, so the count is below the 127 unfolded values.
    #expect(refusal(of: binary(pairs), valueLimit: 40) == nil)
  }

  @Test func refusesObjectsWithoutReferences() {
    let objects = Array(repeating: [0x09] as [UInt8], count: 200)
    #expect(refusal(of: binary(objects), valueLimit: 99) == .tooManyValues)
    #expect(refusal(of: binary(objects), valueLimit: 100) == nil)
  }

  @Test func givesNoMoreItemsOfAContainerThanTheLimit() throws {
    let count = PropertyList.valueLimit
    let longest = try BinaryPropertyList(list(of: count, in: .binary)).root
    #expect(try longest.items.count == count)
    let longer = try BinaryPropertyList(list(of: count + 1, in: .binary)).root
    let error = try #require(throws: PropertyListDecodingError.self) { try longer.items }
    #expect(error.reason == .tooManyValues)
    #expect(try longer[count]?.boolean == true)
  }

  @Test func salvagesNoMoreItemsThanTheLimit() throws {
    let count = PropertyList.valueLimit
    let longer = try BinaryPropertyList(list(of: count + 1, in: .binary)).root
    #expect(longer.salvagedItems.count == count)
    #expect(longer.salvagedValue(withWhole: "when") == nil, "too many values are no damage")
  }

  @Test func salvagesADamagedValueUpToTheLimit() throws {
    // The first item is of an unknown type.
    let references: [UInt8] = [2] + [UInt8](repeating: 1, count: PropertyList.valueLimit - 2)
    let array = [0xAF, 0x12] + bigEndian(references.count, width: 4) + references
    let root = try BinaryPropertyList(binary([array, [0x09], [0x70]], offsetWidth: 4)).root
    let items = try #require(root.salvagedValue(withWhole: "when")?.items)
    #expect(items.count == references.count - 1)
  }

  @Test func refusesToWriteWhatNoReaderAccepts() throws {
    let most = list(of: PropertyList.valueLimit - 1, in: .json)
    try PropertyList.requireReadableCount(of: most, as: .json)
    let error = try #require(throws: PropertyListEncodingError.self) {
      try PropertyList.requireReadableCount(
        of: list(of: PropertyList.valueLimit, in: .json), as: .json)
    }
    #expect(error.reason == .tooManyValues)
  }

  /// Returns a file whose root is a list of equal values, which take as few bytes as possible.
  private func list(of count: Int, in format: PropertyListFormat) -> [UInt8] {
    func repeated(_ text: String) -> [UInt8] {
      [UInt8](unsafeUninitializedCapacity: count * text.utf8.count) { buffer, length in
        let piece = Array(text.utf8)
        while length < buffer.count {
          buffer[length] = piece[length % piece.count]
          length += 1
        }
      }
    }
    switch format {
    case .binary:
      let list = [0xAF, 0x12] + bigEndian(count, width: 4) + [UInt8](repeating: 1, count: count)
      return binary([list, [0x09]], offsetWidth: 4)
    case .xml:
      return Array("<plist><array>".utf8) + repeated("<true/>") + Array("</array></plist>".utf8)
    case .json: return Array("[".utf8) + repeated("1,").dropLast() + Array("]".utf8)
    case .openstep: return Array("(".utf8) + repeated("a,") + Array(")".utf8)
    }
  }

  private func refusal(
    of bytes: [UInt8], valueLimit: Int = PropertyList.valueLimit
  ) -> Reason? {
    do {
      _ = try PropertyList.decode(bytes, valueLimit: valueLimit)
      return nil
    } catch { return error.reason }
  }
}
