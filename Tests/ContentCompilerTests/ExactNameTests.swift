import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Synchronization
import TestInputs
import Testing

@testable import ContentCompiler

/// Names that are equal as Swift strings, and different for file systems, property lists and readers.
@Suite struct ExactNameTests {
  @Test(
    "build reproducibly, also after an edit", arguments: 1...24 as ClosedRange<UInt64>
  )
  func buildReproducibly(seed: UInt64) throws {
    var content = SpelledContent(seed: seed)
    let first = try ExactBuild(content.files)
    let again = try ExactBuild(content.files)
    #expect(first.config == again.config)
    #expect(Set(first.objects.keys) == Set(again.objects.keys))
    #expect(first.build.state?.encoded == again.build.state?.encoded)
    let path = content.edit()
    _ = try recompiled(content, since: first, changed: path)
  }

  @Test("are recompiled if only the normalization of a text has changed")
  func areRecompiledIfOnlyTheNormalizationHasChanged() throws {
    var content = SpelledContent(seed: 1)
    content.add("entries/item/a.fr.yaml", "note: Caf\u{E9}\n")
    let first = try ExactBuild(content.files)
    content.add("entries/item/a.fr.yaml", "note: Cafe\u{301}\n")
    let edited = try recompiled(content, since: first, changed: "entries/item/a.fr.yaml")
    #expect(edited.config != first.config)
  }

  @Test("have the types of their own fields") func haveTheTypesOfTheirOwnFields() throws {
    let shop = try Shop(
      ["item/a": "\u{E9}: text\ne\u{301}: 3"], fields: "{\u{E9}: string, e\u{301}: integer}")
    #expect(try shop.a("en") == #"{"e\#u{301}":3,"\#u{E9}":"text"}"#, "\(shop.findings)")
  }

  /// Recompiles content after an edit, and expects the build that a new process makes; returns that
  /// build.
  private func recompiled(
    _ content: SpelledContent, since first: ExactBuild, changed path: String
  ) throws -> ExactBuild {
    let edited = try ExactBuild(content.files)
    let collected = Mutex<[Digest: OutputObject]>([:])
    let state = try #require(first.build.state)
    let made = try recompile(
      try #require(CompiledState(state.encoded, named: CompiledState.name(of: state.encoded))),
      warnings: first.diagnostics, changed: [path], assets: content.assets,
      in: ContentFolder(exactFiles: content.files),
      at: Shop.noon, stored: { digest, _ in first.objects[digest]?.bytes }
    ) { object in collected.withLock { $0[object.digest] = object } }
    let recompiled = try #require(made, "an edit of \(path)")
    #expect(recompiled.config.bytes == edited.config)
    for (digest, object) in collected.withLock({ $0 }) {
      #expect(edited.objects[digest]?.bytes == object.bytes)
    }
    return edited
  }

  @Test("reach readers with all of their keys and assets", arguments: 1...8 as ClosedRange<UInt64>)
  func reachReaders(seed: UInt64) throws {
    let content = SpelledContent(seed: seed)
    let build = try ExactBuild(content.files)
    let bundle = try #require(build.bundle)
    let entry = try #require(bundle["entries"]?["item/a"]?["content"])
    for name in content.names {
      #expect(entry["free"]?[name] == .string("free \(name)"))
      #expect(entry["map"]?[name] == .string("map \(name)"))
      #expect(bundle["entries"]?["strings/app"]?["content"]?[name] == .string("text \(name)"))
      let assets = entry["assets"]?.items ?? []
      #expect(assets.count == content.assets.count)
      #expect(Set(assets.compactMap { $0["scales"]?["1"]?["size"] }).count == content.assets.count)
    }
  }

  @Test("of required fields are reported one by one")
  func areReportedOneByOne() throws {
    let shop = try Shop(
      ["item/a": "{}"],
      fields:
        "{\u{E9}: {type: string, required: true}, e\u{301}: {type: string, required: true}}")
    #expect(shop.findings("missing-field").count == 2, "\(shop.findings)")
  }
}

/// A build of files whose names differ only by their bytes.
private struct ExactBuild {
  let build: Build
  let objects: [Digest: OutputObject]
  let diagnostics: [Diagnostic]

