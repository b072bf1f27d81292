import ContentModel
import Diagnostics
import TestInputs
import Testing

@testable import ContentSource

/// The diagnostics of content with many mistakes at once.
@Suite struct WholeRunTests {
  /// A dozen mistakes in seven files, each marked at its expected location.
  private static let wrong = [
    "content.yaml": SmallShop.project + "⟦bundels⟧: {}\nttl: {app: ⟦0s⟧}\n",
    "datatypes/product.yaml": SmallShop.product + "  rich: [title, ⟦prize⟧]\n",
    "entries/product.yaml": "lily: {title: Lily, price: ⟦cheap⟧, ⟦size⟧: 3}\ntulip: ⟦Tulip⟧\n",
    "entries/product/peony.yaml": "title: ⟦[⟧\n",
    "entries/product/rose.yaml": "⟦tittle⟧: Rose\nprice: ⟦-1⟧\nbadges: [{id: new}, {id: ⟦new⟧}]\n",
    "entries/product/rose.fr.yaml": "⟦price⟧: 3\nbadges: [{id: old}]\n",
    "strings/app.en.yml": "en: {a: 1, ⟦a⟧: 2}\n⟦eo⟧: {a: 1}\n",
  ]

  private static var files: [String: [UInt8]] {
    SmallShop.files.merging(wrong.mapValues { MarkedText($0).bytes }) { $1 }
  }

  private static var places: [String] {
    wrong.sorted { $0.key < $1.key }.flatMap { path, text in
      MarkedText(text).ranges.map { "content/\(path):\($0.start.line):\($0.start.column)" }
    }
  }

  private func place(_ diagnostic: Diagnostic) -> String {
    let start = diagnostic.location?.range?.start
    return "\(diagnostic.location?.path ?? "?"):\(start?.line ?? 0):\(start?.column ?? 0)"
  }

  @Test func reportsAllMistakesOnceAndInOrder() {
    let found = ContentReader.read(ContentFolder(files: Self.files)).diagnostics
    #expect(found.inStableOrder().map(place) == Self.places)
    #expect(Set(found).count == found.count)
  }

  @Test func isIndependentOfTheOrderOfFiles() {
    var folder = ContentFolder(files: Self.files)
    let expected = ContentReader.read(folder).diagnostics
    var random = SeededGenerator(seed: 7)
    for _ in 0..<10 {
      folder.items.shuffle(using: &random)
      #expect(ContentReader.read(folder).diagnostics == expected)
    }
  }

