import ContentModel
import ContentSource
import Diagnostics
import SiteFormat
import Testing

@testable import ContentCompiler

/// Recompiling an edit gives the bytes of a full build, or fails.
@Suite struct RecompileTests {
  @Test(
    arguments: ["binary", "json", "xml", "openstep"].flatMap { format in
      (1...2).map { (format, UInt64($0)) }
    })
  func producesTheBytesOfAFullBuild(format: String, seed: UInt64) throws {
    try expectEqualBuilds(EditedContent(seed: seed, format: format))
  }

  @Test(arguments: [1, 2] as [UInt64])
  func producesTheBytesOfAFullBuildWithPseudoLocales(seed: UInt64) throws {
    try expectEqualBuilds(EditedContent(seed: seed, format: "binary"), pseudo: true)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func producesTheRecipesOfAFullBuild(seed: UInt64) throws {
    let without: Set = seed == 3 ? ["other"] : []
    let content = EditedContent(
      seed: seed, format: "binary", without: without, transfersText: true)
    let recipes = try CleanBuild(content.files).objects.values.filter {
      $0.fileExtension == Recipe.fileExtension
    }
    #expect(recipes.count >= 3)
    try expectEqualBuilds(content)
  }

  @Test(
    "gives equal bytes if bundles exchange entries",
    arguments: [2, 5, 6, 7, 8] as [UInt64])
  func replacesEntries(seed: UInt64) throws {
    let exchanged = try expectEqualBuilds(
      EditedContent(seed: seed, format: "binary", without: ["other"]))
    #expect(exchanged >= 2, "of 25 edits")
  }

  /// Compares 25 successive edits with full builds, and returns the number of those that read only
  /// changed entries.
  @discardableResult private func expectEqualBuilds(
    _ content: EditedContent, pseudo: Bool = false
  ) throws -> Int {
    var content = content
    var known = try CleanBuild(content.files, pseudo: pseudo)
    var state = try #require(known.state, "\(known.diagnostics)")
    var (alone, exchanged) = (0, 0)
    for _ in 0..<25 {
      let before = content
      content.edit()
      let full = try CleanBuild(content.files, pseudo: pseudo)
      let edit = EditedBuild(from: known.files, to: content.files)
      if let made = try edit.recompile(state, warnings: known.diagnostics, objects: known.objects) {
        alone += 1
        if edit.isOfItems, !edit.read.contains("entries/item/single.yaml") { exchanged += 1 }
        try full.expectEqual(made, edit.emitted, after: known)
        (known, state) = (full, made.state)
      } else if let newState = full.state {
        (known, state) = (full, newState)
      }
      // A mistake must not affect all later edits.
      if full.state == nil { content.undo(to: before) }
      state = try #require(
        CompiledState(state.encoded, named: CompiledState.name(of: state.encoded)))
    }
    #expect(alone >= 4, "of 25 edits")
    return exchanged
  }

