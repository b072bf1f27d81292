import ContentModel
import ContentSource
import Diagnostics
import Testing
import Translations
import YAML

/// Imports of translations into the files of a content folder.
@Suite struct ImportTests {
  @Test(arguments: TranslationFormat.allCases)
  func changesNothingAfterAnExport(format: TranslationFormat) throws {
    for locale in ["fr", "ar", "fr-CA", "en-GB"] {
      var fixture = Fixture.shop
      let plan = try fixture.take(try fixture.export(locale, as: format))
      #expect(plan.diagnostics.isEmpty)
      let files = try #require(plan.output).files.map(\.path)
      #expect(files == (locale == "fr" ? [TranslationLock.fileName] : []))
      let again = try fixture.take(try fixture.export(locale, as: format))
      #expect(again.output?.files.isEmpty == true)
    }
  }

  @Test(arguments: TranslationFormat.allCases)
  func writesEveryTranslation(format: TranslationFormat) throws {
    for locale in ["fr", "ar", "fr-CA"] {
      var fixture = Fixture.shop
      var wanted: [ExactString: String] = [:]
      let file = try fixture.export(locale, as: format) { unit in
        unit = unit.translated(unit.source.replacing("Cut", with: "Coupez") + "!")
        wanted[unit.id] = unit.target
      }
      let plan = try fixture.take(file)
      #expect(!plan.hasErrors)
      #expect(try fixture.translations(locale) == wanted)
      // A second import changes nothing.
      let again = try fixture.take(file)
      #expect(again.output?.files.isEmpty == true)
      #expect(again.output?.changed == 0)
    }
  }