  @Test func statesRulesWithoutAFullStop() {
    let found = ContentReader.read(ContentFolder(files: Self.files)).diagnostics
    #expect(
      found.allSatisfy { !$0.message.hasSuffix(".") && $0.message.first?.isUppercase == false })
  }

  static let victims: [(files: [String: String], ids: [String])] = [
    // Overlays of an unreadable entry are no orphans.
    (["entries/product/rose.yaml": "title: [\n"], ["yaml-syntax"]),
    (
      ["entries/product.yaml": "- a\n", "entries/product.fr.yaml": "tulip: {title: Tulipe}\n"],
      ["wrong-type"]
    ),
    (["strings/app.en.yml": "en: [\n", "strings/app.fr.yml": "fr: {a: b}\n"], ["yaml-syntax"]),
    (["maintenance.yaml": "a: [\n", "maintenance.fr.yaml": "title: À bientôt\n"], ["yaml-syntax"]),
    // Entries of an unreadable datatype do not have an unknown datatype.
    (["datatypes/product.yaml": "fields: [\n"], ["yaml-syntax"]),
    // A mistake in a list of locales or devices does not invalidate file names.
    (
      [
        "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr, de_]\n",
        "entries/product/rose.de.yaml": "{}",
      ],
      ["wrong-type"]
    ),
    (
      [
        "content.yaml": """
        app: shop
        sourceLocale: en
        locales: [en, ca-CAT, fr]
        fallback: {ca-CAT: [ca-CAT, en], fr: [fr, ca-CAT, en]}

        """,
        "entries/product/rose.ca-CAT.yaml": "title: Roser\n",
        "entries/product/lily.yaml": "title: Lily\nwhen: {locale: [ca-CAT, fr]}\n",
        "entries/product/iris.yaml": "title: Iris\nwhen: {locale: ca-CAT}\n",
        "strings/app.ca-CAT.yml": "ca-CAT: {hello: Hola}\n",
      ],
      ["wrong-type"]
    ),
    (["content.yaml": "app: shop\nsourceLocale: ca-CAT\nlocales: [ca-CAT, en]\n"], ["wrong-type"]),
    (["content.yaml": "app: shop\nsourceLocale: ca-CAT\nlocales: ca-CAT\n"], ["wrong-type"]),
    // Another text that is no locale either is another mistake.
    (
      [
        "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr, ca-CAT]\n",
        "entries/product/rose.ca-VAL.yaml": "title: Roser\n",
        "entries/product/lily.yaml": "title: Lily\nwhen: {locale: catalan}\n",
      ],
      ["wrong-type", "unknown-locale", "wrong-type"]
    ),
    (
      [
        "content.yaml": "app: shop\nsourceLocale: en\nlocals: [en, fr]\n",
        "entries/product/rose.de.yaml": "{}",
      ],
      ["unknown-key"]
    ),
    (
      [
        "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevises: {ipad: {}}\n",
        "entries/product/rose.yaml": "badges: [{id: new, when: {device: ipad}}]\n",
        "entries/product/rose@ipad.yaml": "title: Rose, large\n",
      ], ["unknown-key"]
    ),
    // A comment explains that a collection before it does not end, but not a value of one letter.
    (["entries/product/lily.yaml": "title: {en: A #1\n }\n"], ["comment-in-text"]),
    (["entries/product.yaml": "lily: #1\n"], ["comment-in-text"]),
    (["entries/product/lily.yaml": "when:\n  country: #FR\n"], ["comment-in-text"]),
    (["entries/product/lily.yaml": "price: x #1\n"], ["comment-in-text", "wrong-type"]),
    (
      ["entries/product/lily.yaml": "badges: [{height: x, label: A #1\n }]\n"],
      ["comment-in-text", "wrong-type"]
    ),
  ]

  @Test(arguments: victims.indices)
  func doesNotReportConsequences(index: Int) {
    let files = SmallShop.files.merging(Self.victims[index].files.mapValues { Array($0.utf8) }) {
      $1
    }
    let found = ContentReader.read(ContentFolder(files: files)).diagnostics
    #expect(found.map(\.id) == Self.victims[index].ids, "\(found.map(\.line))")
  }

  @Test func excusesFieldsExplainedByAnotherMistake() throws {
    let files = SmallShop.files.merging([
      "entries/product/rose.yaml": Array("tittle: Rose\nprice: cheap\nbadges: *all\n".utf8)
    ]) { $1 }
    let tree = try #require(ContentReader.read(ContentFolder(files: files)).output)
    #expect(tree.entries.first?.excusedFields.names == ["badges", "price", "title"])
  }

  @Test func survivesDamagedBytes() throws {
    var random = SeededGenerator(seed: 42)
    let paths = SmallShop.texts.keys.sorted()
    let hostile = Array("\0\t\n\r \"'#&*-:?[]{}|>!%@`,~\\0e.\u{80}é".utf8) + [0xC0, 0xED, 0xFF]
    for _ in 0..<1_000 {
      var files = SmallShop.files
      let path = try #require(paths.randomElement(using: &random))
      var bytes = try #require(files[path])
      let place = bytes.indices.randomElement(using: &random) ?? 0
      let byte = hostile.randomElement(using: &random) ?? 0
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      default: bytes.remove(at: place)
      }
      files[path] = bytes
      let read = ContentReader.read(ContentFolder(files: files))
      #expect(read.output != nil || read.hasErrors)
      #expect(read.diagnostics.allSatisfy { $0.location != nil && !$0.message.isEmpty })
      #expect(
        Set(read.diagnostics).count == read.diagnostics.count, "\(read.diagnostics.map(\.line))")
    }
  }
}
