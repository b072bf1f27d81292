import ContentModel
import ContentSource
import Diagnostics
import Synchronization

@testable import ContentCompiler

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

/// Collects paths from all threads of a build.
private final class CollectedPaths: Sendable {
  private let paths = Mutex<Set<String>>([])

  func add(_ path: String) { _ = paths.withLock { $0.insert(path) } }
  var all: Set<String> { paths.withLock { $0 } }
}
