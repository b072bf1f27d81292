import ContentModel
import PropertyLists
import Synchronization
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// A channel with one release, whose purges a test writes file by file.
struct PurgeListScene {
  let memory = MemoryTarget()
  var place: ChannelPlace { ChannelPlace(memory) }

  init() throws { try publish("Rose") }

  /// Publishes a release, and returns its record.
  @discardableResult
  func publish(_ text: String) throws -> ReleaseRecord {
    var draft = Draft(content: try Shelf(["rose": text]).content())
    // contentc does not read the folder of purges for such a draft.
    draft.readmitted = ["all"]
    return try place.publisher().publish { [draft] _ in draft }.record
  }

  /// A purge that has begun.
  struct Begun {
    let folder: PurgeFolder
    let hash: Digest
  }

  /// Begins a purge: takes a number, and writes `begun`.
  func begin(
    _ number: Int, after previous: Begun? = nil, release: ReleaseRecord? = nil,
    reason: String = "A swear word", objects: [ReleaseObject] = []
  ) throws -> Begun {
    var begun = PurgeNotesTests.begun
    (begun.number, begun.previous, begun.reason) = (number, previous?.hash, reason)
    (begun.release, begun.objects) = (release?.number ?? 1, objects)
    begun.record = release?.digest ?? Digest(of: Array(reason.utf8))
    let file = try begun.file
    let folder = PurgeFolder(number: number, of: file.body.digest)
    _ = memory.create(key(.number(number)), as: try NoteFormat.numberFile(number))
    #expect(memory.create(key(.note(.begun, in: folder)), as: file))
    return Begun(folder: folder, hash: file.body.digest)
  }

  /// Writes notes of a purge; the content of `copies-` and `done-` does not fit their names.
  func write(_ notes: PurgeNote..., in folder: PurgeFolder) throws {
    for note in notes {
      let file = try LiveNote(config: nil).file
      #expect(memory.create(key(.note(note, in: folder)), as: file))
    }
  }

  /// Writes a `copies-` note, and returns its name.
  func writeCopies(_ objects: [ReleaseObject], in folder: PurgeFolder) throws -> PurgeNote {
    let file = try CopiesNote(objects: objects).file
    let note = PurgeNote.copies(file.body.digest.shortHex)
    #expect(memory.create(key(.note(note, in: folder)), as: file))
    return note
  }

  /// Writes a manifest of format 1.
  func write(_ manifest: Members, as name: PurgeName) throws {
    memory.overwrite(key(name), with: try PropertyListBytes.binary(.dictionary(manifest)))
  }

  func key(_ name: PurgeName) -> String { name.key(in: "production") }

  /// The live release, as if config had the number of a purge, and the hash of its `begun`.
  ///
  /// With `missedAfter`, that purge is one since config was restored.
  func live(
    _ number: Int, naming begun: Begun? = nil, missedAfter: Int? = nil
  ) throws -> LiveRelease {
    var live = try #require(try place.live())
    var block = try #require(live.purge?.members)
    block["sequence"] = .integer(Int64(number))
    block["list"] = begun.map { .data($0.hash.bytes) }
    block["missedAfter"] = missedAfter.map { .integer(Int64($0)) }
    live.members["purge"] = .dictionary(block)
    return live
  }

  /// Lists the purges, as if config had the number of a purge, and the hash of its `begun`.
  func list(
    _ number: Int, naming begun: Begun? = nil, missedAfter: Int? = nil
  ) throws -> PurgeList {
    try PurgeList(place, live: live(number, naming: begun, missedAfter: missedAfter))
  }
}

extension KnownPurge {
  /// Returns the key of a note in the channel `production`.
  func key(of note: PurgeNote) -> String {
    PurgeName.note(note, in: listed.folder).key(in: "production")
  }
}

extension PurgeList {
  /// Returns the state of the purge in a folder; `nil` without such a purge.
  func state(of begun: PurgeListScene.Begun) -> PurgeState? { state(of: begun.folder) }

  func state(of folder: PurgeFolder) -> PurgeState? {
    purges.first { $0.folder == folder }?.state
  }
}

/// A target that notes the files that are read, and counts lists.
final class ListedTarget: Target {
  private let target: MemoryTarget
  private let state = Mutex((read: [String](), lists: 0))

  init(_ target: MemoryTarget) { self.target = target }

  /// Returns the keys of the files of purges that were read since the last call, and the number of
  /// lists of purges.
  func take() -> (read: [String], lists: Int) {
    state.withLock { state in
      defer { state = ([], 0) }
      return state
    }
  }

  var name: String { target.name }
  var hasLock: Bool { false }
  func honorsConditions() -> Bool { true }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }
  func read(_ key: String) -> StoredFile? {
    if key.contains("/purges/") { state.withLock { $0.read.append(key) } }
    return target.read(key)
  }
  func create(_ key: String, as file: OutgoingFile) -> Bool { target.create(key, as: file) }
  func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool {
    target.replace(key, with: file, tagged: tagged)
  }
  func holds(_ key: String, as file: OutgoingFile) -> Bool { target.holds(key, as: file) }
  func remove(_ key: String) { target.remove(key) }
  func list(below prefix: String) -> [ListedFile] {
    if prefix.contains("/purges/") { state.withLock { $0.lists += 1 } }
    return target.list(below: prefix)
  }
}