  init(_ files: [ExactString: [UInt8]]) throws {
    let read = ContentReader.read(ContentFolder(exactFiles: files))
    let collected = Mutex<[Digest: OutputObject]>([:])
    let compiled = try compile(try #require(read.output), at: Shop.noon, remembers: true) {
      object in
      collected.withLock { $0[object.digest] = object }
    }
    diagnostics = read.diagnostics + compiled.diagnostics
    build = try #require(compiled.output, "\(diagnostics.map(\.message))")
    objects = collected.withLock { $0 }
  }

  var config: [UInt8] { build.config.bytes }

  /// The one bundle, for readers of the source locale, who do not get the note.
  var bundle: Value? {
    objects.values.lazy.compactMap { try? PropertyList.decode($0.bytes).value }.first {
      $0["entries"]?["item/a"]?["content"].map { $0["note"] == nil } ?? false
    }
  }
}

/// Content with names in several spellings in every place that takes a free name.
private struct SpelledContent {
  /// Distinct by their bytes.
  let names: [String]
  private(set) var files: [ExactString: [UInt8]] = [:]
  private(set) var assets: [String] = []
  private var random: SeededGenerator

  private static let spellings = [
    ["\u{E9}", "e\u{301}"], ["\u{C5}", "A\u{30A}", "\u{212B}"],
    ["\u{D55C}", "\u{1112}\u{1161}\u{11AB}"],
    ["K", "\u{212A}"], ["\u{301}", "\u{340}\u{341}", "\u{300}\u{301}"],
    ["q\u{307}\u{323}", "q\u{323}\u{307}"],
  ]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let groups =
      Self.spellings.filter { _ in random.once(in: 2) } + [
        Self.spellings[Int(seed) % Self.spellings.count]
      ]
    names = Set(names: groups.joined()).names
    self.random = random
    add(
      "content.yaml",
      "app: shop\nsourceLocale: en\nlocales: [en, fr]\nbundles: {all: {include: '**'}}\n")
    add(
      "datatypes/item.yaml",
      "fields: {free: any, map: {type: map, of: string}, list: {type: list, of: any}, "
        + "assets: {type: list, of: asset}, note: {type: text, localized: true}}\n")
    for (place, name) in names.enumerated() {
      for path in ["\(name).bin", "\(name)/\(name)x.bin", "folder/\(name)@1x.bin"] {
        addAsset("assets/" + path, size: assets.count + 1 + place)
      }
      add("strings/app/\(name).en.yaml", "en: {\"\(name)\": text \(name)}\n")
      add("strings/app/\(name)/fr.yaml", "fr: {\"\(name)\": texte \(name)}\n")
    }
    add("entries/item/a.yaml", item)
    add("entries/item/a.fr.yaml", "note: Note\n")
  }

  private var item: String {
    func members(_ kind: String) -> String {
      names.map { "\"\($0)\": \(kind) \($0)" }.joined(separator: ", ")
    }
    let ids = names.map { "{id: \"\($0)\"}" }.joined(separator: ", ")
    let paths = assets.map { "\"\($0.dropping("assets/").replacing("@1x", with: ""))\"" }.joined(
      separator: ", ")
    return
      "free: {\(members("free"))}\nmap: {\(members("map"))}\nlist: [\(ids)]\nassets: [\(paths)]\n"
  }

  mutating func add(_ path: String, _ text: String) { files[path] = Array(text.utf8) }

  private mutating func addAsset(_ path: String, size: Int) {
    files[path] = [UInt8](repeating: 7, count: assets.count + 1)
    assets.append(path)
  }

  /// Changes a text, and returns the path of its file.
  mutating func edit() -> String {
    let name = random.one(of: names)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      add("strings/app/\(name).en.yaml", "en: {\"\(name)\": edited}\n")
      return "strings/app/\(name).en.yaml"
    case 1:
      add("strings/app/\(name)/fr.yaml", "fr: {\"\(name)\": edited}\n")
      return "strings/app/\(name)/fr.yaml"
    default:
      add("entries/item/a.fr.yaml", "note: Edited\n")
      return "entries/item/a.fr.yaml"
    }
  }
}
