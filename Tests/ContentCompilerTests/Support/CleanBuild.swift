import ContentModel
import ContentSource
import Diagnostics
import Synchronization
import Testing

@testable import ContentCompiler

/// A build of files without an earlier state.
struct CleanBuild {
  let files: [String: [UInt8]]
  let build: Build?
  let objects: [Digest: OutputObject]
  let diagnostics: [Diagnostic]

  init(
    _ files: [String: [UInt8]], at instant: Instant = Shop.noon, pseudo: Bool = false
  ) throws {
    self.files = files
    let read = ContentInput.read(ContentFolder(files: files), addingPseudoLocales: pseudo)
    let collected = CollectedObjects()
    let tree = try #require(read.tree)
    let compiled = try compile(tree, at: instant, remembers: true) { collected.add($0) }
    diagnostics = read.diagnostics + compiled.diagnostics
    build = read.diagnostics.hasErrors ? nil : compiled.output
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

/// Collects objects from all threads of a build.
final class CollectedObjects: Sendable {
  private let objects = Mutex<[Digest: OutputObject]>([:])

  func add(_ object: OutputObject) { objects.withLock { $0[object.digest] = object } }
  var byDigest: [Digest: OutputObject] { objects.withLock { $0 } }
}
