import ContentModel
import ContentSource
import Diagnostics
import TestInputs
import Testing

@testable import ContentCompiler

/// A damaged file hides no mistake of another file.
///
/// `content.yaml` and datatypes are not damaged: all other files are checked against them.
@Suite struct DamagedFileTests {
  private static let texts = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr, de]
    devices: {phone: {}}
    bundles: {all: {include: "**"}}

    """,
    "datatypes/product.yaml": """
    fields:
      title: {type: string, localized: true, maxLength: 20}
      price: {type: number, max: 100}
      badges: {type: list, of: {type: object, fields: {id: string, label: {type: string, localized: true}}}}
      related: {type: reference, to: product}

    """,
    "entries/product/rose.yaml": "title: Rose\\nRose\nprice: 3\nbadges: [{id: new, label: New}]\n",
    "entries/product/rose.fr.yaml": "titel: Rosier\nbadges: [{id: new, label: Nouveau}]\n",
    "entries/product/rose@phone.yaml": "price: cheap\n",
    "entries/product/rose.de@phone.yaml": "title: Rosenstock mit sehr langem Namen\n",
    "entries/product.yaml": "tulip: {title: Tulip}\nlily: {price: 300}\nasters: {titel: x}\n",
    "entries/product.fr.yaml": "tulip: {title: 3, titel: Tulipe}\nlily: {price: 3}\n",
    "entries/product/iris.yaml": "related: product/nothing\ntitle: Iris\n",
    "strings/app.en.yml": "en: {hello: Hello, n: {one: a, few: b, other: c}}\n",
    "strings/app.fr.yml": "fr: {hello: 'Bon\\njour', n: {one: a, few: b, many: c, other: d}}\n",
    "strings/app.de.yml": "de: {hello: [Hallo, ~], n: {one: a, many: b, other: c}}\n",
    "maintenance.yaml": "title: Back soon\nretryAfter: soon\n",
    "maintenance.fr.yaml": "title: Bientôt\nretryAfter: 3\n",
  ]

  /// Rules that a damaged file can break in others: an id, an anchor or a text of it is missing.
  private static let rulesOfOtherFiles = [
    "overlay-without-entry", "broken-reference", "unknown-item", "unknown-text", "duplicate-id",
    "text-kind", "placeholders",
    // The source locale's catalog decides which values are plurals.
    "unused-category", "missing-plural",
  ]

  private static func diagnostics(of files: [ExactString: [UInt8]]) throws -> [Diagnostic] {
    let read = ContentReader.read(ContentFolder(exactFiles: files))
    guard let tree = read.output else { return read.diagnostics }
    let noon = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    return try read.diagnostics + compile(tree, at: noon) { _ in }.diagnostics
  }

  private static let damages: [@Sendable (inout [UInt8], inout SeededGenerator) -> Void] = [
    { bytes, random in bytes.removeLast(Int.random(in: 1...bytes.count, using: &random)) },
    { bytes, random in
      let place = Int.random(in: bytes.indices, using: &random)
      bytes[place] = UInt8.random(in: 0...255, using: &random)
    },
    { bytes, random in
      let signs = ["\"", "'", "[", "{", "\t", "- ", ": ", "*x", "!", "\u{0}", "<<: ", "\n---\n"]
      let place = Int.random(in: 0...bytes.count, using: &random)
      bytes.insert(contentsOf: Array((signs.randomElement(using: &random) ?? "").utf8), at: place)
    },
    { bytes, random in
      let start = Int.random(in: bytes.indices, using: &random)
      bytes.removeSubrange(start..<min(bytes.count, start + Int.random(in: 1...9, using: &random)))
    },
  ]

  @Test(arguments: 0..<40) func hidesNoMistakeOfAnotherFile(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let files = Dictionary(firstOf: Self.texts.map { ($0, Array($1.utf8)) })
    let known = try Self.diagnostics(of: files)
    let paths = Self.texts.keys.filter { !$0.hasPrefix("datatypes/") && $0 != "content.yaml" }
    #expect(Set(known.compactMap(\.location?.path)).count == paths.count)
    for path in paths.sorted() {
      var damaged = files
      var bytes = try #require(files[path])
      Self.damages.randomElement(using: &random)?(&bytes, &random)
      damaged[path] = bytes
      let found = try Self.diagnostics(of: damaged)
      for mistake in known
      where mistake.location?.path.text != "content/\(path)"
        && !Self.rulesOfOtherFiles.contains(mistake.id)
      {
        let isFound = found.contains(mistake)
        #expect(
          isFound,
          "\(path) hides \(mistake.message): \(String(decoding: bytes, as: UTF8.self))")
      }
      for mistake in found
      where mistake.location?.path.text != "content/\(path)" && !known.contains(mistake) {
        #expect(
          Self.rulesOfOtherFiles.contains(mistake.id),
          "\(path) causes \(mistake.message): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }
}
