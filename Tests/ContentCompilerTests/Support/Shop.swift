import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Synchronization
import Testing

@testable import ContentCompiler

/// A compiled content folder in memory: the config at its URL, and the objects that it reaches.
struct Shop {
  let build: Build?
  let objects: [Digest: OutputObject]
  let diagnostics: [Diagnostic]

  /// The settings in `content.yaml` that a test does not override.
  private static let defaults = [
    "app": "shop", "sourceLocale": "en", "locales": "[en, en-GB, fr, fr-CA]",
    "devices": "{phone: {}, tablet: {}, ipad: {parent: tablet}}",
    "bundles": #"{all: {include: "**"}}"#,
  ]

  /// The time of a build, at which no date in the tests takes effect by accident.
  static let noon = Instant(secondsSince1970: 1_780_000_000)

  /// Compiles entries (by id and overlay, such as `item/a.fr@ipad`) and other files (by path).
  ///
  /// The datatype `item` is open unless `fields` declares its fields.
  init(
    _ files: [String: String], fields: String? = nil, with settings: [String: String] = [:],
    assets: [String: [UInt8]] = [:], at instant: Instant = noon, pseudo: Bool = false
  ) throws {
    let project = Self.defaults.merging(settings) { $1 }.sorted { $0.key < $1.key }
    var texts = [
      "content.yaml": project.map { "\($0.key): \($0.value)\n" }.joined(),
      "datatypes/item.yaml": fields.map { "fields: \($0)" } ?? "open: true",
    ]
    for (name, text) in files { texts[name.hasSuffix("ml") ? name : "entries/\(name).yaml"] = text }
    let folder = ContentFolder(files: texts.mapValues { Array($0.utf8) }.merging(assets) { $1 })
    try self.init(folder, at: instant, pseudo: pseudo)
  }

  /// Compiles a folder; with `pseudo`, also for the pseudo-locales.
  init(_ folder: ContentFolder, at instant: Instant = noon, pseudo: Bool = false) throws {
    let read = ContentInput.read(folder, addingPseudoLocales: pseudo)
    guard let tree = read.tree, !read.diagnostics.hasErrors else {
      (build, objects, diagnostics) = (nil, [:], read.diagnostics)
      return
    }
    let emitted = Emitted()
    let compiled = try compile(tree, at: instant) { emitted.add($0) }
    build = compiled.output
    diagnostics = read.diagnostics + compiled.diagnostics
    objects = Dictionary(emitted.all.map { ($0.digest, $0) }) { first, _ in
      Issue.record("\(first.digest) was emitted twice")
      return first
    }
  }

  var isBuilt: Bool { build != nil }

  /// The build's config.
  var config: Value {
    get throws {
      let build = try #require(build, "\(findings)")
      return try PropertyList.decode(build.config.bytes).value
    }
  }

  /// Returns the value of the object with a hash, after checking its bytes against the hash.
  func object(_ hash: Value?) throws -> Value {
    try PropertyList.decode(try bytes(hash)).value
  }

  func bytes(_ hash: Value?) throws -> [UInt8] {
    let digest: Digest? =
      switch hash {
      case .data(let bytes): Digest(bytes: bytes)
      case .string(let hex): Digest(hex: hex)
      default: nil
      }
    let object = try #require(digest.flatMap { objects[$0] })
    #expect(Digest(of: object.bytes) == digest)
    return object.bytes
  }

  /// The build record.
  var record: Value { get throws { try object(try config["build"]) } }

  /// The entries in the record's parts, by id.
  var recordedEntries: [String: Value] { get throws { try recorded("entries", "/") } }

  /// The sources in the record's parts, by path.
  var recordedSources: [String: Value] { get throws { try recorded("sources", "/") } }

  private func recorded(_ kind: String, _ separator: String) throws -> [String: Value] {
    guard case .dictionary(let parts)? = try record[kind] else {
      throw Reader.Unreadable(what: kind)
    }
    var all: [String: Value] = [:]
    for (name, hash) in parts {
      guard case .dictionary(let rows)? = try object(hash)[kind] else {
        throw Reader.Unreadable(what: name)
      }
      for (rest, value) in rows { all[name == "." ? rest : name + separator + rest] = value }
    }
    return all
  }

  func file(_ path: String) throws -> String {
    let file = try #require(build?.files.first { $0.path == path })
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// The diagnostics in the order in which they were reported, such as `error missing-field 3:1`.
  var findings: [String] {
    diagnostics.map { diagnostic in
      let start = diagnostic.location?.range?.start
      return "\(diagnostic.severity) \(diagnostic.id)"
        + (start.map { " \($0.line):\($0.column)" } ?? "")
    }
  }

  func findings(_ id: String) -> [Diagnostic] { diagnostics.filter { $0.id == id } }
}

/// Collects objects from all threads of a build.
private final class Emitted: Sendable {
  private let objects = Mutex<[OutputObject]>([])

  func add(_ object: OutputObject) { objects.withLock { $0.append(object) } }
  var all: [OutputObject] { objects.withLock { $0 } }
}

extension Shop: CustomTestStringConvertible {
  var testDescription: String { isBuilt ? "a build" : "\(findings)" }
}