  @Test func leavesAllOtherBytesOfAFile() throws {
    var fixture = Fixture.shop
    try fixture.take(
      try fixture.export("fr", as: .xliff) { unit in
        switch unit.id {
        case "product/rose#title": unit = unit.translated("Rose d’été")
        case "product/rose#badges.top.label": unit = unit.translated("Vedette")
        case "strings/app#cart.empty": unit = unit.translated("Rien: ici")
        default: break
        }
      })
    #expect(
      fixture["entries/product/rose.fr.yaml"] == """
        # Une rose
        title:   'Rose d’été'   # le classique
        badges:
          - id: new
            label: "Nouveau"
          - id: top
            label: Vedette

        """)
    #expect(
      fixture["strings/app.fr.yml"] == """
        fr:
          cart: {add: "Ajouter %{name}", empty: "Rien: ici"}

        """)
  }

  @Test func makesOverlaysInTheLayoutOfTheFolder() throws {
    var fixture = Fixture.shop
    func translate(_ locale: String) throws -> [String] {
      let file = try fixture.export(locale, as: .csv) { unit in
        if ["store/paris#name", "product/rose@ipad#title", "strings/app#a%2Eb"].contains(unit.id) {
          unit = unit.translated("X")
        }
      }
      return try #require(try fixture.take(file).output).files.map(\.path)
    }
    #expect(
      try translate("fr-CA") == [
        "entries/product/rose.fr-CA@ipad.yaml", "entries/store.fr-CA.yaml",
        "strings/app.fr-CA.yml", "translations.lock",
      ])
    #expect(fixture["entries/store.fr-CA.yaml"] == "paris:\n  name: X\n")
    #expect(fixture["strings/app.fr-CA.yml"] == "fr-CA:\n  a.b: X\n")
    #expect(fixture["entries/product/rose.fr-CA@ipad.yaml"] == "title: X\n")

    // Other overlays of the datatype are in files of their own.
    fixture["entries/store/lyon.ar.yaml"] = "name: Y\n"
    #expect(try translate("ar").contains("entries/store/paris.ar.yaml"))
  }

  @Test func replacesAnEditedAliasByItsText() throws {
    var fixture = Fixture.shop
    fixture["strings/app.fr.yml"] = """
      fr:
        cart: &cart
          empty: &empty Rien
          again: *empty
        items: {one: "%{count} x", many: "%{count} de x", other: "%{count} xs"}

      """
    try fixture.take(
      try fixture.export("fr", as: .xcstrings) { unit in
        if unit.id == "strings/app#cart.again" { unit = unit.translated("Encore rien") }
      })
    #expect(fixture["strings/app.fr.yml"].contains("again: Encore rien\n"))
    // The last alias was replaced, so the anchor is removed: readers would warn of it.
    #expect(fixture["strings/app.fr.yml"].contains("empty: Rien\n"))
  }

  /// Two spellings of an accent are equal for `String`, but readers and their fonts distinguish
  /// them.
  @Test func takesAnotherSpellingOfAnAccent() throws {
    var fixture = Fixture.shop
    for text in ["Caf\u{E9}", "Cafe\u{301}"] {
      let file = try fixture.export("fr", as: .xliff) { unit in
        if unit.id == "store/paris#name" { unit = unit.translated(text) }
      }
      #expect(try fixture.take(file).output?.changed == 1)
      let french = try fixture.translations("fr")
      #expect(french["store/paris#name"]?.hasSameBytes(as: text) == true)
    }
  }

  @Test func writesAListAsAWhole() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .xliff) { unit in
      if unit.id == "product/rose#notes.1" { unit = unit.translated("Du coin") }
      if unit.id == "product/rose#sizes.0.name" { unit = unit.translated("Petite") }
      if unit.id == "strings/app#days.1" { unit = unit.translated("lundi") }
      if unit.id == "strings/app#days.2" { unit = unit.translated("mardi") }
    }
    let plan = try fixture.take(file)
    #expect(plan.diagnostics.map(\.id) == ["translation-incomplete", "translation-incomplete"])
    #expect(plan.output?.skipped == 2)
    let path = "entries/product/rose.fr.yaml"
    #expect(fixture[path].hasSameBytes(as: Fixture.shop[path]))
    #expect(fixture["strings/app.fr.yml"].contains("lundi"))
    let french = try fixture.translations("fr")
    #expect(french["strings/app#days.2"] == "mardi")
  }

  /// A new item of a list has all of the source item's values, whatever their types.
  @Test func copiesTheOtherValuesOfAListsItem() throws {
    var fixture = Fixture.shop
    fixture["datatypes/card.yaml"] = """
      fields:
        cards:
          type: list
          localized: true
          of:
            type: object
            fields:
              label: string
              count: {type: integer, required: true}
              isOn: boolean
              tags: {type: list, of: string}

      """
    fixture["entries/card/a.yaml"] = """
      cards:
        - {label: One, count: 1, isOn: true, tags: []}
        - {count: 2, when: {country: FR}}
        - {label: Three, count: 0x3, tags: [x, "5"]}

      """
    fixture["content.yaml"].replace("product/*", with: "product/*, card/*")
    let file = try fixture.export("ar", as: .xliff) { unit in
      if unit.id.hasPrefix("card/a#") { unit = unit.translated("A " + unit.source) }
    }
    let plan = try fixture.take(file)
    #expect(plan.diagnostics.map(\.message) == [])
    let lines = [
      "cards:", "  - label: A One", "    count: 1", "    isOn: true", "    tags: []",
      "  - {count: 2, when: {country: FR}}", "  - label: A Three", "    count: 0x3", "    tags:",
      "      - A x", "      - A 5",
    ]
    #expect(fixture["entries/card/a.ar.yaml"].split(separator: "\n") == lines.map { $0[...] })

    // The locale has the first item only.
    fixture["entries/card/a.fr.yaml"] = "cards:\n- {label: Un, count: 1}\n"
    try fixture.take(
      try fixture.export("fr", as: .csv) { unit in
        if unit.id.hasPrefix("card/a#"), unit.target == nil { unit = unit.translated("F") }
      })
    let french = fixture["entries/card/a.fr.yaml"]
    #expect(
      french.hasPrefix("cards:\n- {label: Un, count: 1}\n- {count: 2, when: {country: FR}}\n"))
    #expect(french.contains("count: 0x3"))
  }

  @Test func correctsACategoryOfAnIncompletePlural() throws {
    var fixture = Fixture.shop
    fixture["strings/app.fr.yml"] = "fr: {items: {one: \"%{count} x\", other: \"%{count} y\"}}\n"
    let plan = try fixture.take(
      try fixture.export("fr", as: .csv) { unit in
        if unit.id == "strings/app#items[other]" { unit = unit.translated("%{count} z") }
      })
    #expect(plan.output?.changed == 1)
    #expect(fixture["strings/app.fr.yml"].contains("other: \"%{count} z\""))
  }

  @Test func countsABlankTranslationAsMissing() throws {
    var fixture = Fixture.shop
    let plan = try fixture.take(
      try fixture.export("fr", as: .xliff) { unit in
        if unit.id == "store/lyon#name" { unit = unit.translated(" \u{A0}") }
      })
    #expect(plan.diagnostics.map(\.id) == ["translation-space"])
    #expect(plan.output?.changed == 0)
  }

  /// A catalog has a unit for each category of its source.
  ///
  /// A language with one form lacks some of these categories.
  @Test func takesOneTextForAPluralOfALanguageWithOneForm() throws {
    var fixture = Fixture.shop
    fixture["content.yaml"] = fixture["content.yaml"].replacing("ar]", with: "ar, ja]")
    let source =
      #""en": {"variations": {"plural": {"one": {"stringUnit": {"value": "{count} rose"}}, "#
    let catalog = """
      {"sourceLanguage": "en", "version": "1.0", "strings": {"product/rose#stock": {
      "localizations": {\(source)"other": {"stringUnit": {"value": "{count} roses"}}}}},
      "ja": {"stringUnit": {"state": "translated", "value": "{count} 本"}}}}}}
      """
    let plan = try fixture.take(Array(catalog.utf8))
    #expect(plan.diagnostics == [])
    #expect(plan.output?.changed == 1)
    #expect(try fixture.translations("ja")["product/rose#stock[other]"] == "{count} 本")
  }

  @Test func takesAPluralFromTwoFiles() throws {
    let fixture = Fixture.shop
    let tree = try fixture.tree()
    let project = TranslationProject(of: tree, lock: nil)
    let quebec = try #require(LocaleTag("fr-CA"))
    let units = project.units(into: quebec).map(\.unit)
      .filter { $0.id.hasPrefix("product/rose#stock[") }.map { $0.translated("{count} fleurs") }
    #expect(units.count == 3)
    let files = [units.prefix(1), units.dropFirst()].map {
      TranslationFile(.xliff, from: project.locales.source, to: quebec, units: Array($0))
    }
    let plan = try TranslationImport.plan(files, into: fixture.folder, tree: tree, lock: nil)
    #expect(plan.diagnostics == [])
    #expect(plan.output?.changed == 3)
  }

  @Test func refusesAFileThatHasChangedMeanwhile() throws {
    let fixture = Fixture.shop
    var changed = fixture
    changed["entries/product/rose.fr.yaml"] += "# later\n"
    let file = try fixture.export("fr", as: .xliff) { unit in
      if unit.id == "product/rose#title" { unit = unit.translated("Rose") }
    }
    let tree = try fixture.tree()
    let project = TranslationProject(of: tree, lock: nil)
    let read = TranslationFile.decode(file, path: "import", locales: project.locales)
    let plan = try TranslationImport.plan(read.output, into: changed.folder, tree: tree, lock: nil)
    #expect(plan.diagnostics.map(\.id) == ["changed-file"])
    #expect(plan.output == nil)
  }

  @Test func leavesOutEntriesInTheLanguageOfTheirReaders() throws {
    var fixture = Fixture.shop
    fixture["entries/store/offer.yaml"] = "name: Offre\nwhen: {locale: fr}\n"
    fixture["entries/store/gone.yaml"] = "name: Gone\nwhen: false\n"
    fixture["entries/store/both.yaml"] = "name: Both\nwhen: {locale: [en, fr]}\n"
    fixture["entries/store/empty.yaml"] = "name: \"\"\n"
    fixture["entries/product/rose.en.yaml"] = "title: Very red rose\n"
    let texts = try fixture.project().table
    #expect(texts.text("store/offer#name") == nil)
    #expect(texts.text("store/gone#name") == nil)
    #expect(texts.text("store/empty#name") == nil)
    #expect(texts.text("store/both#name") != nil)
    #expect(texts.text("product/rose#title")?.node.text == "Very red rose")
  }

  /// The time grows with the number of texts, not with its square.
  @Test func importsManyTextsInLinearTime() throws {
    func seconds(_ count: Int) throws -> Double {
      var fixture = Fixture([
        "content.yaml":
          "app: a\nsourceLocale: en\nlocales: [en, fr]\nbundles: {a: {include: strings/*}}\n"
      ])
      let keys = (0..<count).map { "  key\($0): \"Text {n} \($0)\"\n" }.joined()
      let lists = (0..<(count / 4)).map { "  list\($0): [a, b]\n" }.joined()
      fixture["strings/app.en.yml"] = "en:\n" + keys + lists
      let file = try fixture.export("fr", as: .csv) { unit in
        unit = unit.translated("Mot \(unit.id.text.utf8.count)")
      }
      let clock = ContinuousClock()
      let elapsed = try clock.measure {
        let plan = try fixture.take(file)
        #expect(plan.output?.changed == count * 3 / 2)
      }
      return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    }
    let (few, many) = (try seconds(1000), try seconds(8000))
    #expect(many < 24 * few, "\(few) s for 1,000 texts, \(many) s for 8,000")
  }

  @Test func leavesOutAPluralWithoutACategory() throws {
    var fixture = Fixture.shop
    let half = try fixture.export("ar", as: .xliff) { unit in
      if unit.id == "product/rose#stock[one]" { unit = unit.translated("{count} a") }
      if unit.id == "product/rose#stock[other]" { unit = unit.translated("{count} b") }
    }
    let plan = try fixture.take(half)
    #expect(plan.diagnostics.map(\.id) == ["translation-incomplete"])
    #expect(plan.diagnostics.first?.location?.path == "import")
    #expect(plan.output?.files.isEmpty == true)
    #expect(fixture["entries/product/rose.ar.yaml"] == "")
  }

  @Test func reportsMistakesAtTheirPlacesInTheImportedFile() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .xliff) { unit in
      switch unit.id {
      case "product/rose#title": unit = unit.translated(String(repeating: "x", count: 31))
      case "product/rose#care": unit = unit.translated("<b>Coupez</b>")
      case "product/rose#stock[one]", "product/rose#stock[many]", "product/rose#stock[other]":
        unit = unit.translated("{nombre} roses")
      case "strings/app#cart.add": unit = unit.translated("Ajouter")
      default: break
      }
    }
    let plan = try fixture.take(file)
    // The three texts with mistakes are left out; the list with the warning is imported.
    #expect(plan.output?.refused == 5 && plan.output?.changed == 1)
    let lines = String(decoding: file, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let found = plan.diagnostics.map { diagnostic -> String in
      let line = diagnostic.location?.range?.start.line ?? 0
      let unit = lines[..<line].last { $0.contains("<trans-unit") } ?? ""
      let id = unit.split(separator: "\"").dropFirst().first ?? ""
      return "\(diagnostic.severity) \(diagnostic.id) \(id)"
    }
    #expect(
      found.sorted() == [
        "error markdown product/rose#care", "error markdown product/rose#care",
        "error out-of-range product/rose#title", "error placeholders product/rose#stock[many]",
        "error placeholders product/rose#stock[one]",
        "error placeholders product/rose#stock[other]",
        "warning placeholders strings/app#cart.add",
      ])
    #expect(try fixture.translations("fr")["strings/app#cart.add"] == "Ajouter")
    #expect(try fixture.translations("fr")["product/rose#title"] == "Rose rouge")
  }

  @Test func namesTheLineOfAMistakeInALongText() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .csv) { unit in
      if unit.id == "product/rose#care" {
        unit = unit.translated("# Soins\n\nUn peu d’eau.\n\n<b>Attention</b> : pas de sel.\n")
      }
    }
    let plan = try fixture.take(file)
    let notes = try #require(plan.diagnostics.first { $0.id == "markdown" }).notes.map(\.message)
    #expect(notes.contains("line 5 of the text is: <b>Attention</b> : pas de sel."), "\(notes)")
  }

  @Test func namesNoLineThatATextHasTwice() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .csv) { unit in
      if unit.id == "product/rose#care" {
        unit = unit.translated("# Soins\n\n<b>x</b>\n\nUn peu d’eau.\n\n<b>x</b>\n\n<b>y</b>\n")
      }
    }
    let plan = try fixture.take(file)
    let notes = plan.diagnostics.flatMap(\.notes).map(\.message).filter {
      $0.hasPrefix("line ")
    }
    #expect(Set(notes) == ["line 9 of the text is: <b>y</b>"], "\(notes)")
  }

  @Test func leavesOutAnUnknownUnit() throws {
    let fixture = Fixture.shop
    let file = try fixture.export("fr", as: .csv) { unit in
      if unit.id == "product/rose#title" {
        unit = TranslationUnit(id: "product/rose#titel", source: "x", target: "y")
      }
      if unit.id == "product/rose#care" { unit = unit.translated("Eau") }
    }
    for skips in [false, true] {
      var fixture = fixture
      let plan = try fixture.take(
        file, options: TranslationImport.Options(skipsUnknown: skips))
      #expect(plan.diagnostics.map(\.id) == ["translation-unknown"])
      #expect(plan.hasErrors == !skips)
      #expect(plan.diagnostics.first?.notes.first?.message == "did you mean 'product/rose#title'?")
      let output = try #require(plan.output)
      #expect(output.changed == 1)
      #expect((output.skipped, output.refused) == (skips ? 1 : 0, skips ? 0 : 1))
    }
  }

  @Test func suggestsNoTextOfAnotherEntry() throws {
    var fixture = Fixture.shop
    let file = try fixture.export("fr", as: .csv) { unit in
      if unit.id == "product/rose#title" {
        unit = TranslationUnit(id: "product/iris#title", source: "x", target: "y")
      }
    }
    let plan = try fixture.take(file)
    #expect(plan.diagnostics.map(\.id) == ["translation-unknown"])
    #expect(
      plan.diagnostics.first?.notes.map(\.message) == ["with '--skip-unknown', this is a warning"])
  }

  @Test func reportsManyMessagesOfOneCauseOnce() throws {
    var fixture = Fixture.shop
    let rows = (0..<200).map { "gone/a#\($0),Source,Traduction\n" }.joined()
    let table = "id,source (en),target (fr)\nstore/paris#name,Paris shop,Boutique\n" + rows
    let plan = try fixture.take(Array(table.utf8))
    #expect(
      plan.diagnostics.map(\.message) == [
        "200 texts are not in the content and are left out; the file may be of other content"
      ])
    #expect(plan.output?.changed == 1 && plan.output?.refused == 200)
  }

  @Test func warnsOfChangedWhiteSpace() throws {
    var fixture = Fixture.shop
    fixture["strings/app.fr.yml"] = "fr: {cart: {add: \"Ajouter\u{A0}: %{name}\"}}\n"
    let plan = try fixture.take(
      try fixture.export("fr", as: .csv) { unit in
        if unit.id == "strings/app#cart.add" { unit = unit.translated("Ajouter : %{name} ") }
      })
    #expect(plan.diagnostics.map(\.id) == ["translation-space", "translation-space"])
    #expect(plan.output?.changed == 1)
  }

  @Test func showsTheChangesAsADiff() throws {
    var fixture = Fixture.shop
    let plan = try fixture.take(
      try fixture.export("fr", as: .csv) { unit in
        if unit.id == "product/rose#title" { unit = unit.translated("Rose") }
        if unit.id == "store/lyon#name" { unit = unit.translated("Lyon") }
      })
    let diff = try #require(plan.output).files.dropLast().map { $0.diff(below: "content") }.joined()
    #expect(
      diff == """
        --- content/entries/product/rose.fr.yaml
        +++ content/entries/product/rose.fr.yaml
        @@ -1,5 +1,5 @@
         # Une rose
        -title:   'Rose rouge'   # le classique
        +title:   'Rose'   # le classique
         badges:
           - id: new
             label: "Nouveau"
        --- /dev/null
        +++ content/entries/store.fr.yaml
        @@ -0,0 +1,2 @@
        +lyon:
        +  name: Lyon

        """)
  }
}
