import ContentModel
import PropertyLists
import SystemC
import Testing

@Suite struct LazyReadingTests {
  typealias Reason = PropertyListDecodingError.Reason

  private static let value: Value = [
    "array": [1, 2.5, ["deep": "x"]], "data": .data([1, 2]),
    "date": .date(Instant(secondsSinceReferenceDate: 5)),
    "flag": true, "integer": -7, "é": "accent", "text": "plain", "花": "🌷",
  ]

  private func list(_ value: Value = value) throws -> BinaryPropertyList {
    try BinaryPropertyList(PropertyList.encode(value, as: .binary))
  }

  @Test func readsEachKindOfValue() throws {
    let root = try list().root
    #expect(try root["text"]?.string == "plain")
    #expect(try root["é"]?.string == "accent")
    #expect(try root["花"]?.string == "🌷")
    #expect(try root["integer"]?.integer == -7)
    #expect(try root["array"]?[1]?.real == 2.5)
    #expect(try root["array"]?[2]?["deep"]?.string == "x")
    #expect(try root["flag"]?.boolean == true)
    #expect(try root["date"]?.date == Instant(secondsSinceReferenceDate: 5))
    #expect(try root["data"]?.data == [1, 2])
    #expect(try root["array"]?.value == [1, 2.5, ["deep": "x"]])
  }

  @Test func returnsNilForAnotherKindOrAMissingValue() throws {
    let root = try list().root
    #expect(try root["nowhere"] == nil)
    #expect(try root["e\u{301}"] == nil)
    #expect(try root[0] == nil)
    #expect(try root["array"]?[3] == nil)
    #expect(try root["array"]?[-1] == nil)
    #expect(try root["array"]?["deep"] == nil)
    #expect(try root["text"]?.integer == nil)
    #expect(try root["integer"]?.real == nil)
    #expect(try root["text"]?["text"] == nil)
    #expect(root.count == 8)
    #expect(try root["text"]?.count == 0)
  }

  @Test func findsEveryKeyOfAWideDictionary() throws {
    let keys = (0..<500).map { "key-\($0 * 7 % 500)" } + ["", "é", "🌷", "\u{FFFF}"]
    let root = try list(.dictionary(Members(keys.map { ($0, .string($0)) }))).root
    for key in keys { #expect(try root[key]?.string == key) }
    #expect(try root["key-500"] == nil)
  }

  @Test func findsKeysThatAreNotSorted() throws {
    let root = try BinaryPropertyList(
      binary([[0xD3, 1, 2, 3, 4, 4, 5], [0x51, 99], [0x51, 97], [0x51, 98], [8], [9]])
    ).root
    for key in ["a", "c"] { #expect(try root[key]?.boolean == false) }
    #expect(try root["b"]?.boolean == true)
    #expect(try root["d"] == nil)
    #expect(try root.members.map(\.key) == ["c", "a", "b"])
  }

  @Test func knowsWhetherKeysAreSorted() throws {
    let sorted = try list().root
    #expect(sorted.hasSortedKeys)
    #expect(try sorted.sortedMember("é")?.string == "accent")
    #expect(try sorted.sortedMember("nowhere") == nil)
    let unsorted = try BinaryPropertyList(
      binary([[0xD3, 1, 2, 3, 4, 4, 5], [0x51, 99], [0x51, 97], [0x51, 98], [8], [9]])
    ).root
    #expect(!unsorted.hasSortedKeys)
    #expect(try unsorted.sortedMember("c") == nil)
    let twice = try BinaryPropertyList(binary([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]])).root
    #expect(!twice.hasSortedKeys)
    let malformed = try BinaryPropertyList(
      binary([[0xD2, 1, 2, 2, 2], [0x51, 0x61], [0x10, 1]])
    ).root
    #expect(!malformed.hasSortedKeys)
  }

  /// The first and the second value share a list that has a malformed item; the third has none.
  @Test func findsMalformedValuesInOneWalk() throws {
    let root = try BinaryPropertyList(
      binary([
        [0xD3, 1, 2, 3, 4, 5, 6], [0x51, 0x61], [0x51, 0x62], [0x51, 0x63], [0xA2, 6, 7],
        [0xA1, 7], [0x09], [0xA1, 8], [0x70],
      ])
    ).root
    #expect(root.malformedValues == [4, 5])
    #expect(try root["c"]?.number == 6)
    #expect(try list().root.malformedValues == [])
  }

  @Test func stopsInAContainerThatContainsItself() throws {
    var node = try BinaryPropertyList(binary([[0xA1, 0x00]])).root
    let error = try #require(throws: PropertyListDecodingError.self) {
      while let next = try node[0] { node = next }
    }
    #expect(error.reason == .tooDeep)
    #expect(throws: PropertyListDecodingError.self) { try node.value }
  }

