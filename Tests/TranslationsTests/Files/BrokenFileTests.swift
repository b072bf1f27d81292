import ContentModel
import Diagnostics
import TestInputs
import Testing
import Translations

/// A file with one mistake, which `⟦…⟧` marks.
struct BrokenFile: CustomTestStringConvertible, Sendable {
  var rule: String
  var text: String
  var testDescription: String { text }

  init(_ text: String, rule: String = "translation-file") { (self.text, self.rule) = (text, rule) }

  /// XLIFF with a mistake in its body.
  static func xliff(_ body: String, rule: String = "translation-unit") -> BrokenFile {
    BrokenFile(document("<body>\(body)</body>"), rule: rule)
  }

  /// XLIFF with a mistake in its only unit.
  static func unit(_ parts: String, rule: String = "translation-unit") -> BrokenFile {
    xliff("<trans-unit id='a'>\(parts)</trans-unit>", rule: rule)
  }

  /// XLIFF with a mistake in the attributes of `<file>`.
  static func file(_ attributes: String, rule: String) -> BrokenFile {
    BrokenFile(document("<body/>", file: "⟦<file \(attributes)>⟧"), rule: rule)
  }

  static func document(
    _ body: String, file: String = "<file original='c' source-language='en' target-language='fr'>"
  ) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
    \(file)
    \(body)
    </file>
    </xliff>
    """
  }

  /// A string catalog with a mistake in the localizations of its only key.
  static func localized(_ text: String, rule: String = "translation-unit") -> BrokenFile {
    BrokenFile(catalog(#""a/b#c": {"localizations": {\#(text)}}"#), rule: rule)
  }

  static func catalog(_ strings: String) -> String {
    #"{"sourceLanguage": "en", "strings": {\#(strings)}, "version": "1.0"}"#
  }

  static let header = "id,source (en),target (fr),state,maximum length\n"
}

@Suite struct BrokenFileTests {
  static let anyFormat: [BrokenFile] = [
    BrokenFile("⟦⟧Dear translator, here are the texts."),
    BrokenFile("⟦⟧id,source\na,b\n"),
    BrokenFile("⟦⟧[1, 2]"),
    BrokenFile("⟦⟧%PDF-1.7"),
  ]

  static let xliff: [BrokenFile] = [
    BrokenFile("⟦<xliff xmlns='urn:oasis:names:tc:xliff:document:2.0' version='2.0'>⟧</xliff>"),
    BrokenFile("⟦<xliff version='1.2'>⟧</xliff>"),
    BrokenFile("⟦<plist version='1.0'>⟧</plist>"),
    BrokenFile("⟦<!DOCTYPE xliff ⟧[<!ENTITY a 'b'>]><xliff>&a;</xliff>"),
    BrokenFile("⟦<?xml version='1.0' encoding='windows-1252'?>⟧<xliff/>"),
    BrokenFile("⟦⟧<xliff "),
    .unit("<source>b</⟦⟧target>", rule: "translation-file"),
    .unit("<source>b ⟦⟧&nbsp; c</source>", rule: "translation-file"),
    .unit("<source>b &⟦⟧ c</source>", rule: "translation-file"),
    .unit("<source>⟦⟧&#7;</source>", rule: "translation-file"),
    .unit("<source>b</source><target xml:lang='fr' ⟦⟧xml:lang='en'/>", rule: "translation-file"),
    .xliff("⟦<trans-unit>⟧<source>b</source></trans-unit>"),
    .xliff("⟦<trans-unit id=''>⟧<source>b</source></trans-unit>"),
    .xliff("⟦<trans-unit id='a'>⟧<target>b</target></trans-unit>"),
    .unit("<source>b</source>⟦<source>⟧c</source>"),
    .unit("<source>b</source><target>b</target>⟦<target>⟧c</target>"),
    .unit("<source>b</source><target>c ⟦<g id='1'>⟧d</g></target>"),
    .unit("<source>b ⟦<x id='1'/>⟧</source>"),
    .unit("<source>b</source><target><mrk mtype='seg'>⟦<ph>⟧</ph></mrk></target>"),
    .unit("<source>b</source>⟦<target state='done'>⟧c</target>", rule: "translation-state"),
    .xliff(
      "<trans-unit id='a'><source>b</source></trans-unit>\n"
        + "⟦<trans-unit id='a'>⟧<source>d</source></trans-unit>"),
    .file("original='c' source-language='de' target-language='fr'", rule: "translation-locale"),
    .file("original='c' source-language='en' target-language='it'", rule: "translation-locale"),
    .file("original='c' source-language='en'", rule: "translation-unit"),
    .file("original='c' target-language='fr'", rule: "translation-unit"),
  ]

  static let catalogs: [BrokenFile] = [
    BrokenFile("{⟦⟧"),
    BrokenFile("{\"sourceLanguage\" : \"en\",⟦⟧}"),
    BrokenFile("{\"strings\" : ⟦⟧tru}"),
    BrokenFile("{\"strings\" : ⟦⟧'a'}"),
    BrokenFile("{\"strings\" : [1, 2⟦⟧"),
    BrokenFile("{\"strings\" : {}, ⟦⟧\"strings\" : {}}"),
    BrokenFile("{\"strings\" : \"a⟦⟧\n\"}"),
    BrokenFile("{\"strings\" : \"a⟦⟧\\q\"}"),
    BrokenFile("{\"strings\" : \"a⟦⟧\\ud800 \"}"),
    BrokenFile("{\"strings\" : \"a⟦⟧\\u12g4\"}"),
    BrokenFile("{\"strings\" : \"a\\⟦⟧"),
    BrokenFile("{\"strings\" : {}} ⟦⟧{}"),
    BrokenFile(
      #"{"sourceLanguage":"en","strings":{"a#t":{"localizations":{"fr":{"stringUnit":{"#
        + #""state":"translated","value":"x"}}}},⟦⟧},"version":"1.0"}"#),
    BrokenFile("{\"strings\" : ⟦⟧-}"),
    BrokenFile("⟦{⟧\"strings\": {}, \"version\": \"1.0\"}"),
    BrokenFile("⟦{⟧\"sourceLanguage\": \"en\", \"version\": \"1.0\"}"),
    BrokenFile("{\"sourceLanguage\": \"en\", \"strings\": {}, \"version\": ⟦\"2.0\"⟧}"),
    BrokenFile("⟦{⟧\"sourceLanguage\": \"en\", \"strings\": {}}"),
    BrokenFile(
      "{\"sourceLanguage\": ⟦\"de\"⟧, \"strings\": {}, \"version\": \"1.0\"}",
      rule: "translation-locale"),
    .localized(#"⟦"it"⟧: {}"#, rule: "translation-locale"),
    .localized(
      #""fr": {"stringUnit": {"state": ⟦"done"⟧, "value": "x"}}"#, rule: "translation-state"),
    .localized(#""fr": {"stringUnit": ⟦{⟧"state": "translated"}}"#),
    .localized(#""fr": {"stringUnit": {"state": "translated", "value": ⟦1⟧}}"#),
    .localized(#"⟦"fr"⟧: {}"#),
    .localized(#"⟦"fr"⟧: {"variations": {"plural": {}}}"#),
    .localized(#""fr": {"variations": {"plural": {⟦"more"⟧: {}}}}"#),
    .localized(#""fr": {"variations": {"plural": {⟦"other"⟧: {}}}}"#),
    .localized(#""fr": {"variations": {⟦"device"⟧: {}}}"#),
    .localized(#""fr": {"stringUnit": {"value": ""}, ⟦"substitutions"⟧: {}}"#),
    .localized(
      #"""
      "en": {"stringUnit": {"state": "translated", "value": "a"}},
      ⟦"fr"⟧: {"variations": {"plural": {"other": {"stringUnit": {"value": "b"}}}}}
      """#),
    .localized(#""fr": {"stringUnit": {"value": "y"}}, ⟦"FR"⟧: {"stringUnit": {"value": "y"}}"#),
  ]

  static let tables: [BrokenFile] = [
    BrokenFile(BrokenFile.header + "a,⟦⟧\"b"),
    BrokenFile(BrokenFile.header + "a,\"b\"⟦⟧c,d"),
    BrokenFile(BrokenFile.header + "a,b⟦⟧\"c,d"),
    BrokenFile(BrokenFile.header + "a,b,c,⟦done⟧\n", rule: "translation-state"),
    BrokenFile(BrokenFile.header + "a,b,c,new,⟦many⟧\n", rule: "translation-unit"),
    BrokenFile(BrokenFile.header + "a,b,c,new,⟦99999999999999999999⟧\n", rule: "translation-unit"),
    BrokenFile(BrokenFile.header + "⟦⟧,b,c\n", rule: "translation-unit"),
    BrokenFile(BrokenFile.header + "a,b,c,new,1,⟦extra⟧\n", rule: "translation-unit"),
    BrokenFile(BrokenFile.header + "a,b,c\n⟦\"a\"⟧,d,e\n", rule: "translation-unit"),
    BrokenFile("id,source (en),⟦target (it)⟧\na,b,c\n", rule: "translation-locale"),
    BrokenFile("id,⟦source (de)⟧,target (fr)\na,b,c\n", rule: "translation-locale"),
    BrokenFile("⟦id⟧,source,target\na,b,c\n"),
    BrokenFile("id,source,target (fr),⟦target (ar)⟧\na,b,c,d\n"),
  ]

  static let ofFormats: [(format: TranslationFormat, files: [BrokenFile])] = [
    (.xliff, xliff), (.xcstrings, catalogs), (.csv, tables),
  ]

  @Test(arguments: anyFormat + ofFormats.flatMap(\.files))
  func refusesABrokenFileAtItsMistake(file: BrokenFile) throws {
    let marked = MarkedText(file.text)
    let read = TranslationFile.decode(marked.bytes, path: "in.txt", locales: Samples.locales)
    let found = try #require(read.diagnostics.first)
    #expect(read.diagnostics.count == 1, "\(read.diagnostics.map(\.message))")
    #expect(found.severity == .error && found.id == file.rule, "\(found)")
    #expect(found.location?.path == "in.txt")
    #expect(found.location?.range == marked.ranges.first, "\(found)")
    #expect(!found.message.hasSuffix(".") && !found.message.isEmpty)
  }

  @Test func hasFilesOfEachFormat() {
    #expect(Self.ofFormats.map(\.format) == TranslationFormat.allCases)
    #expect(Self.ofFormats.allSatisfy { $0.files.count > 10 })
  }

  static let bytesOfNoText: [([UInt8], SourcePosition?)] = [
    ([], nil),
    (Array("  \n".utf8), nil),
    (Array("PK\u{3}\u{4}rest".utf8), nil),
    ([0xFF, 0xFE, 0x00, 0xD8], nil),
    ([0xFF, 0xFE, 0x41], nil),
    (Array("id,source,target\na,é".utf8) + [0xE9, 0x2C], SourcePosition(line: 2, column: 4)),
    (Array("{\n\"".utf8) + [0xC0, 0x80], SourcePosition(line: 2, column: 2)),
  ]

  @Test(arguments: bytesOfNoText)
  func refusesBytesThatAreNotText(bytes: [UInt8], start: SourcePosition?) {
    let read = TranslationFile.decode(bytes, path: "in", locales: Samples.locales)
    #expect(read.output.isEmpty && read.diagnostics.map(\.id) == ["translation-file"])
    #expect(read.diagnostics.first?.location?.range?.start == start)
  }

  @Test func refusesDeepNesting() {
    let elements = String(repeating: "<group>", count: 100_000)
    for text in [
      BrokenFile.document("<body>" + elements), String(repeating: "{\"a\":", count: 100_000),
      "{\"a\":" + String(repeating: "[", count: 100_000),
    ] {
      let read = Samples.decode(text)
      #expect(read.diagnostics.map(\.id) == ["translation-file"])
      #expect(read.diagnostics.first?.message.contains("64 deep") == true)
    }
  }

  @Test func showsTheFirstThousandMistakes() {
    let unit = "<trans-unit id='a'><source>b</source><target>c<g/></target></trans-unit>"
    let file = BrokenFile.xliff(String(repeating: unit, count: 3_000))
    let read = Samples.decode(file.text)
    #expect(read.diagnostics.count == 1_001)
    #expect(read.diagnostics.last?.id == "translation-file")
  }

  /// Each damaged unit costs a reading of the file, so their number is limited.
  @Test func refusesAFileWithVeryManyDamagedUnits() {
    let unit = "<trans-unit id='a/b#c'><source>d & e</source></trans-unit>\n"
    let xliff = BrokenFile.xliff(String(repeating: unit, count: 5_000)).text
    let table = BrokenFile.header + String(repeating: "a/b#c,d,\"e\"f\n", count: 5_000)
    let entries = Array(repeating: #""a/b#c": {"localizations": {"fr": {]}}"#, count: 5_000)
    for text in [xliff, table, BrokenFile.catalog(entries.joined(separator: ","))] {
      let clock = ContinuousClock()
      let elapsed = clock.measure {
        let read = Samples.decode(text)
        #expect(read.output.isEmpty && read.hasErrors)
      }
      #expect(elapsed < .seconds(60), "\(elapsed)")
    }
  }

  @Test func refusesVeryLargeFiles() {
    let bytes = [UInt8](repeating: 0x20, count: (64 << 20) + 1)
    let read = TranslationFile.decode(bytes, path: "in", locales: Samples.locales)
    #expect(read.diagnostics.map(\.message) == ["the file must not exceed 64 MB"])
  }

  /// Damaged files end in diagnostics, never in a trap or in units that contradict each other.
  @Test(arguments: TranslationFormat.allCases, 0..<40)
  func survivesDamage(format: TranslationFormat, seed: Int) {
    var generator = SeededGenerator(seed: seed)
    let file = TranslationFile(
      format, from: Samples.english, to: Samples.french, units: Samples.units)
    let whole = file.encoded().output
    for _ in 0..<50 {
      var bytes = whole
      for _ in 0...generator.below(4) {
        let place = generator.below(bytes.count)
        switch generator.below(4) {
        case 0: bytes[place] = UInt8(generator.below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(generator.one(of: Array("<>&\"'{}[],:;\\".utf8)), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + generator.below(200)))
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let read = TranslationFile.decode(bytes, path: "in", locales: Samples.locales)
      #expect(!read.output.isEmpty || read.hasErrors)
      for unit in read.output.flatMap(\.units) {
        #expect((unit.target == nil) == (unit.state == .new))
        #expect(unit.place != nil && unit.targetPlace != nil)
      }
    }
  }
}