  @Test(arguments: [
    ("entries/item.fr.yaml", "Note", "Mot"), ("entries/item@phone.yaml", "Note", "Word"),
    ("entries/item/single.fr.yaml", "Seul", "Tout seul"),
    ("strings/ui.fr.yaml", "Bonjour", "Salut"),
  ])
  func recompilesEditedTexts(path: String, old: String, new: String) throws {
    var files = EditedContent(seed: 0, format: "binary").files
    let known = try CleanBuild(files)
    let text = String(decoding: try #require(files[path]), as: UTF8.self)
    files[path] = Array(text.replacing(old, with: new).utf8)
    let edit = EditedBuild(from: known.files, to: files)
    let recompiled = try edit.recompile(try #require(known.state), objects: known.objects)
    let made = try #require(recompiled)
    try CleanBuild(files).expectEqual(made, edit.emitted, after: known)
    #expect(edit.emitted.count < known.objects.count * 2 / 3)
  }

  @Test(arguments: ["entries/item.fr.yaml", "entries/item@phone.yaml", "entries/item.fr-CA.yaml"])
  func readsOnlyChangedEntries(path: String) throws {
    var files = EditedContent(seed: 0, format: "binary", without: ["other"]).files
    let known = try CleanBuild(files)
    let text = String(decoding: try #require(files[path]), as: UTF8.self)
    files[path] = Array(text.replacing("Note", with: "Word", maxReplacements: 1).utf8)
    #expect(files[path] != known.files[path])
    let edit = EditedBuild(
      from: known.files, to: files,
      without: ["entries/item/single.yaml", "entries/item/single.fr.yaml"])
    let recompiled = try edit.recompile(
      try #require(known.state), changed: [path], objects: known.objects)
    try CleanBuild(files).expectEqual(try #require(recompiled), edit.emitted, after: known)
  }

  @Test func makesNoBundlesForAComment() throws {
    var files = EditedContent(seed: 0, format: "binary", without: ["other"]).files
    let known = try CleanBuild(files)
    files["entries/item.fr.yaml"] =
      Array("# nothing\n".utf8) + (files["entries/item.fr.yaml"] ?? [])
    let edit = EditedBuild(from: known.files, to: files)
    let recompiled = try edit.recompile(try #require(known.state), objects: known.objects)
    try CleanBuild(files).expectEqual(try #require(recompiled), edit.emitted, after: known)
    #expect(edit.emitted.count == 2, "the record, and its part of the folder")
  }

  @Test("rejects an edit that a format cannot carry", arguments: ["xml", "binary"])
  func rejectsAnEditThatAFormatCannotRepresent(format: String) throws {
    var files = EditedContent(seed: 0, format: format).files
    let known = try CleanBuild(files)
    let path = "entries/item/single.fr.yaml"
    let text = String(decoding: try #require(files[path]), as: UTF8.self)
    files[path] = Array(text.replacing("Seul", with: #""bell \a""#).utf8)
    #expect(files[path] != known.files[path])
    let edit = EditedBuild(from: known.files, to: files)
    let isMade = try edit.recompile(try #require(known.state), objects: known.objects) != nil
    #expect(isMade == (format == "binary"))
    #expect(edit.emitted.isEmpty == (format == "xml"))
  }

  @Test(
    "reuses no damaged bundle", arguments: ["", "flipped", "cut", "missing"])
  func checksTheEarlierBuild(damage: String) throws {
    var files = EditedContent(seed: 0, format: "binary", without: ["other", "start"]).files
    let known = try CleanBuild(files)
    let path = "entries/item.fr.yaml"
    files[path] = Array(
      String(decoding: files[path] ?? [], as: UTF8.self).replacing("Note", with: "Mot").utf8)
    let edit = EditedBuild(from: known.files, to: files)
    let recompiled = try edit.recompile(try #require(known.state), changed: [path]) { digest in
      guard var bytes = known.objects[digest]?.bytes else { return nil }
      switch damage {
      case "": break
      case "flipped": bytes[bytes.count / 2] ^= 1
      case "cut": bytes.removeLast(40)
      default: return nil
      }
      return bytes
    }
    try CleanBuild(files).expectEqual(try #require(recompiled), edit.emitted, after: known)
    #expect(
      edit.read.contains("entries/item/single.yaml") == !damage.isEmpty,
      "damage must cause a full build")
  }

  @Test(
    "rejects an edit that changes diagnostics in other files",
    arguments: [
      ("a@phone", "{note: N}", "{note: N, next: item/b}", "", "{device: phone}"),
      ("a.fr", "{when: false, note: N}", "{note: N}", "when: {locale: en}", "{}"),
      ("a.fr", "{when: {locale: fr}, note: N}", "{note: N}", "when: {locale: en}", "{}"),
    ])
  func rejectsAnEditThatChangesDiagnosticsElsewhere(
    file: String, old: String, new: String, base: String, target: String
  ) throws {
    let path = "entries/item/\(file).yaml"
    var texts = [
      "content.yaml": """
      app: shop
      sourceLocale: en
      locales: [en, fr]
      devices: {phone: {}, tablet: {}}
      format: binary
      bundles: {all: {include: "**"}}
      """,
      "datatypes/item.yaml": "fields: {title: {type: string}, note: {type: text, localized: true}, "
        + "next: {type: reference, to: item}}",
      "entries/item/a.yaml": "title: A\nnext: item/b\n\(base)\n",
      "entries/item/b.yaml": "title: B\nwhen: \(target)\n", path: old,
    ]
    let known = try CleanBuild(texts.mapValues { Array($0.utf8) })
    texts[path] = new
    let full = try CleanBuild(texts.mapValues { Array($0.utf8) })
    try #require(
      known.build != nil && full.diagnostics != known.diagnostics, "\(known.diagnostics)")
    let edit = EditedBuild(from: known.files, to: full.files)
    let state = try #require(known.state)
    #expect(try edit.recompile(state, warnings: known.diagnostics, objects: known.objects) == nil)
  }

  /// A warning about a translation also depends on the source locale's text.
  @Test(
    "rejects an edit of a source text that changes a warning about its translation",
    arguments: [
      ("hello: 'Hi %{a}'", "hello: Salut", "hello: Hi"),
      ("hello: Hi", "hello: Salut", "hello: Hi %d"),
      ("a: {one: x, other: y}", "a: {one: u}", "a: {one: x, other: ~}"),
      ("a: {one: x, two: y}", "a: {one: u}", "a: {one: x, other: y}"),
    ])
  func rejectsAnEditOfASourceText(before: String, translation: String, after: String) throws {
    let path = "strings/ui.en.yaml"
    var texts = [
      "content.yaml": "app: shop\nsourceLocale: en\nlocales: [en, fr]\nformat: binary\n"
        + "bundles: {all: {include: strings/*}}\n",
      path: "en: {\(before)}", "strings/ui.fr.yaml": "fr: {\(translation)}",
    ]
    let known = try CleanBuild(texts.mapValues { Array($0.utf8) })
    texts[path] = "en: {\(after)}"
    let full = try CleanBuild(texts.mapValues { Array($0.utf8) })
    try #require(
      known.build != nil && full.diagnostics != known.diagnostics, "\(known.diagnostics)")
    let edit = EditedBuild(from: known.files, to: full.files)
    let state = try #require(known.state)
    #expect(try edit.recompile(state, warnings: known.diagnostics, objects: known.objects) == nil)
  }

  /// Locales that show the same plural, each as that of another locale, share a bundle until one
  /// has its own.
  @Test(arguments: ["strings/ui.fr.yaml", "strings/ui.en.yaml", "entries/item/single.fr.yaml"])
  func recompilesPlurals(path: String) throws {
    var files = EditedContent(seed: 0, format: "binary", without: ["other"]).files
    files["entries/item/single.yaml", default: []] += Array(
      "roses: {one: Rose, other: Roses}\n".utf8)
    let known = try CleanBuild(files)
    let text =
      path.hasPrefix("strings")
      ? "  more: {one: u, many: n, other: v}\n"
      : "roses: {one: u, many: n, other: v}\n"
    files["strings/ui.en.yaml", default: []] += Array("  more: {one: x, other: y}\n".utf8)
    let before = try path == "strings/ui.fr.yaml" ? CleanBuild(files) : known
    if path != "strings/ui.en.yaml" { files[path, default: []] += Array(text.utf8) }
    let edit = EditedBuild(from: before.files, to: files)
    let state = try #require(before.state, "\(before.diagnostics)")
    let recompiled = try edit.recompile(state, objects: before.objects)
    try CleanBuild(files).expectEqual(try #require(recompiled), edit.emitted, after: before)
  }

  @Test func keepsWarningsAboutOtherFiles() throws {
    var files = EditedContent(seed: 0, format: "binary", without: ["other"]).files
    files["notes/later.txt"] = []
    files["strings/ui.en.yaml", default: []] += Array("  words: [One, Two]\n".utf8)
    files["strings/ui.fr.yaml", default: []] += Array("  words: [Un, null]\n".utf8)
    let known = try CleanBuild(files)
    #expect(known.diagnostics.map(\.id) == ["unread-file", "null-in-catalog"])
    for (path, old, isAlone) in [
      ("entries/item.fr.yaml", "Note", true), ("strings/ui.fr.yaml", "Bonjour", false),
    ] {
      let text = String(decoding: try #require(files[path]), as: UTF8.self)
      let edited = files.merging([path: Array(text.replacing(old, with: "Salut").utf8)]) { $1 }
      let edit = EditedBuild(from: files, to: edited)
      let state = try #require(known.state)
      let made = try edit.recompile(state, warnings: known.diagnostics, objects: known.objects)
      #expect((made != nil) == isAlone)
      if let made { try CleanBuild(edited).expectEqual(made, edit.emitted, after: known) }
      // The warning in the catalog's file is unknown, and an edit of that file reads it again.
      if !isAlone {
        #expect(try edit.recompile(state, warnings: [], objects: known.objects) == nil)
      }
    }
  }

  @Test(
    "gives equal bytes or rejects an edit that changes more than texts",
    arguments: [
      "[{id: x, label: L}]", "[{id: x, label: L, when: {device: phone}}, {id: y}]",
      "[{id: x, label: M}, {id: y, when: {locale: fr}}]",
      "[{id: x, label: L, when: {country: FR}}]",
      "[{id: x, label: L, when: {until: 2031-01-01T00:00:00Z}}]", "[]",
      "[{id: x, label: L, when: {from: 2031-01-01T00:00:00Z, embargo: true}}]",
    ])
  func rejectsOrReproducesEditsOfConditions(after: String) throws {
    let (base, overlay) = ("entries/item/single.yaml", "entries/item/single.fr.yaml")
    let plain = EditedContent(seed: 1, format: "binary").files
    for (path, items) in [(base, "[{id: x, label: L}, {id: y}]"), (overlay, "[{id: x, label: N}]")]
    {
      let known = try CleanBuild(
        plain.with(badges: [(base, "[{id: x, label: L}, {id: y}]"), (path, items)]))
      let files = plain.with(badges: [(base, "[{id: x, label: L}, {id: y}]"), (path, after)])
      let edit = EditedBuild(from: known.files, to: files)
      let state = try #require(known.state, "\(known.diagnostics)")
      guard let made = try edit.recompile(state, objects: known.objects) else { continue }
      try CleanBuild(files).expectEqual(made, edit.emitted, after: known)
    }
  }

  @Test func rejectsFilesThatChangedMeanwhile() throws {
    var files = EditedContent(seed: 0, format: "binary").files
    let known = try CleanBuild(files)
    let state = try #require(known.state)
    files["strings/ui.fr.yaml"] = Array("fr: {hello: Salut}".utf8)
    files["strings/ui.en.yaml", default: []] += Array("# changed\n".utf8)
    let edit = EditedBuild(from: known.files, to: files)
    #expect(try edit.recompile(state, objects: known.objects) != nil)
    #expect(
      try edit.recompile(state, changed: ["strings/ui.fr.yaml"], objects: known.objects) == nil)
  }
}

extension [String: [UInt8]] {
  /// The files with badges in some of them; of two for one file the last one counts.
  fileprivate func with(badges: [(path: String, items: String)]) -> [String: [UInt8]] {
    var files = self
    for (path, items) in badges {
      files[path] = (self[path] ?? []) + Array("badges: \(items)\n".utf8)
    }
    return files
  }
}
