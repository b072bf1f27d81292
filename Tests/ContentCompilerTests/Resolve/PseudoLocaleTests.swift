import ContentModel
import ContentSource
import Diagnostics
import TestInputs
import Testing

@testable import ContentCompiler

/// The pseudo-locales, whose texts are made of those of the source locale in the same device.
@Suite struct PseudoLocaleTests {
  private static let fields = """
    {title: {type: string, localized: true}, code: string, link: {type: url, localized: true},
     story: {type: text, localized: true}, tag: {type: string, localized: true, default: New},
     words: {type: list, of: string, localized: true}, keys: {type: list, of: string},
     badges: {type: list, of: {type: object,
       fields: {id: string, color: string, label: {type: string, localized: true}}}},
     free: {type: any, localized: true}, n: integer}
    """

  private func text(_ shop: Shop, _ context: String) throws -> String {
    try #require(try shop.a(context))
  }

  private func shown(_ shop: Shop, _ context: String) throws -> [String] {
    let entries = try Reader(context).bundle("all", in: shop)?["entries"]
    return entries?.keys.sorted() ?? []
  }

  @Test func changeLocalizedTextsOnly() throws {
    let shop = try Shop(
      [
        "item/a": """
        {title: Rose, code: Red, link: "https://a.example/", words: [a, b], keys: [k], free: {x: y},
         n: 1, badges: [{id: new, color: red, label: New}]}
        """, "item/a.fr": "title: Rose de France",
      ], fields: Self.fields, pseudo: true)
    #expect(shop.findings == [])
    #expect(
      try shop.a("en-XA") == """
        {"badges":[{"color":"red","id":"new","label":"[Ñéŵ one]"}],"code":"Red","free":{"x":"y"},\
        "keys":["k"],"link":"https://a.example/","n":1,"tag":"[Ñéŵ one]","title":"[Ŕöšé one]",\
        "words":["[å one]","[ƀ one]"]}
        """)
    #expect(try text(shop, "en").contains(#""title":"Rose""#))
    #expect(try text(shop, "fr").contains(#""title":"Rose de France""#))
    #expect(try text(shop, "ar-XB").contains("\u{200F}\u{202E}Rose\u{202C}\u{200F}"))
  }

  @Test func consultTheDevicesOfTheSourceLocale() throws {
    let shop = try Shop(
      [
        "item/a": "&a {title: Rose, story: Long, words: [a], badges: [{id: b, label: L}]}",
        "item/a@tablet": "{title: Tablet, story: null, words: []}",
        "item/a@ipad": "{badges: [{id: b, label: M}, {id: c, label: N}]}",
        "item/a.fr@ipad": "title: Tablette",
      ], fields: Self.fields, pseudo: true)
    #expect(
      try shop.a("en-XA/ipad")
        == #"{"badges":[{"id":"b","label":"[Ṁ one]"},{"id":"c","label":"[Ñ one]"}],"tag":"[Ñéŵ one]","title":"[Ţåƀļéţ one]","words":[]}"#
    )
    #expect(try text(shop, "en-XA/phone").contains(#""story":"[Ļöñĝ one]""#))
  }

  @Test func haveThePluralsOfTheirLanguages() throws {
    let shop = try Shop(
      ["item/a": #"roses: {one: A rose, other: "{count} roses"}"#],
      fields: "{roses: {type: plural, localized: true}, fixed: plural}", pseudo: true)
    #expect(
      try shop.a("en-XA")
        == #"{"roses":{"one":"[Å ŕöšé one]","other":"[{count} ŕöšéš one two]"}}"#)
    let arabic = try text(shop, "ar-XB")
    for category in ["zero", "one", "two", "few", "many", "other"] {
      #expect(arabic.contains("\"\(category)\":"))
    }
    #expect(!arabic.contains("locale"))
  }

  @Test func keepAPluralThatIsNotLocalized() throws {
    let shop = try Shop(
      ["item/a": "roses: {one: A, other: B}"], fields: "{roses: plural}", pseudo: true)
    #expect(try shop.a("en-XA") == #"{"roses":{"locale":"en","one":"A","other":"B"}}"#)
  }

  @Test func changeCatalogsAndMaintenance() throws {
    let shop = try Shop(
      [
        "strings/app.en.yml":
          #"en: {hello: "Hello %{name}", cart: {one: Item, other: Items}, l: [a, 5]}"#,
        "strings/app.fr.yml": "fr: {hello: \"Bonjour %{name}\"}",
        "maintenance.yaml": "{title: Closed, message: Back soon, retryAfter: 60}",
      ], pseudo: true)
    #expect(shop.findings == [])
    let text = try #require(try shop.sees("strings/app", "en-XA"))
    #expect(text.contains("[Ĥéļļö %{name} one two]") && text.contains("[Îţéṁš one]"))
    #expect(text.contains("[5 one]"))
    #expect(try shop.file("maintenance/en-XA.json").contains("[Çļöšéð one]"))
    #expect(try shop.file("maintenance/ar-XB.json").contains("\"retryAfter\":60"))
  }

  @Test func changeMarkdownAndItsPage() throws {
    let shop = try Shop(
      ["item/a": "body: \"## Title\\n\\nSee [this](item/a).\""],
      fields: "{body: {type: markdown, localized: true, page: true}}", pseudo: true)
    #expect(shop.findings == [])
    let text = try text(shop, "en-XA")
    #expect(text.contains("[Ţîţļé one]") && text.contains(#""link":"item/a""#))
    let pages = shop.objects.values.filter { $0.fileExtension == "html" }
      .map { String(decoding: $0.bytes, as: UTF8.self) }
    #expect(pages.contains { $0.contains("lang=\"en-XA\"") && $0.contains("[Ţîţļé one]") })
    #expect(pages.contains { $0.contains("lang=\"ar-XB\"") && $0.contains("dir=\"rtl\"") })
  }

  @Test func showConditionsAsALocaleWithoutTranslations() throws {
    let shop = try Shop(
      [
        "item/a": "title: A", "item/b": "{title: B, when: {locale: fr}}",
        "item/c": "{title: C, when: {locale: en}}", "item/d": "{title: D, when: {device: phone}}",
      ], fields: Self.fields, pseudo: true)
    #expect(try shown(shop, "en-XA") == ["item/a"])
    #expect(try shown(shop, "en-XA/phone") == ["item/a", "item/d"])
    #expect(try shown(shop, "fr") == ["item/a", "item/b"])
  }

  @Test(arguments: 1...6) func resolveAnyContentLikeTheSourceLocale(seed: UInt64) throws {
    let content = RandomContent(seed: seed, entries: 12)
    var files: [String: String] = [:]
    for (index, layers) in content.entries.enumerated() {
      for (overlay, node) in layers { files["item/e\(index)\(overlay)"] = node.text }
    }
    let shop = try Shop(files, pseudo: true)
    for device in ["any", "phone", "tablet", "ipad"] {
      for entry in content.entries.indices {
        let source = try shop.sees("item/e\(entry)", "en/\(device)")
        #expect(try shop.sees("item/e\(entry)", "ar-XB/\(device)") == source)
      }
    }
  }

  @Test func listTextsThatDoNotFit() throws {
    let fields = """
      {title: {type: string, localized: true, maxLength: 12, minLength: 2},
       short: {type: string, localized: true, maxLength: 5},
       sku: {type: string, localized: true, pattern: "[A-Z]+"},
       body: {type: markdown, localized: true, maxLength: 9},
       roses: {type: plural, localized: true, maxLength: 6}, ok: {type: string, localized: true, maxLength: 30}}
      """
    let shop = try Shop(
      [
        "item/a":
          "title: Ten letter\nshort: Short\nsku: ABC\nbody: Tulips\nroses: {one: Rose, other: Roses}\nok: Rose"
      ], fields: fields, pseudo: true)
    #expect(
      shop.findings.sorted() == [
        "warning pseudo-length 1:8", "warning pseudo-length 2:8", "warning pseudo-length 4:7",
        "warning pseudo-length 5:14", "warning pseudo-length 5:27", "warning pseudo-pattern 3:6",
      ])
    let title = try #require(shop.diagnostics.first { $0.location?.range?.start.line == 1 })
    #expect(title.message.contains("'title' of 'item/a' has 16 characters in en-XA"))
    #expect(title.location?.path == "content/entries/item/a.yaml")
    #expect(
      try text(shop, "en-XA").contains(
        #""roses":{"one":"[Ŕöšé]","other":"Ŕöšéš"},"short":"Šĥöŕţ","sku":"ABC","title":"[Ţéñ ļéţţéŕ]""#
      ))
    // Without the pseudo-locales, nothing is listed.
    let plain = try Shop(["item/a": "title: Ten letter\nsku: ABC"], fields: fields)
    #expect(plain.findings == [])
  }

  @Test func addNothingToOtherLocales() throws {
    let files = ["item/a": "title: Rose", "item/a.fr": "title: Rose"]
    let plain = try Shop(files, fields: Self.fields)
    let pseudo = try Shop(files, fields: Self.fields, pseudo: true)
    for locale in ["en", "en-GB", "fr", "fr-CA"] {
      #expect(try plain.a(locale) == pseudo.a(locale))
      #expect(
        try plain.config["indexes"]?[locale]?.members == pseudo.config["indexes"]?[locale]?.members)
    }
    #expect(try plain.config["matches"] == pseudo.config["matches"])
    #expect(
      try pseudo.config["locales"]?["ar-XB"] == .array([.string("ar-XB"), .string("en")]))
  }

  @Test func mustNotBeDeclared() throws {
    let settings = ["locales": "[en, en-XA]"]
    let files = ["item/a": "title: Rose", "item/a.en-XA": "title: Mine"]
    let declared = try Shop(files, fields: Self.fields, with: settings)
    #expect(try text(declared, "en-XA").contains("Mine"))
    let made = try Shop(files, fields: Self.fields, with: settings, pseudo: true)
    #expect(made.findings.count == 1 && made.findings[0].hasPrefix("error declared-pseudo-locale"))
  }

  @Test func haveNoFiles() throws {
    let shop = try Shop(["item/a": "title: A", "item/a.en-XA": "title: B"], pseudo: true)
    #expect(shop.findings == ["error unknown-locale"])
  }
}
