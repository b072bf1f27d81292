import ContentModel
import PropertyLists
import TestInputs
import Testing

@Suite struct TextReaderTests {
  typealias Reason = PropertyListDecodingError.Reason

  @Test(
    arguments: [
      (#"{"a":1,"b":[],"a":2}"#, .json, .duplicateKey("a"), 1, 15),
      (#"["\ud83c"]"#, .json, .badEscape, 1, 3),
      ("[1,\n null]", .json, .null, 2, 2),
      ("[9223372036854775808]", .json, .integerOutOfRange, 1, 2),
      ("[1e999]", .json, .badNumber, 1, 2), ("[01]", .json, .expected("',' or ']'"), 1, 3),
      ("[1,]", .json, .expected("a value"), 1, 4), ("[1", .json, .endOfInput, 1, 3),
      (" ", .json, .empty, 1, 2),
      ("[\"\t\"]", .json, .forbiddenCharacter("\t"), 1, 3),
      ("[1] x", .json, .expected("the end of the input"), 1, 5),
      ("{a = 1; a = 2;}", .openstep, .duplicateKey("a"), 1, 9),
      ("{(1) = 2;}", .openstep, .keyIsNotString, 1, 2),
      ("{a = <0>;}", .openstep, .badData, 1, 6), (#"{a = "\376";}"#, .openstep, .badEscape, 1, 7),
      (#"{a = "\777";}"#, .openstep, .badEscape, 1, 7),
      ("/* x", .openstep, .expected("'*/' after this"), 1, 1),
      ("{a = b}", .openstep, .expected("';'"), 1, 7),
      ("(a b)", .openstep, .expected("',' or ')'"), 1, 4),
    ] as [(String, PropertyListFormat, Reason, Int, Int)])
  func reportsLineAndColumn(
    text: String, format: PropertyListFormat, reason: Reason, line: Int, column: Int
  ) throws {
    let error = try #require(throws: PropertyListDecodingError.self) {
      try PropertyList.decode(Array(text.utf8), as: format)
    }
    #expect(error.reason == reason)
    #expect(error.position?.line == line)
    #expect(error.position?.column == column)
  }

  @Test(
    arguments: [
      ("<string>&#1;</string>", .forbiddenCharacter("\u{1}")), ("<string>&x;</string>", .badEscape),
      ("<string>\u{1}</string>", .forbiddenCharacter("\u{1}")),
      ("<integer>1.5</integer>", .notDecimal), ("<integer>0x1F</integer>", .notDecimal),
      ("<integer>-0X1f</integer>", .notDecimal), ("<integer/>", .notDecimal),
      ("<integer>9223372036854775808</integer>", .integerOutOfRange),
      ("<real>1e999</real>", .badNumber),
      ("<date>2026-02-30T00:00:00Z</date>", .badDate),
      ("<date>2026-02-20T00:00:00+01:00</date>", .badDate),
      ("<data>A</data>", .badData), ("<nil/>", .unknownElement("nil")),
      ("<true>x</true>", .expected("</true>")),
      ("<dict><key>a</key></dict>", .expected("a value")),
      ("<array><key>a</key></array>", .expected("a value")),
      ("<dict><string>a</string></dict>", .expected("<key>")),
      ("<array></dict>", .expected("</array>")),
      ("<dict><key>a</key><true/><key>a</key><true/></dict>", .duplicateKey("a")),
      ("<true/><true/>", .expected("</plist>")),
      ("<string a='1' b='2' a='3'>x</string>", .duplicateAttribute("a")),
      ("<string ='1'>x</string>", .expected("'>'")),
      ("<string\((0..<17).map { " a\($0)=''" }.joined())>x</string>", .expected("'>'")),
      ("<string>a<!-- b -- c --></string>", .badComment), ("<!-- a --->\n<true/>", .badComment),
      ("<?xml version='1.0'?><true/>", .misplacedDeclaration),
      ("<string><?xml version='1.0'?></string>", .misplacedDeclaration),
      ("", .expected("a value")),
    ] as [(String, Reason)])
  func refusesOtherXML(body: String, reason: Reason) throws {
    let error = try #require(throws: PropertyListDecodingError.self) {
      try PropertyList.decode(Array("<plist version=\"1.0\">\(body)</plist>".utf8), as: .xml)
    }
    #expect(error.reason == reason)
  }

  @Test func refusesEntityDeclarations() throws {
    let text = """
      <?xml version='1.0'?>
      <!DOCTYPE plist [<!ENTITY a 'aaaa'>]><plist><string>&a;</string></plist>
      """
    let error = try #require(throws: PropertyListDecodingError.self) {
      try PropertyList.decode(Array(text.utf8))
    }
    #expect(error.reason == .internalSubset)
    #expect(error.position?.line == 2)
  }

  @Test(arguments: [" ", "\n", "<!-- c -->", "<?other?>", "\u{FEFF}\u{FEFF}"])
  func refusesAnythingBeforeTheXMLDeclaration(start: String) throws {
    let text = start + "<?xml version='1.0'?><plist><true/></plist>"
    let error = try #require(throws: PropertyListDecodingError.self) {
      try PropertyList.decode(Array(text.utf8), as: .xml)
    }
    #expect([.misplacedDeclaration, .expected("<plist>")].contains(error.reason))
  }

