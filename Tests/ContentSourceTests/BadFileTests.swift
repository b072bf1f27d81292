import ContentModel
import Diagnostics
import Testing

@testable import ContentSource

/// YAML mistakes as the reader of a whole folder reports them.
@Suite struct BadFileTests {
  private static let path = "entries/product/tulip.yaml"

  static let mistakes: [Mistake] = [
    Mistake("empty-document", "a file must hold a value", at: path, "⟦⟧"),
    Mistake("empty-document", "a file must hold a value", at: path, "⟦⟧# nothing yet\n"),
    Mistake(
      "tab-indentation", "lines must be indented with spaces, not tabs", at: path,
      "badges:\n⟦\t⟧- {id: new}\n"),
    Mistake(
      "control-character", "a YAML file must not hold the control character U+0000", at: path,
      "title: Tu⟦\u{0}⟧lip\n"),
    Mistake(
      "multiple-documents", "a file must hold one document; '---' begins a second one", at: path,
      "title: Tulip\n⟦---⟧\ntitle: Lily\n"),
    Mistake(
      "duplicate-key", "'title' must occur only once in a mapping; delete one of the two", at: path,
      "title: a\nprice: 1\n⟦title⟧: b\n"),
    Mistake(
      "undefined-anchor", "'*tittle' needs an anchor '&tittle' before it; did you mean '*title'?",
      fix: "*title",
      at: path, "price: &title 3\ntitle: ⟦*tittle⟧\n"),
    Mistake(
      "cyclic-alias", "an alias must not occur inside the node that it names", at: path,
      "badges: &all [{id: a, label: ⟦*all⟧}]\n"),
    Mistake(
      "nesting-too-deep", "lists and mappings must not be nested deeper than 64 levels", at: path,
      "title: \(String(repeating: "[", count: 63))⟦[⟧\(String(repeating: "[", count: 1 << 20))"),
    Mistake(
      "alias-expansion", "aliases must not add more than 1000000 nodes to a file", at: path,
      billionLaughs),
    Mistake(
      "yaml-syntax",
      "an apostrophe in single quotes ends the text; write \"\u{301}a's b\"",
      fix: "\"\u{301}a's b\"", at: path, "title: ⟦'\u{301}a's b'⟧\n"),
    Mistake(
      "unknown-tag", "'!money' is no known tag; if it is text, write \"!money 3\"", at: path,
      "price: ⟦!money⟧ 3\n"),
  ]

  /// Each line holds ten of the line before.
  ///
  /// The sixth line exceeds the limit of a million nodes.
  private static let billionLaughs =
    "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    + (1...9).map { level in
      let aliases = Array(repeating: "*a\(level - 1)", count: 10)
      return
        "a\(level): &a\(level) [\((level == 5 ? marked(aliases) : aliases).joined(separator: ", "))]\n"
    }.joined()

  /// Marks the eighth alias, which exceeds the limit.
  ///
  /// Each alias adds about 111,000 nodes to the 123,000 of the lines above.
  private static func marked(_ aliases: [String]) -> [String] {
    aliases.enumerated().map { $0.offset == 7 ? "⟦\($0.element)⟧" : $0.element }
  }

  @Test(arguments: mistakes)
  func reportsTheLocationOfInvalidYAML(_ mistake: Mistake) {
    let clock = ContinuousClock()
    let start = clock.now
    let isFree = ["datatypes/product.yaml": "open: true\n"]
    let isExplosive = mistake.id == "alias-expansion"
    var mistake = mistake
    if isExplosive { mistake.others = isFree }
    expectOnly(mistake)
    #expect(start.duration(to: clock.now) < .seconds(60))
  }

  @Test func reportsTheInvalidUTF8Byte() {
    var files = SmallShop.files
    files["entries/product/tulip.yaml"] =
      Array("title: Tulip\nprice: ".utf8) + [0xE9] + Array("\n".utf8)
    #expect(
      ContentReader.read(ContentFolder(files: files)).diagnostics.map(\.line) == [
        "content/entries/product/tulip.yaml:2:8-2:9: error: a YAML file must be UTF-8, which 0xE9 is not [invalid-utf8]"
      ])
  }

  @Test(arguments: [
    ("notes.txt", "nothing reads this file"),
    ("content.fr.yaml", "nothing reads this file"),
    ("content.yml", "nothing reads this file"),
    ("entry/product/tulip.yaml", "nothing reads this file"),
    ("entires/product/tulip.yaml", "nothing reads this file; did you mean the folder 'entries'?"),
    ("entries/product/tulip.txt", "nothing reads this file"),
  ])
  func warnsAboutUnreadFiles(path: String, message: String) {
    expectOnly(Mistake("unread-file", message, severity: .warning, at: path, "title: Tulip\n"))
  }

  @Test func warnsOnceAboutAnUnreadFolder() {
    var files = SmallShop.files
    for name in ["a", "b", "c"] { files["out/\(name).plist"] = [] }
    #expect(
      ContentReader.read(ContentFolder(files: files)).diagnostics.map(\.line) == [
        "content/out/a.plist: warning: nothing reads this file, nor the 2 others in 'out' [unread-file]"
      ])
  }

  @Test func reportsNothingForAValidFolder() {
    let read = ContentReader.read(ContentFolder(files: SmallShop.files))
    #expect(read.diagnostics.isEmpty)
    #expect(read.output?.entries.map(\.id.text) == ["product/rose", "strings/app"])
  }

  @Test func warnsOfAPictureWhoseFirstScaleHasOtherCapitalLetters() {
    var files = SmallShop.files
    files["assets/huts/Moiry.PNG"] = []
    #expect(ContentReader.read(ContentFolder(files: files)).diagnostics == [])
    files["assets/huts/moiry@2x.png"] = []
    #expect(
      ContentReader.read(ContentFolder(files: files)).diagnostics.map(\.line) == [
        "content/assets/huts/Moiry.PNG: warning: 'huts/moiry.png' has no picture at scale 1, for which 'huts/Moiry.PNG' does not count; rename this file to 'moiry.png' [asset-scale]"
      ])
  }

  @Test func warnsOfAPictureWhoseFirstScaleIsInAFolderWithOtherCapitalLetters() {
    var files = SmallShop.files
    files["assets/Huts/moiry.png"] = []
    files["assets/huts/moiry@2x.png"] = []
    #expect(
      ContentReader.read(ContentFolder(files: files)).diagnostics.map(\.line) == [
        "content/assets/Huts/moiry.png: warning: 'huts/moiry.png' has no picture at scale 1, for which 'Huts/moiry.png' does not count; move this file to 'assets/huts/moiry.png' [asset-scale]"
      ])
  }
}
