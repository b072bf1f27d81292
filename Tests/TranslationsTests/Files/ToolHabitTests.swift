import ContentModel
import Diagnostics
import Testing
import Translations

/// Changes that translation tools and spreadsheets make to files.
@Suite struct ToolHabitTests {
  // MARK: All formats

  @Test func countsASourceInStateNewAsMissing() throws {
    let texts = [
      BrokenFile.unit("<source>b</source><target state='new'>b</target>").text,
      BrokenFile.localized(
        """
        "en": {"stringUnit": {"state": "translated", "value": "b"}},
        "fr": {"stringUnit": {"state": "new", "value": "b"}}
        """
      ).text,
    ]
    for text in texts {
      let read = Samples.decode(text)
      #expect(read.diagnostics == [])
      let unit = try #require(read.output.first?.units.first)
      #expect(unit.target == nil && unit.state == .new && unit.source == "b")
      #expect(unit.repeatsSource)
    }
  }

  /// An export leaves the cell empty, so somebody has typed the text.
  @Test func countsASourceInACellAsTranslated() throws {
    let read = Samples.decode(BrokenFile.header + "a,OK,OK,new\nb,5,5,new\n")
    #expect(read.output.first?.units.map(\.target) == ["OK", "5"])
    #expect(read.output.first?.units.map(\.state) == [.translated, .translated])
    #expect(read.output.first?.units.map(\.repeatsSource) == [true, false])
  }

  @Test func leavesOutUnitsThatAreNotForTranslators() throws {
    let read = Samples.decode(
      BrokenFile.document(
        """
        <body><trans-unit id="a" translate="no"><source>b</source></trans-unit>
        <group translate="no"><trans-unit id="c"><source>d</source></trans-unit></group>
        <trans-unit id="e" translate="yes"><source>f</source></trans-unit></body>
        """))
    #expect(read.diagnostics == [])
    #expect(read.output.first?.units.map(\.id) == ["e"])
  }

  @Test func marksAnotherTextInStateNewForReview() throws {
    let file = BrokenFile.unit("<source>b</source><target state='new'>c</target>")
    let unit = try #require(Samples.decode(file.text).output.first?.units.first)
    #expect(unit.state == .needsReview && unit.target == "c")
  }

  @Test func leavesOutUndeclaredLanguagesWithAWarning() throws {
    let read = Samples.decode(
      BrokenFile.localized(
        """
        "fr": {"stringUnit": {"state": "translated", "value": "b"}},
        "pt": {"stringUnit": {"state": "translated", "value": "c"}}
        """
      ).text)
    #expect(read.output.map(\.targetLocale) == [Samples.french])
    let warning = try #require(read.diagnostics.first)
    #expect(read.diagnostics.count == 1 && warning.severity == .warning)
    #expect(warning.id == "translation-locale" && warning.location?.range != nil)
    #expect(warning.notes.first?.message == "a declared locale is 'pt-BR'")
  }

  @Test func readsSeveralLanguagesOfACatalog() throws {
    let read = Samples.decode(
      BrokenFile.catalog(
        """
        "a": {"localizations": {"fr": {"stringUnit": {"state": "translated", "value": "b"}}}},
        "c": {"localizations": {"pt_BR": {"stringUnit": {"state": "needs_review", "value": "d"}}}},
        "e": {"shouldTranslate": false}
        """))
    #expect(read.diagnostics == [])
    #expect(read.output.map(\.targetLocale.identifier) == ["fr", "pt-BR"])
    #expect(read.output.first?.units.map(\.target) == ["b", nil])
    #expect(read.output.last?.units.map(\.target) == [nil, "d"])
    #expect(read.output.last?.units.map(\.source) == ["a", "c"])
  }

  // MARK: XLIFF

  @Test func keepsTextsOfCDATACommentsAndSegments() throws {
    let read = Samples.decode(
      BrokenFile.document(
        """
        <body><!-- a --><group id="g"><trans-unit id="a" approved="yes">
        <source>b<!-- c --> <![CDATA[<d> & ]]>e</source>
        <seg-source><mrk mid="0" mtype="seg">b</mrk></seg-source>
        <target><mrk mid="0" mtype="seg">f </mrk><mrk mid="1" mtype="seg">g</mrk></target>
        <alt-trans><source>h</source><target>i</target></alt-trans>
        <note>j</note><note from="tool">k</note>
        <other xmlns="urn:tool"><target>l</target></other>
        </trans-unit></group><bin-unit id="m"/></body>
        """))
    #expect(read.diagnostics == [])
    let unit = try #require(read.output.first?.units.first)
    #expect(unit.source == "b <d> & e" && unit.target == "f g" && unit.state == .final)
    #expect(unit.note == "j\nk")
    #expect(read.output.first?.units.count == 1)
  }