  @Test(
    arguments: [
      ([[0xD1, 1, 1], [0x10, 1]], .keyIsNotString),
      ([[0xD1, 9, 1], [0x51, 0x61]], .badReference),
      ([[0xD1, 1, 1], [0x61, 0xD8, 0x00]], .badString),
      ([[0xD1, 1, 9], [0x51, 0x61]], .badReference),
      ([[0xD1, 1, 1], [0x5E, 0x61]], .outOfBounds),
      ([[0xD1, 1, 2], [0x51, 0x61], [0x80, 1]], .uid),
    ] as [([[UInt8]], Reason)])
  func refusesMalformedMembers(objects: [[UInt8]], reason: Reason) throws {
    let root = try BinaryPropertyList(binary(objects)).root
    let error = try #require(throws: PropertyListDecodingError.self) { try root["a"] }
    #expect(error.reason == reason)
  }

  @Test func doesNotReadMalformedASCIIAsUTF8() throws {
    let root = try BinaryPropertyList(binary([[0xD1, 1, 1], [0x52, 0xC3, 0xA9]])).root
    #expect(throws: PropertyListDecodingError.self) { try root["é"] }
    #expect(throws: PropertyListDecodingError.self) { try root.members }
  }

  @Test func refusesToListDuplicateKeys() throws {
    let root = try BinaryPropertyList(binary([[0xD2, 1, 1, 2, 2], [0x51, 0x61], [0x09]])).root
    let error = try #require(throws: PropertyListDecodingError.self) { try root.members }
    #expect(error.reason == .duplicateKey("a"))
  }

  @Test(arguments: [false, true])
  func opensFiles(isMapped: Bool) throws {
    let path = temporaryPath()
    defer { unlink(path) }
    try write(PropertyList.encode(Self.value, as: .binary), to: path)
    let list =
      try isMapped ? BinaryPropertyList(mapping: path) : BinaryPropertyList(contentsOf: path)
    #expect(try list.root["text"]?.string == "plain")
    #expect(try list.root.value == Self.value)
  }

  @Test(arguments: [false, true])
  func reportsTheErrorOfAFileThatCannotBeOpened(isMapped: Bool) throws {
    let error = try #require(throws: PropertyListFileError.self) {
      _ =
        try isMapped
        ? BinaryPropertyList(mapping: "/nowhere/at/all")
        : BinaryPropertyList(contentsOf: "/nowhere/at/all")
    }
    #expect(error.code == ENOENT)
    let path = temporaryPath()
    defer { unlink(path) }
    try write([], to: path)
    let empty = try #require(throws: PropertyListDecodingError.self) {
      _ = try isMapped ? BinaryPropertyList(mapping: path) : BinaryPropertyList(contentsOf: path)
    }
    #expect(empty.reason == .empty)
  }

  private func temporaryPath() -> String {
    var template = Array("/tmp/property-list-XXXXXX".utf8CString)
    close(mkstemp(&template))
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try #require(fopen(path, "w"))
    defer { fclose(file) }
    #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
  }
}
