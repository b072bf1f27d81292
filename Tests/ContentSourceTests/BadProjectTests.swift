import ContentModel
import Diagnostics
import Testing

@testable import ContentSource

@Suite struct BadProjectTests {
  private static func project(_ changes: String) -> String { SmallShop.project + changes }

  @Test(arguments: ["", "# nothing yet\n", "---\n"])
  func saysHowToBeginAnEmptyProject(text: String) throws {
    let folder = ContentFolder(texts: ["content.yaml": text])
    let found = ContentReader.read(folder).diagnostics
    #expect(
      found.map(\.line) == [
        "content/content.yaml:1:1-1:1: error: 'content.yaml' must name the app and its locales, and has no key yet [empty-document]"
      ])
    #expect(
      found.first?.notes.first?.message
        == "it needs three lines at least: 'app: shop', 'sourceLocale: en', 'locales: [en]'")
    // Commands about channels read this file alone.
    let mistakes = #expect(throws: ContentMistakes.self) { try ProjectFile(in: folder) }
    #expect(mistakes?.diagnostics == found)
    let smallest = Diagnostic.smallestProject.map { $0 + "\n" }.joined()
    #expect(ContentReader.read(ContentFolder(texts: ["content.yaml": smallest])).diagnostics == [])
  }

  static let mistakes: [Mistake] = [
    Mistake(
      "unknown-key", "unknown key 'bundels' in 'content.yaml'; did you mean 'bundles'?",
      fix: "bundles",
      at: "content.yaml", project("⟦bundels⟧: {}\n")),
    Mistake(
      "missing-key", "'content.yaml' must have the key 'app'", at: "content.yaml",
      "⟦s⟧ourceLocale: en\nlocales: [en, fr, fr-CA, de]\n"),
    Mistake(
      "unknown-key", "unknown key 'ap' in 'content.yaml'; did you mean 'app'?", fix: "app",
      at: "content.yaml",
      "⟦ap⟧: shop\nsourceLocale: en\nlocales: [en, fr]\n"),
    Mistake(
      "wrong-type", "'content.yaml' must be a mapping", at: "content.yaml", "⟦[⟧app, shop]\n"),
    Mistake(
      "wrong-type", "'app' must be a name of a-z, 0-9 and '-'", at: "content.yaml",
      "app: ⟦My Shop⟧\nsourceLocale: en\nlocales: [en, fr]\n"),
    Mistake(
      "wrong-type", "'locales' must be a BCP 47 language tag such as fr-CA", at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, ⟦french⟧]\n"),
    Mistake(
      "duplicate-locale", "locale 'fr' must occur only once", at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr, ⟦fr⟧]\n"),
    Mistake(
      "wrong-type", "'sourceLocale' must be one of 'locales': fr, de", at: "content.yaml",
      "app: shop\nsourceLocale: ⟦en⟧\nlocales: [fr, de]\n"),
    Mistake(
      "unknown-locale", "unknown locale 'fr-CH' in 'fallback'; did you mean 'fr-CA'?", fix: "fr-CA",
      at: "content.yaml", project("fallback:\n  ⟦fr-CH⟧: [fr-CH]\n")),
    Mistake(
      "wrong-type", "the chain of 'fr-CA' must list locales, each once, 'fr-CA' itself first",
      at: "content.yaml",
      project("fallback:\n  fr-CA: [fr-CA, ⟦french⟧]\n")),
    Mistake(
      "long-lifetime", "'app' is 7d1s, and clients ask for config after 7d at the latest",
      severity: .warning, at: "content.yaml", project("ttl: {app: ⟦7d1s⟧, offline: 10w}\n")),
    Mistake(
      "wrong-type", "'devices' must map a device to its settings, or to {}", at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices: ⟦[⟧phone]\n"),
    Mistake(
      "wrong-type", "a device's name must not be 'any', the root", at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices: {⟦any⟧: {}}\n"),
    Mistake(
      "wrong-type", "a device's name must be of a-z, 0-9 and '-'", at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices: {⟦iPad⟧: {}}\n"),
    Mistake(
      "unknown-device", "unknown device 'tablett'; did you mean 'tablet'?", fix: "tablet",
      at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices: {tablet: {}, ipad: {parent: ⟦tablett⟧}}\n"
    ),
    Mistake(
      "cyclic-device",
      "the parents of a device must lead to 'any', not round in a circle: b → a → b",
      at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices: {a: {parent: b}, b: {parent: ⟦a⟧}, c: {parent: a}}\n"
    ),
    Mistake(
      "cyclic-device", "the parents of a device must lead to 'any', not round in a circle: a → a",
      at: "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices: {a: {parent: ⟦a⟧}}\n"),
    Mistake(
      "wrong-type", "'format' must be one of binary, xml, openstep, json", at: "content.yaml",
      project("format: ⟦plist⟧\n")),
    Mistake(
      "wrong-type", "'edge' must be a duration such as 30s, 10m or 1d", at: "content.yaml",
      project("ttl: {edge: ⟦5 minutes⟧}\n")),
    Mistake(
      "wrong-type", "'app' must be a positive duration such as 30s, 10m or 1d", at: "content.yaml",
      project("ttl: {app: ⟦0s⟧}\n")),
    Mistake(
      "wrong-type", "'offline' must be a positive duration such as 30s, 10m or 1d",
      at: "content.yaml",
      project("ttl: {offline: ⟦-1d⟧}\n")),
    Mistake(
      "wrong-type", "'stalenessLimit' must be a duration such as 30s, 10m or 1d",
      at: "content.yaml",
      project("stalenessLimit: ⟦30⟧\n")),
    Mistake(
      "wrong-type", "'minimumApp' must be a version such as 2.1", at: "content.yaml",
      project("minimumApp: ⟦v2⟧\n")),
    Mistake(
      "wrong-type", "a channel's name must not be one of preview, objects, maintenance",
      at: "content.yaml",
      project("channels:\n  ⟦preview⟧: {target: site}\n")),
    Mistake(
      "wrong-type", "a channel's name must be of a-z, 0-9 and '-'", at: "content.yaml",
      project("channels:\n  ⟦QA 1⟧: {target: site}\n")),
    Mistake(
      "missing-key", "channel 'qa' must have the key 'target'", at: "content.yaml",
      project("channels:\n  qa: ⟦{⟧url: https://a.example}\n")),
    Mistake(
      "wrong-type",
      "'url' must begin with https:// or http://, with a host, a port and a path only",
      at: "content.yaml",
      project("channels:\n  qa: {target: site, url: ⟦example.com⟧}\n")),
    Mistake(
      "unknown-cache", "unknown cache 'fastley'; did you mean 'fastly'?", fix: "fastly",
      at: "content.yaml",
      project("channels:\n  qa: {target: site, cdn: [⟦fastley⟧]}\n")),
    Mistake(
      "wrong-type", "'latest' must be true or false", at: "content.yaml",
      project("channels:\n  qa: {target: site, latest: ⟦often⟧}\n")),
    Mistake(
      "wrong-type", "'pseudo' must be true or false", at: "content.yaml",
      project("channels:\n  qa: {target: site, pseudo: ⟦en-XA⟧}\n")),
    Mistake(
      "wrong-type", "'latest' must be false: only a folder can have it", at: "content.yaml",
      project("channels:\n  qa: {target: 's3://flowers', latest: ⟦true⟧}\n")),
    Mistake(
      "wrong-type", "'headers' must be false: only a folder can have it", at: "content.yaml",
      project("channels:\n  qa: {target: 'rclone:a:b', headers: ⟦true⟧}\n")),
    Mistake(
      "missing-key", "bundle 'all' must have the key 'include'", at: "content.yaml",
      project("bundles: {all: ⟦{⟧}}\n")),
    Mistake(
      "wrong-type", "'split' must be 'entry' or 'place'", at: "content.yaml",
      project("bundles: {all: {include: product/*, split: ⟦true⟧}}\n")),
    Mistake(
      "split-startup",
      "'startup' must not be combined with 'split', because the index would hold every entry",
      at: "content.yaml",
      project("bundles: {all: {include: product/*, split: entry, startup: ⟦true⟧}}\n")),
    Mistake(
      "wrong-type", "'ttl' must be a positive duration such as 30s, 10m or 1d", at: "content.yaml",
      project("bundles: {all: {include: product/*, ttl: ⟦0s⟧}}\n")),
    Mistake(
      "wrong-type", "'sort' must be a field's name, with '-' before it to turn the order round",
      at: "content.yaml",
      project("bundles: {all: {include: product/*, sort: [⟦-⟧]}}\n")),
    Mistake(
      "wrong-type", "a pattern must be a path such as strings/**", at: "content.yaml",
      project("sources: {⟦/strings/**⟧: {duplicateKeys: warn}}\n")),
    Mistake(
      "wrong-type", "'duplicateKeys' must be error or warn", at: "content.yaml",
      project("sources: {strings/**: {duplicateKeys: ⟦ignore⟧}}\n")),
    // A Kelvin sign is canonically equivalent to a K.
    Mistake(
      "unknown-key",
      "unknown key 'duplicate\u{212A}eys' in 'strings/**'; there is one that looks the same, but its 'K' is U+004B, not U+212A",
      fix: "duplicateKeys", at: "content.yaml",
      project("sources: {strings/**: {⟦duplicate\u{212A}eys⟧: warn}}\n")),
    Mistake(
      "undefined-anchor", "'*nam' needs an anchor '&nam' before it", at: "content.yaml",
      "app: ⟦*nam⟧\nsourceLocale: en\nlocales: [en, fr]\n"),
  ]

  @Test(arguments: mistakes)
  func reportsTheLocationOfEachMistake(_ mistake: Mistake) { expectOnly(mistake) }

  @Test(arguments: [
    ("si\u{200B}te", "not hold U+200B, which is invisible; delete it"),
    ("site\u{202E}", "not hold U+202E, which is invisible; delete it"),
    ("\u{A0}site", "not hold a no-break space (U+00A0), which is invisible; delete it"),
    ("site ", "not begin or end with a space"), (" site", "not begin or end with a space"),
    ("~/site", "be a path without '~' or variables, which are not expanded; write the whole path"),
    (
      "/srv/$USER",
      "be a path without '~' or variables, which are not expanded; write the whole path"
    ),
    (
      "s3:bucket",
      "be a folder, s3://BUCKET/PREFIX or rclone:REMOTE:PATH; 's3:…' is none of them"
    ),
    (
      "https://me:s3cret@a.example",
      "be a folder, s3://BUCKET/PREFIX or rclone:REMOTE:PATH; 'https:…' is none of them"
    ),
    (
      "S3://bucket",
      "be a folder, s3://BUCKET/PREFIX or rclone:REMOTE:PATH; 'S3:…' is none of them"
    ),
    (
      "s3://bucket/v1?endpiont=http://a",
      "be the address of a bucket: it has no option 'endpiont': there are endpoint, region, addressing and encoding"
    ),
    ("rclone:", RcloneAddress.rule), ("rclone:a:../b", RcloneAddress.rule),
    // A slash and a combining mark behind it are one character.
    ("rclone:a:../\u{301}b", RcloneAddress.rule), (".", "be a folder of its own, such as site"),
    ("./", "be a folder of its own, such as site"), ("/", "be a folder of its own, such as site"),
  ])
  func refusesTargetsThatCannotBeMeant(target: String, rule: String) {
    let mistake = Mistake(
      "wrong-type", "'target' must \(rule)", at: "content.yaml",
      Self.project("channels:\n  qa: {target: ⟦'\(target)'⟧}\n"))
    expectOnly(mistake)
    let printed = DiagnosticPrinter(format: .human, color: false) { _ in
      Array(mistake.text.utf8)
    }.print(mistake.diagnostics)
    #expect(!printed.contains("s3cret"), "\(printed)")
  }

  /// A slash and a combining mark behind it are one character.
  @Test(arguments: ["../keys", "../\u{301}keys", "entries/keys", "entries/\u{301}keys"])
  func refusesFoldersOfKeysThatAreNoFoldersOfTheirOwn(folder: String) {
    expectOnly(
      Mistake(
        "wrong-type",
        "'keys' must be a folder of its own inside the content folder, such as keys/production",
        at: "content.yaml",
        Self.project("channels:\n  qa: {target: site, signing: {keys: ⟦'\(folder)'⟧}}\n")))
  }

  static let targets: KeyValuePairs<Channel.TargetKind, [String]> = [
    .folder: ["site", "./site", "../site", "/srv/site", "a site", "sites/été"],
    .s3: ["s3://flowers/v1", "s3://flowers?endpoint=http://127.0.0.1:8333"],
    .rclone: ["rclone:backup:www/content"],
  ]

  @Test(arguments: targets.flatMap(\.value)) func acceptsTargets(address: String) {
    let text = Self.project("channels:\n  qa: {target: '\(address)'}\n")
    #expect(ContentReader.read(ContentFolder(texts: ["content.yaml": text])).diagnostics == [])
  }

  @Test(arguments: Channel.TargetKind.allCases)
  func knowsAddressesOfEachKind(kind: Channel.TargetKind) {
    let addresses = Self.targets.filter { $0.key == kind }.flatMap(\.value)
    #expect(!addresses.isEmpty && addresses.allSatisfy { Channel.TargetKind(of: $0) == kind })
  }

  @Test(arguments: [
    "product//*", "/product/*", "product/*/", "product", "Product/*", "{a,b}/*", "product/rose.fr",
    "''",
  ])
  func rejectsPatternsThatMatchNoID(pattern: String) {
    expectOnly(
      Mistake(
        "wrong-type", "'include' must be an entry's id or a pattern such as product/*",
        at: "content.yaml",
        Self.project(
          "bundles: {all: {include: [product/*, ⟦\(pattern.first == "{" ? "'\(pattern)'" : pattern)⟧]}}\n"
        )))
  }

  @Test func reportsAMissingProject() throws {
    let folder = ContentFolder(texts: ["entries/product/rose.yaml": "title: Rose\n"])
    let read = ContentReader.read(folder)
    #expect(read.output == nil)
    #expect(
      read.diagnostics.map(\.line) == [
        "content/content.yaml: error: a content folder must have 'content.yaml', which names the app, its locales and its bundles [missing-project]"
      ])
    #expect(
      read.diagnostics.first?.notes.map(\.message) == [
        "'contentc init' makes a small project to begin with"
      ])
  }

  @Test(arguments: [
    ("content.yaml", SmallShop.project + "ttl: {app: 99999999999999999999m}\n", "duration"),
    ("content.yaml", SmallShop.project + "stalenessLimit: 1d100000000h\n", "duration"),
    ("datatypes/a.yaml", "fields: {b: {type: number, min: 99999999999999999999}}\n", "number"),
    ("datatypes/a.yaml", "fields: {b: {type: string, maxLength: 9223372036854775808}}\n", "number"),
  ])
  func namesTheLimitOfTooLargeNumbers(path: String, text: String, kind: String) throws {
    var files = SmallShop.files
    files[path] = Array(text.utf8)
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    let notes = found.flatMap(\.notes).map(\.message)
    let limits = [
      "duration": "a duration is at most 2147483647s, about 68 years",
      "number": "whole numbers lie between -2^63 and 2^63 - 1",
    ]
    #expect(found.count == 1 && notes == [limits[kind] ?? ""], "\(found)")
  }

  @Test(arguments: [
    ("10", "; write 10m or 10s"), ("10min", "; write 10m"), ("10 minutes", "; write 10m"),
    ("1.5h", "; write 1h30m"), ("30s10m", "; write 10m30s"), ("2 Weeks", "; write 14d"),
    ("1mm", ""), ("-1d", ""), ("soon", ""), ("10m10m", ""), ("1.2.3h", ""), ("[5m]", ""),
  ])
  func namesTheUnitsOfDurations(span: String, advice: String) {
    let text = SmallShop.project + "ttl: {app: \(span)}\n"
    let found = ContentReader.read(ContentFolder(texts: ["content.yaml": text])).diagnostics
    #expect(
      found.flatMap(\.notes).map(\.message) == [
        "the units are w, d, h, m and s, largest first, such as 1h30m\(advice)"
      ])
  }

  @Test func namesAnInvisibleCharacterInADuration() {
    let text = SmallShop.project + "ttl: {app: 10m\u{200B}}\n"
    let found = ContentReader.read(ContentFolder(texts: ["content.yaml": text])).diagnostics
    #expect(
      found.flatMap(\.notes).map(\.message) == [
        "the units are w, d, h, m and s, largest first, such as 1h30m; write 10m",
        "the value has U+200B, which is invisible; delete it",
      ])
  }

  @Test(arguments: ["Content.yaml", "content.YML", "content.yaml.txt"])
  func namesAMisnamedProject(name: String) {
    let folder = ContentFolder(texts: [name: SmallShop.project])
    #expect(
      ContentReader.read(folder).diagnostics.flatMap(\.notes).map(\.message) == [
        "there is '\(name)'; rename it to 'content.yaml'"
      ])
  }

  @Test func namesEachKnownKeyOnce() throws {
    let folder = ContentFolder(texts: ["content.yaml": SmallShop.project + "colour: red\n"])
    let note = try #require(ContentReader.read(folder).diagnostics.first?.notes.first)
    #expect(
      note.message
        == "'content.yaml' has the keys app, sourceLocale, locales, fallback, devices, format, ttl, stalenessLimit, minimumApp, transfer, bundles, channels, …"
    )
  }

  @Test func reportsSyntaxErrorsDespiteABrokenProject() {
    let folder = ContentFolder(texts: [
      "content.yaml": "app: [\n", "entries/product/rose.yaml": "a: *b\n",
      "strings/app.en.yml": "en: {a: 1, a: 2}\n",
    ])
    #expect(
      ContentReader.read(folder).diagnostics.map(\.id) == ["yaml-syntax", "undefined-anchor"])
  }
}