  @Test func readsPrefixesAndFilesOfSeveralParts() throws {
    let read = Samples.decode(
      """
      <x:xliff xmlns:x="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
      <x:file original="a" source-language="EN" target-language="fr"><x:body>
      <x:trans-unit id="a"><x:source>b</x:source><x:target/></x:trans-unit></x:body></x:file>
      <x:file original="b" source-language="en" target-language="fr"><x:body>
      <x:trans-unit id="c"><x:source>d</x:source><x:target state="translated"/></x:trans-unit>
      </x:body></x:file></x:xliff>
      """)
    #expect(read.diagnostics == [])
    #expect(read.output.first?.units.map(\.target) == [nil, ""])
  }

  @Test(arguments: [
    ("needs-review-l10n", TranslationUnit.State.needsReview), ("needs-adaptation", .needsReview),
    ("signed-off", .final), ("x-machine", .needsReview), ("translated", .translated),
  ])
  func readsStatesOfXLIFF(name: String, state: TranslationUnit.State) throws {
    let file = BrokenFile.unit("<source>b</source><target state='\(name)'>c</target>")
    let read = Samples.decode(file.text)
    #expect(read.output.first?.units.first?.state == state)
  }

  @Test func givesThePlacesOfUnitsAndTargets() throws {
    let file = BrokenFile.xliff(
      "\n  <trans-unit id='a'>\n<source>é</source> <target>é</target></trans-unit>")
    let read = Samples.decode(file.text)
    let unit = try #require(read.output.first?.units.first)
    #expect(unit.place?.range?.start == SourcePosition(line: 5, column: 3))
    #expect(unit.targetPlace?.range?.start == SourcePosition(line: 6, column: 20))
    #expect(unit.targetPlace?.range?.end == SourcePosition(line: 6, column: 38))
  }

  // MARK: CSV

  @Test(arguments: [",", ";", "\t"])
  func findsTheSeparatorInTheFirstRow(separator: String) throws {
    let rows = [
      ["Id", "Source (en)", "TARGET (fr)", "comment"], ["a", "b", "\"c,;\td\"", "e"],
      ["", "", "", ""], ["f", "g"], ["h", "i", "j", "", "", ""],
    ]
    let text = rows.map { $0.joined(separator: separator) + "\r\n" }.joined()
    for start in ["", "\u{FEFF}", "sep=\(separator)\r\n"] {
      let read = Samples.decode(start + text)
      #expect(read.diagnostics == [])
      #expect(read.output.first?.units.map(\.target) == ["c,;\td", nil, "j"])
      #expect(read.output.first?.units.map(\.state) == [.translated, .new, .translated])
    }
  }

  @Test func countsAFilledCellAsTranslated() throws {
    let read = Samples.decode(BrokenFile.header + "a,b,c,new\nd,e,,translated\nf,g,',\n")
    #expect(read.diagnostics == [])
    #expect(read.output.first?.units.map(\.target) == ["c", nil, ""])
    #expect(read.output.first?.units.map(\.state) == [.translated, .new, .translated])
  }

  @Test(arguments: [
    ("=1", "'=1"), ("'=1", "''=1"), ("''=1", "'''=1"), ("'", "''"), ("''", "'''"), ("-", "'-"),
    (" =1", "' =1"), ("+1", "'+1"), ("@a", "'@a"), ("\ta", "'\ta"), ("\ra", "'\ra"),
    ("'s morgens", "'s morgens"), ("a=1", "a=1"), ("' ", "' "), ("＝1", "'＝1"),
  ])
  func guardsFormulas(text: String, cell: String) throws {
    let unit = TranslationUnit(id: "a", source: text, target: text)
    let bytes = TranslationFile(
      .csv, from: Samples.english, to: Samples.french, units: [unit]
    ).encoded().output
    #expect(String(decoding: bytes, as: UTF8.self).contains(",\"\(cell)\",\"\(cell)\","))
    let read = TranslationFile.decode(bytes, path: "in", locales: Samples.locales)
    #expect(read.output.first?.units == [unit])
  }

