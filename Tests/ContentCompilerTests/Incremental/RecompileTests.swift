import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Synchronization
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

  @Test(
    "gives equal bytes if bundles exchange entries",
    arguments: [1, 2, 3, 5, 6, 7, 8] as [UInt64])
  func replacesEntries(seed: UInt64) throws {
    let exchanged = try expectEqualBuilds(
      EditedContent(seed: seed, format: "binary", without: ["other"]))
    #expect(exchanged >= 2, "of 25 edits")
  }

  /// Compares 25 successive edits with full builds, and returns the number of those that read only
  /// changed entries.
  @discardableResult private func expectEqualBuilds(_ content: EditedContent) throws -> Int {
    var content = content
    var known = try CleanBuild(content.files)
    var state = try #require(known.state, "\(known.diagnostics)")
    var (alone, exchanged) = (0, 0)
    for _ in 0..<25 {
      let before = content
      content.edit()
      let full = try CleanBuild(content.files)
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
    #expect(edit.emitted.count < known.objects.count / 2)
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

  @Test func keepsWarningsAboutOtherFiles() throws {
    var files = EditedContent(seed: 0, format: "binary", without: ["other"]).files
    files["notes/later.txt"] = []
    files["strings/ui.en.yaml", default: []] += Array("  words: [One]\n".utf8)
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

/// A build of files without an earlier state.
struct CleanBuild {
  let files: [String: [UInt8]]
  let build: Build?
  let objects: [Digest: OutputObject]
  let diagnostics: [Diagnostic]

  init(_ files: [String: [UInt8]], at instant: Instant = Shop.noon) throws {
    self.files = files
    let read = ContentReader.read(ContentFolder(files: files))
    let collected = CollectedObjects()
    let tree = try #require(read.output)
    let compiled = try compile(tree, at: instant, remembers: true) { collected.add($0) }
    diagnostics = read.diagnostics + compiled.diagnostics
    build = read.hasErrors ? nil : compiled.output
    objects = build == nil ? [:] : collected.byDigest
  }

  var state: CompiledState? { build?.state }

  /// Compares a recompilation with this build.
  func expectEqual(
    _ made: Recompilation, _ emitted: [Digest: OutputObject], after known: CleanBuild
  )
    throws
  {
    let build = try #require(build, "\(diagnostics)")
    #expect(diagnostics == known.diagnostics)
    #expect(made.config.path == build.config.path)
    #expect(made.config.bytes == build.config.bytes)
    #expect(made.objectCount == build.counts.objects)
    let before = try #require(known.build)
    #expect(build.validFrom == before.validFrom)
    #expect(build.validBefore == before.validBefore)
    #expect(build.counts.entries == before.counts.entries)

    let removed = made.removedObjects.map(\.digest)
    #expect(Set(removed).isDisjoint(with: emitted.keys))
    #expect(Set(known.objects.keys).subtracting(removed).union(emitted.keys) == Set(objects.keys))
    #expect(removed.count == Set(removed).count && removed.allSatisfy { known.objects[$0] != nil })
    for object in made.removedObjects {
      #expect(known.objects[object.digest]?.fileExtension == object.fileExtension)
    }
    for (digest, object) in emitted {
      #expect(objects[digest]?.bytes == object.bytes)
      #expect(objects[digest]?.fileExtension == object.fileExtension)
    }

    let (links, linksBefore) = (build.linksByPath, before.linksByPath)
    let linksNow = linksBefore.merging(made.links.map { ($0.path, $0.digest) }) { $1 }
    #expect(linksNow == links)
    #expect(build.files.map(\.path) == before.files.map(\.path))
    #expect(build.files.map(\.bytes) == before.files.map(\.bytes))
  }
}

extension Build {
  fileprivate var linksByPath: [String: Digest] {
    Dictionary(links.map { ($0.path, $0.digest) }) { first, _ in first }
  }
}

/// An edit of some files, and the objects that its recompilation emits.
struct EditedBuild {
  private let files: [String: [UInt8]]
  /// `nil` if files were added or removed.
  private let changed: [String]?
  private let collected = CollectedObjects()
  private let asked = CollectedPaths()

  /// Files of the new content can be `missing`; a recompilation must not read them.
  init(from old: [String: [UInt8]], to new: [String: [UInt8]], without missing: [String] = []) {
    files = new.filter { !missing.contains($0.key) }
    changed = Set(old.keys) == Set(new.keys) ? new.keys.filter { old[$0] != new[$0] }.sorted() : nil
  }

  var emitted: [Digest: OutputObject] { collected.byDigest }
  /// The files that were read.
  var read: Set<String> { asked.all }
  /// `true` if entries of the bundles of items changed.
  var isOfItems: Bool { changed?.contains { $0.hasPrefix("entries/item") } ?? false }

  func recompile(
    _ state: CompiledState, warnings: [Diagnostic] = [], objects: [Digest: OutputObject],
    at instant: Instant = Shop.noon
  ) throws -> Recompilation? {
    try changed.flatMap { changed in
      try recompile(state, warnings: warnings, changed: changed, at: instant) { objects[$0]?.bytes }
    }
  }

  func recompile(
    _ state: CompiledState, changed: [String], objects: [Digest: OutputObject]
  ) throws -> Recompilation? {
    try recompile(state, changed: changed) { objects[$0]?.bytes }
  }

  func recompile(
    _ state: CompiledState, warnings: [Diagnostic] = [], changed: [String],
    at instant: Instant = Shop.noon,
    stored: @escaping @Sendable (Digest) -> [UInt8]?
  ) throws -> Recompilation? {
    var folder = ContentFolder(files: files)
    folder.read = { [folder, asked] path throws(ContentFolder.Problem) in
      asked.add(path)
      return try folder.read(path)
    }
    return try ContentCompiler.recompile(
      state, warnings: warnings, changed: changed,
      assets: files.keys.filter { $0.hasPrefix("assets/") }.sorted(),
      in: folder,
      at: instant, stored: { digest, _ in stored(digest) }
    ) { [collected] in collected.add($0) }
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

/// Collects objects from all threads of a build.
private final class CollectedObjects: Sendable {
  private let objects = Mutex<[Digest: OutputObject]>([:])

  func add(_ object: OutputObject) { objects.withLock { $0[object.digest] = object } }
  var byDigest: [Digest: OutputObject] { objects.withLock { $0 } }
}

/// Collects paths from all threads of a build.
private final class CollectedPaths: Sendable {
  private let paths = Mutex<Set<String>>([])

  func add(_ path: String) { _ = paths.withLock { $0.insert(path) } }
  var all: Set<String> { paths.withLock { $0 } }
}