  @Test func refusesOtherEncodings() throws {
    let text = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><plist><true/></plist>"
    let error = try #require(throws: PropertyListDecodingError.self) {
      try PropertyList.decode(Array(text.utf8))
    }
    #expect(error.reason == .unsupportedEncoding("ISO-8859-1"))
  }

  @Test(arguments: [
    [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
    [0x22, 0xF4, 0x90],
  ])
  func refusesMalformedUTF8(bytes: [UInt8]) throws {
    for format in [PropertyListFormat.xml, .openstep, .json] {
      let error = try #require(throws: PropertyListDecodingError.self) {
        try PropertyList.decode(bytes, as: format)
      }
      #expect(error.reason == .invalidUTF8)
      #expect(error.offset == 1)
    }
  }

  @Test(
    arguments: [
      (
        "\u{FEFF}<plist><string>a<!-- x -->b<![CDATA[<&]]>&#x1F337;\r\nc&quot;</string></plist>",
        "ab<&🌷\nc\""
      ),
      ("<!-- c --><plist><integer> -31 </integer></plist>", -31),
      ("<?xml-stylesheet href='a'?><plist><integer>+31</integer></plist>", 31),
      ("<plist><true></true></plist>", true),
      ("<plist><dict a='1' /></plist>", [:]),
      (#"["\ud83c\udf37\/", -0.0, -1, 1E2]"#, ["🌷/", -0.0, -1, 100.0]),
      (
        #"{ /* c */ a = (1, 'x y', ); // d"# + "\n \"b\" = <0aFF 00>; }",
        ["a": ["1", "x y"], "b": .data([10, 255, 0])]
      ),
      (#"{a = "\351\101\Ue9\Ud83c\Udf37\a\q";}"#, ["a": "ØAé🌷\u{7}q"]),
      ("a = b;\n\"c d\" = e;\nf;", ["a": "b", "c d": "e", "f": "f"]), ("<0aff>", .data([10, 255])),
    ] as [(String, Value)])
  func readsTheFormsOfOtherWriters(text: String, value: Value) throws {
    #expect(try PropertyList.decode(Array(text.utf8)).value == value)
  }

  @Test(arguments: [
    ("[", PropertyListFormat.json), ("{\"a\":", .json), ("(", .openstep), ("{a=", .openstep),
  ])
  func stopsAtTheDepthLimit(opening: String, format: PropertyListFormat) throws {
    try expectTooDeep(Array(String(repeating: opening, count: 100_000).utf8), as: format)
  }

  @Test(arguments: ["<array>", "<dict><key>a</key>"])
  func stopsAtTheDepthLimitInXML(opening: String) throws {
    let text = "<plist>" + String(repeating: opening, count: 100_000)
    try expectTooDeep(Array(text.utf8), as: .xml)
  }

  private func expectTooDeep(_ bytes: [UInt8], as format: PropertyListFormat) throws {
    let start = processorSeconds()
    let error = #expect(throws: PropertyListDecodingError.self) {
      try PropertyList.decode(bytes, as: format)
    }
    #expect(error?.reason == .tooDeep)
    #expect(processorSeconds() - start < 1)
  }
}
