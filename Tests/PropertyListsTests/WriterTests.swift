import ContentModel
import PropertyLists
import Testing

@Suite struct WriterTests {
  @Test(
    arguments: [
      (
        ["a": 1] as Value,
        "62706c6973743030d101025161100108" + "0b0d" + trailer(objects: 3, table: 15)
      ),
      (
        [1, 1.0, true, 1, true] as Value,
        "62706c6973743030a50102030103" + "1001" + "233ff0000000000000" + "09" + "080e1019"
          + trailer(objects: 4, table: 26)
      ),
      (["é"] as Value, "62706c6973743030a101" + "6100e9" + "080a" + trailer(objects: 2, table: 13)),
      (
        [-1] as Value,
        "62706c6973743030a101" + "13ffffffffffffffff" + "080a" + trailer(objects: 2, table: 19)
      ),
    ])
  func writesBinaryLikePlistlib(value: Value, hex: String) throws {
    #expect(try PropertyList.encode(value, as: .binary).map(hexadecimal).joined() == hex)
  }

  @Test func writesSharedArraysLikeEqualArrays() throws {
    // The second list holds containers, which never share an object.
    let lists: [[Value]] = [(0..<20).map { .integer($0) }, [["x"], ["x"], "x"]]
    for list in lists {
      let shared = Value.array([.array(list), .array(list), "between", .array(list)])
      // These arrays have separate buffers.
      let apart = Value.array([
        .array(list.map(\.self)), .array(list.map(\.self)), "between", .array(list.map(\.self)),
      ])
      let bytes = try PropertyList.encode(shared, as: .binary)
      #expect(bytes == (try PropertyList.encode(apart, as: .binary)))
      #expect(try PropertyList.decode(bytes, as: .binary).value == shared)
    }
  }

  @Test func writesXMLInApplesLayout() throws {
    let value: Value = [
      "a": [], "b": [:], "c": .data([1, 2, 3]), "d": .date(Instant(secondsSinceReferenceDate: 0)),
      "e": "<&>\r\"",
    ]
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>a</key>
      \t<array/>
      \t<key>b</key>
      \t<dict/>
      \t<key>c</key>
      \t<data>
      \tAQID
      \t</data>
      \t<key>d</key>
      \t<date>2001-01-01T00:00:00Z</date>
      \t<key>e</key>
      \t<string>&lt;&amp;&gt;&#13;"</string>
      </dict>
      </plist>

      """
    #expect(String(decoding: try PropertyList.encode(value, as: .xml), as: UTF8.self) == text)
  }

  @Test func writesCompactJSONWithFewEscapes() throws {
    let value: Value = [
      "b": [1, 1.0, true, 1e20], "a": "/é🌷\u{2028}\u{1}\"\\\n", "d": .data([255]),
      "c": .date(Instant(secondsSinceReferenceDate: 0.5)),
    ]
    let text =
      #"{"a":"/é🌷\u2028\u0001\"\\\n","b":[1,1.0,true,1e+20],"#
      + #""c":"2001-01-01T00:00:00.5Z","d":"/w=="}"#
    #expect(String(decoding: try PropertyList.encode(value, as: .json), as: UTF8.self) == text)
  }

  @Test func writesPortableOpenStep() throws {
    let value: Value = ["k": [1, true, "a b", .data([10, 255])], "é": "\u{1}🌷\"\\\n"]
    let text = """
      {
      \tk = (
      \t\t"1",
      \t\ttrue,
      \t\t"a b",
      \t\t<0aff>
      \t);
      \t"é" = "\\U0001🌷\\"\\\\\\n";
      }

      """
    #expect(String(decoding: try PropertyList.encode(value, as: .openstep), as: UTF8.self) == text)
  }

  @Test(
    arguments: [
      (["a": ["b\u{1}"]], .xml, .forbiddenCharacter("\u{1}"), ["a", "0"]),
      (["a": ["k\u{FFFF}": 1]], .xml, .forbiddenCharacter("\u{FFFF}"), ["a", "k\u{FFFF}"]),
      (["a": .date(Instant(secondsSinceReferenceDate: 0.5))], .xml, .fractionalDate, ["a"]),
      (["a": .date(Instant(secondsSinceReferenceDate: 1e15))], .json, .dateOutOfRange, ["a"]),
      ([.real(.nan)], .json, .nonFiniteNumber, ["0"]),
      ([.date(Instant(secondsSinceReferenceDate: .infinity))], .binary, .nonFiniteDate, ["0"]),
    ] as [(Value, PropertyListFormat, PropertyListEncodingError.Reason, [String])])
  func refusesValuesThatAFormatCannotRepresent(
    value: Value, format: PropertyListFormat, reason: PropertyListEncodingError.Reason,
    keyPath: [String]
  ) throws {
    let error = try #require(throws: PropertyListEncodingError.self) {
      try PropertyList.encode(value, as: format)
    }
    #expect(error.reason == reason)
    #expect(error.keyPath == keyPath)
  }
}

func trailer(objects: UInt8, table: UInt8) -> String {
  "0000000000000101" + "00000000000000" + hexadecimal(objects) + "0000000000000000"
    + "00000000000000" + hexadecimal(table)
}

func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
