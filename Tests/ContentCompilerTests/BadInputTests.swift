import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// Mistakes that only a comparison of entries shows.
@Suite struct BadInputTests {
  /// A valid flow of three screens, two products and a bundle for each.
  private static let shop = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr, zh-Hant]
    devices: {phone: {}, tablet: {}}
    bundles:
      home: {include: screen/*, startup: true}
      products: {include: product/*, projection: light, sort: title}

    """,
    "datatypes/product.yaml": """
    fields:
      title: {type: string, required: true, localized: true}
      price: {type: number, min: 0}
      similar: {type: reference, to: product}
    projections: {light: [title, price]}

    """,
    "datatypes/screen.yaml":
      "flow: true\nfields: {title: {type: string, localized: true}, continueURL: url}\n",
    "entries/product/lily.yaml": "title: Lily\n",
    "entries/product/rose.yaml": "title: Rose\nprice: 3\nsimilar: product/lily\n",
    "entries/screen/first.yaml": "title: First\ncontinueURL: screen/last\n",
    "entries/screen/last.yaml": "title: Last\ncontinueURL: screen/first\n",
  ]

  struct Mistake: CustomTestStringConvertible, Sendable {
    var expected: String
    var path: String
    var text: String
    var others: [String: String]

    /// The text, with `⟦` and `⟧` around the location of the diagnostic.
    init(_ expected: String, at path: String, _ text: String, with others: [String: String] = [:]) {
      (self.expected, self.path, self.text, self.others) = (expected, path, text, others)
    }

    var testDescription: String { "\(path): \(expected)" }

    var files: [String: String] {
      shop.merging(others) { $1 }.merging([path: text.filter { !"⟦⟧".contains($0) }]) { $1 }
    }

    /// The place of the mark and the message, as a build without colours prints them.
    var line: String {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      let row = lines.firstIndex { $0.contains("⟦") } ?? 0
      let mark = lines[row].prefix { $0 != "⟦" }.count + 1
      let length = lines[row].drop { $0 != "⟦" }.prefix { $0 != "⟧" }.count - 1
      return "content/\(path):\(row + 1):\(mark)-\(row + 1):\(mark + length): \(expected)"
    }
  }

  /// Reads and compiles content like a command.
  private static func diagnostics(_ files: [String: String]) throws -> [Diagnostic] {
    let read = ContentReader.read(ContentFolder(texts: files))
    let tree = try #require(read.output)
    return
      (read.diagnostics + (try compile(tree, at: Instant(secondsSince1970: 0)) { _ in }).diagnostics)
      .inStableOrder()
  }

  private static func line(_ diagnostic: Diagnostic) -> String {
    let place = diagnostic.location?.range.map {
      ":\($0.start.line):\($0.start.column)-\($0.end.line):\($0.end.column)"
    }
    let fix = diagnostic.fixIt.map {
      $0.range == diagnostic.location?.range ? " → \($0.replacement)" : " → elsewhere"
    }
    return
      "\(diagnostic.location?.path ?? "")\(place ?? ""): \(diagnostic.severity.rawValue): \(diagnostic.message) "
      + "[\(diagnostic.id)]\(fix ?? "")"
  }

  private static let rose = "entries/product/rose.yaml"
  private static let project = shop["content.yaml"] ?? ""

  static let mistakes: [Mistake] = [
    Mistake(
      "error: there is no entry 'product/lilly'; did you mean 'product/lily'? [broken-reference] → product/lily",
      at: rose, "title: Rose\nsimilar: ⟦product/lilly⟧\n"),
    Mistake(
      "error: there is no entry 'product/orchid' [broken-reference]", at: rose,
      "title: Rose\nsimilar: ⟦product/orchid⟧\n"),
    Mistake(
      "error: there is no entry 'screen/lost'; did you mean 'screen/last'? [broken-reference] → screen/last",
      at: "entries/screen/first.yaml", "continueURL: ⟦screen/lost⟧\n"),
    Mistake(
      "error: 'product/lily' is kept out by its condition for every reader of this reference [broken-reference]",
      at: rose, "title: Rose\nsimilar: ⟦product/lily⟧\n",
      with: ["entries/product/lily.yaml": "title: Lily\nwhen: false\n"]),
    Mistake(
      "warning: 'product/lily' is kept out by its condition for en, zh-Hant [broken-reference]",
      at: rose, "title: Rose\nsimilar: ⟦product/lily⟧\n",
      with: ["entries/product/lily.yaml": "title: Lily\nwhen: {locale: fr}\n"]),
    Mistake(
      "warning: 'product/lily' is kept out by its condition for every locale on any, tablet [broken-reference]",
      at: rose, "title: Rose\nsimilar: ⟦product/lily⟧\n",
      with: ["entries/product/lily.yaml": "title: Lily\nwhen: {device: phone}\n"]),
    Mistake(
      "warning: no startup bundle reaches 'screen/lost', a step of a flow [unreachable-entry]",
      at: "entries/screen/lost.yaml", "⟦c⟧ontinueURL: screen/first\n",
      with: [
        "content.yaml": project.replacing("screen/*", with: "screen/first")
          + "  rest: {include: screen/*}\n"
      ]),
    Mistake(
      "warning: no bundle has 'screen/last', so no reader gets it; name it in the 'include' of a bundle [unbundled-entry]",
      at: "content.yaml",
      project.replacing("bundles:", with: "⟦bundles⟧:").replacing("screen/*", with: "screen/first")),
    Mistake(
      "warning: 'screen/last', a step of a flow, leads nowhere [dead-end]",
      at: "entries/screen/last.yaml",
      "⟦t⟧itle: Last\n"),
    Mistake(
      "error: 'title' is required in 'product' and has no value [missing-field]", at: rose,
      "⟦p⟧rice: 3\n"),
    Mistake(
      "error: 'title' is required in 'product' and has no value for zh-Hant [missing-field]",
      at: rose,
      "⟦t⟧itle: Rose\n",
      with: [
        "content.yaml": project + "fallback: {zh-Hant: [zh-Hant]}\n",
        "entries/product/lily.zh-Hant.yaml": "title: 百合\n",
      ]),
    Mistake(
      "error: 'title' is required in 'product' and is removed by null for fr [missing-field]",
      at: "entries/product/rose.fr.yaml", "title: ⟦~⟧\n"),
    Mistake(
      "error: unknown projection 'lite' [unknown-projection]", at: "content.yaml",
      project.replacing("projection: light", with: "projection: ⟦lite⟧")),
    Mistake(
      "error: unknown field 'prize' in 'sort'; did you mean 'price'? [unknown-field] → price",
      at: "content.yaml",
      project.replacing("sort: title", with: "sort: ⟦prize⟧")),
    Mistake(
      "error: there is no entry 'product/lilly'; did you mean 'product/lily'? [broken-reference] → product/lily",
      at: "content.yaml", project + "  one: {include: ⟦product/lilly⟧}\n"),
    Mistake(
      "warning: no entry matches 'product/z*' [empty-pattern]", at: "content.yaml",
      project + "  one: {include: [product/*, ⟦product/z*⟧]}\n"),
    Mistake(
      "warning: no entry matches 'products/*'; did you mean 'product/*'? [empty-pattern] → product/*",
      at: "content.yaml", project + "  one: {include: [product/*, ⟦products/*⟧]}\n"),
    Mistake(
      "error: a split bundle must hold entries of one datatype; 'one' has product, screen [split-datatypes]",
      at: "content.yaml", project + "  ⟦one⟧: {include: '**', split: entry}\n"),
    Mistake(
      "error: 'stalenessLimit' is 15m, but a correction in 'qa' takes up to 15m30s [staleness]",
      at: "content.yaml",
      project + "stalenessLimit: ⟦15m⟧\nchannels: {qa: {target: site, cdn: fastly}}\n"),
  ]

  @Test(arguments: mistakes)
  func reportsTheLocationOfMistakesBetweenEntries(_ mistake: Mistake) throws {
    let found = try Self.diagnostics(mistake.files).map(Self.line)
    #expect(found == [mistake.line])
  }

  @Test func acceptsAValidShop() throws {
    #expect(try Self.diagnostics(Self.shop).map(Self.line) == [])
  }

  @Test func explainsAChainWithoutAValue() throws {
    let found = try Self.diagnostics(
      Self.shop.merging([
        "content.yaml": Self.project + "fallback: {zh-Hant: [zh-Hant]}\n",
        "entries/product/lily.zh-Hant.yaml": "title: 百合\n",
      ]) { $1 })
    #expect(
      found.flatMap(\.notes).map(\.message) == [
        "the chain of zh-Hant is zh-Hant; none of 'product/rose' has 'title' there"
      ])
  }

  @Test func saysWhereARequiredFieldIsDeclared() throws {
    var files = Self.shop
    files["entries/product/rose.yaml"] = "{}\n"
    let found = try #require(try Self.diagnostics(files).first { $0.id == "missing-field" })
    let note = try #require(found.notes.first)
    #expect(note.message == "'title' is declared here")
    #expect(note.location?.path == "content/datatypes/product.yaml")
  }

  static let victims: [(files: [String: String], ids: [String])] = [
    (["entries/product/rose.yaml": "tittle: Rose\n"], ["unknown-field"]),
    (["entries/product/rose.yaml": "title: [Rose]\n"], ["wrong-type"]),
    (["entries/product/rose.yaml": "title: *rose\n"], ["undefined-anchor"]),
    (["entries/product/rose.yaml": "title: Rose\nsimilar: lily\n"], ["wrong-type"]),
    (["entries/product/lily.yaml": "title: [\n"], ["yaml-syntax"]),
    (["entries/product/lily.yaml": "- title\n"], ["wrong-type"]),
    (["datatypes/product.yaml": "fields: [\n"], ["yaml-syntax"]),
    (
      ["datatypes/screen.yaml": "fields: {title: strng, continueURL: url}\nflow: true\n"],
      ["unknown-type"]
    ),
    (["entries/screen/first.yaml": "title: [\n"], ["yaml-syntax"]),
  ]

  @Test(arguments: victims.indices)
  func doesNotReportConsequences(index: Int) throws {
    let found = try Self.diagnostics(Self.shop.merging(Self.victims[index].files) { $1 })
    #expect(found.map(\.id) == Self.victims[index].ids, "\(found.map(Self.line))")
  }

  /// Content in which every folder has something that other files refer to.
  private static let connected = shop.merging([
    // The head of a picture of one pixel.
    "assets/roses/red.gif": "GIF89a\u{1}\u{0}\u{1}\u{0}",
    "datatypes/product.yaml":
      "fields: {title: {type: string, localized: true}, picture: asset}\nprojections: {light: [title]}\n",
    "entries/product.fr.yaml": "rose: {title: Rosier}\n",
    "entries/product/lily.yaml": "title: Lily\n",
    "entries/product/rose.yaml": "title: Rose\npicture: roses/red.gif\n",
    "entries/screen.fr.yaml": "first: {title: Premier}\n",
    "entries/screen/first.yaml": "title: First\ncontinueURL: product/rose\n",
    "strings/shop.fr.yml": "fr: {hello: Bonjour}\n",
    "strings/shop/en.yml": "en: {hello: Hello}\n",
  ]) { $1 }

  @Test(arguments: [
    "assets", "assets/roses", "datatypes", "entries", "entries/product", "entries/screen",
    "strings", "strings/shop",
  ])
  func reportsNothingThatFollowsFromAnUnreadableFolder(path: String) throws {
    var folder = ContentFolder(texts: Self.connected)
    folder.items.removeAll { $0.path.hasPrefix("\(path)/") }
    folder.items.append(
      ContentFolder.Item(path: path, problem: .unreadableFolder(reason: "Permission denied")))
    let read = ContentReader.read(folder)
    let built = try read.output.map { try compile($0, at: Instant(secondsSince1970: 0)) { _ in } }
    #expect((read.output == nil) == (path == "datatypes"))
    #expect(
      (read.diagnostics + (built?.diagnostics ?? [])).map(Self.line) == [
        "content/\(path): error: the folder must be readable: Permission denied [unreadable-file]"
      ])
  }

  @Test func reportsMistakesOfAllStagesTogether() throws {
    let found = try Self.diagnostics(
      Self.shop.merging([
        "content.yaml": Self.project + "colour: red\n",
        "entries/product/lily.yaml": "price: -1\n",
        "entries/product/rose.yaml": "tittle: Rose\nsimilar: product/lilly\n",
        "entries/product/tulip.yaml": "title: [\n",
        "entries/screen/last.yaml": "title: Last\n",
      ]) { $1 })
    #expect(
      found.map { "\($0.location?.path.text.split(separator: "/").last ?? ""): \($0.id)" } == [
        "content.yaml: unknown-key", "lily.yaml: missing-field", "lily.yaml: out-of-range",
        "rose.yaml: unknown-field",
        "rose.yaml: broken-reference", "tulip.yaml: yaml-syntax", "last.yaml: dead-end",
      ])
    #expect(Set(found).count == found.count)
  }

  /// Replaces every fourth byte of each file, one by one, with a special character of YAML.
  @Test func survivesAnyDamagedByte() throws {
    let hostile = Array("\0\t\n \"'#&*-:?[]{}|!~.0e".utf8)
    var step = 0
    for (path, text) in Self.shop.sorted(by: { $0.key < $1.key }) {
      for place in text.utf8.indices
      where text.utf8.distance(from: text.startIndex, to: place) % 4 == 3 {
        step += 1
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.startIndex, to: place)] =
          hostile[step * 7 % hostile.count]
        let files = Self.shop.mapValues { Array($0.utf8) }.merging([path: bytes]) { $1 }
        let read = ContentReader.read(ContentFolder(files: files))
        guard let tree = read.output else { continue }
        let built = try compile(tree, at: Instant(secondsSince1970: 0)) { _ in }
        let found = read.diagnostics + built.diagnostics
        #expect(Set(found).count == found.count, "\(path) \(step): \(found.map(Self.line))")
      }
    }
  }

  @Test func returnsNoBuildForInvalidContent() throws {
    let read = ContentReader.read(
      ContentFolder(texts: Self.shop.merging([Self.rose: "price: 3\n"]) { $1 }))
    let built = try compile(try #require(read.output), at: Instant(secondsSince1970: 0)) { _ in }
    #expect(built.output == nil)
  }
}