  // MARK: Plurals

  @Test func writesTheCategoriesOfEachLanguage() throws {
    let categories = PluralCategory.allCases
    let units = categories.map { category in
      TranslationUnit(
        id: ExactString("a/b#c[\(category.rawValue)]"),
        source: category == .one ? "%d item" : "%d items",
        target: category == .two ? nil : "\(category.rawValue) %d")
    }
    let bytes = TranslationFile(
      .xcstrings, from: Samples.english, to: Samples.arabic, units: units
    ).encoded().output
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\"en\" : {")
    let english = try #require(parts.last)
    #expect(english.contains("\"one\" :") && english.contains("\"other\" :"))
    #expect(!english.contains("\"few\" :") && parts.first?.contains("\"few\" :") == true)
    let read = TranslationFile.decode(bytes, path: "in", locales: Samples.locales)
    #expect(read.output.first?.units == units)
  }

  /// Xcode needs no variations for a language with one form, such as Korean.
  @Test(arguments: [("ja", true), ("fr", false)])
  func readsASingleTextOfAPluralAsOther(language: String, isTaken: Bool) throws {
    let english =
      #""en": {"variations": {"plural": {"one": {"stringUnit": {"state": "translated", "#
      + #""value": "%d item"}}, "other": {"stringUnit": {"state": "translated", "#
      + #""value": "%d items"}}}}}"#
    let other = #""\#(language)": {"stringUnit": {"state": "translated", "value": "%d"}}"#
    let target = try #require(LocaleTag(language))
    let read = TranslationFile.decode(
      Array(BrokenFile.localized("\(english), \(other)").text.utf8), path: "in",
      locales: TranslationLocales(source: Samples.english, targets: [target]))
    #expect(read.diagnostics.map(\.id) == (isTaken ? [] : ["translation-unit"]))
    let units = try #require(read.output.first?.units)
    #expect(units.map(\.plural?.category) == (isTaken ? [.one, .other] : []))
    #expect(units.map(\.target) == (isTaken ? [nil, "%d"] : []))
  }

  @Test func refusesCategoriesThatTheSourceLacks() throws {
    let english = #""en": {"stringUnit": {"state": "translated", "value": "items"}}"#
    let french =
      #""fr": {"variations": {"plural": {"other": {"stringUnit": {"state": "translated", "#
      + #""value": "articles"}}}}}"#
    let read = Samples.decode(BrokenFile.localized("\(english), \(french)").text)
    #expect(read.diagnostics.map(\.id) == ["translation-unit"])
  }

  @Test func recognizesPluralUnitsByTheirIDs() {
    let unit = TranslationUnit(id: "a/b#c[few]", source: "")
    #expect(unit.plural?.text == "a/b#c" && unit.plural?.category == .few)
    for id in ["a/b#c", "a/b#c[]", "a/b#c[more]", "few]", "a[one]b"] as [ExactString] {
      #expect(TranslationUnit(id: id, source: "").plural == nil)
    }
  }

  // MARK: White space

  @Test(arguments: [
    ("Hello", "Bonjour", nil, 0), (" Hello", "Bonjour", nil, 1), ("Hello\n", "Bonjour", nil, 1),
    ("Hello", "Bonjour ", "Salut ", 0), ("Hi!", "Salut !", "Salut\u{A0}!", 1),
    ("Hi!", "Salut\u{202F}!", "Salut\u{A0}!", 0), (" Hi!", "Salut !", " Salut\u{A0}!", 2),
    ("Hello\u{2002}", "Bonjour\u{2000}", nil, 1), (" ", "", nil, 0),
  ])
  func warnsOfChangedWhiteSpace(source: String, target: String, current: String?, count: Int) {
    let text = "id,source (en),target (fr)\na,\"\(source)\",\"\(target)\"\n"
    let unit = Samples.decode(text).output.first?.units.first
    let warnings = unit?.whitespaceWarnings(replacing: current) ?? []
    #expect(warnings.count == count, "\(warnings)")
    #expect(warnings.allSatisfy { $0.id == "translation-space" && $0.location?.range != nil })
  }
}
