import ContentModel
import Hashing
import TestServers
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Notes are written once, at every kind of target.
@Suite struct PurgeListWritingTests {
  enum Store: CaseIterable { case memory, bucket, folder }

  private static let copies = CopiesNote(
    objects: [ReleaseObject(digest: Digest(of: [1]), fileExtension: "plist", size: 1)])
  private static let done = DoneNote(
    issued: ManifestSample.issued, copies: [], caches: [], without: [], bound: [], urls: [],
    keys: [], kept: [])
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  private func list(at store: Store) throws -> PurgeList {
    let target: any Target =
      switch store {
      case .memory: MemoryTarget()
      case .bucket: UnlockedTarget(target: MemoryTarget())
      case .folder: FolderTarget(scratch.path("root"))
      }
    return try PurgeList(ChannelPlace(target), live: nil)
  }

  /// Every kind of note, with its file, and the folder of the purge.
  private func notes() throws -> (notes: [(PurgeNote, OutgoingFile)], folder: PurgeFolder) {
    let (begun, copies) = (try PurgeNotesTests.begun.file, try Self.copies.file)
    let cache = CacheNote(cache: .nginx, issued: ManifestSample.issued, copies: [])
    let lost = LostNote(issued: ManifestSample.issued, release: 1)
    return (
      [
        (.begun, begun), (.live, try LiveNote(config: nil).file),
        (.copies(copies.body.digest.shortHex), copies),
        (.cache(.nginx, "0123456789abcdef"), try cache.file),
        (.done(naming: []), try Self.done.file), (.lost, try lost.file),
      ], PurgeFolder(number: 7, of: begun.body.digest)
    )
  }

  private func bytes(
    of note: PurgeNote, in folder: PurgeFolder, _ list: PurgeList
  ) throws -> [UInt8]? {
    try list.place.target.read(PurgeName.note(note, in: folder).key(in: "production"))?.bytes
  }

  @Test(arguments: Store.allCases)
  func writesEachNoteOnce(store: Store) throws {
    let list = try list(at: store)
    let (notes, folder) = try notes()
    for (note, file) in notes + notes {
      try list.put(note, file, in: folder)
      #expect(try bytes(of: note, in: folder, list) == file.bytes)
    }
    let purge = try list.relisted(folder)
    #expect(purge.notes == Set(notes.map(\.0)) && purge.folder == folder)
  }

  /// Two commands finish a purge at different times.
  @Test(arguments: Store.allCases)
  func keepsTheWholeNoteOfAnotherCommand(store: Store) throws {
    let list = try list(at: store)
    let folder = try notes().folder
    var later = Self.done
    later.issued = Instant(secondsSince1970: 1_800_000_001)
    try list.put(.done(naming: []), Self.done.file, in: folder)
    try list.put(.done(naming: []), later.file, in: folder)
    #expect(try bytes(of: .done(naming: []), in: folder, list) == Self.done.file.bytes)
  }

  /// A copy was cut, or somebody wrote another file.
  @Test(arguments: Store.allCases)
  func replacesADamagedNote(store: Store) throws {
    let list = try list(at: store)
    let (notes, folder) = try notes()
    for (note, file) in notes {
      let key = PurgeName.note(note, in: folder).key(in: "production")
      let foreign = [
        Array(file.bytes.prefix(file.bytes.count / 2)), [], Array("text".utf8),
        try PropertyListBytes.binary(["format": 1]),
      ]
      for damaged in foreign {
        #expect(try list.place.target.create(key, as: OutgoingFile(bytes: damaged)))
        try list.put(note, file, in: folder)
        #expect(try bytes(of: note, in: folder, list) == file.bytes)
        try list.place.target.remove(key)
      }
    }
  }

  @Test func replacesANoteWithOtherBytesThanItsNameSays() throws {
    let list = try list(at: .memory)
    let (notes, folder) = try notes()
    for (note, file) in [notes[0], notes[2]] {
      let other = try CopiesNote(objects: []).file
      let key = PurgeName.note(note, in: folder).key(in: "production")
      #expect(try list.place.target.create(key, as: other))
      try list.put(note, file, in: folder)
      #expect(try bytes(of: note, in: folder, list) == file.bytes)
    }
  }

  @Test func keepsANoteOfANewerVersion() throws {
    let list = try list(at: .memory)
    let folder = try notes().folder
    let newer = OutgoingFile(bytes: try PropertyListBytes.binary(["format": 3]))
    #expect(
      try list.place.target.create(
        PurgeName.note(.live, in: folder).key(in: "production"), as: newer))
    #expect(throws: DeliveryError.self) {
      try list.put(.live, LiveNote(config: nil).file, in: folder)
    }
    #expect(try bytes(of: .live, in: folder, list) == newer.bytes)
  }

  @Test func acceptsTheNoteOfAFasterCommand() throws {
    let memory = MemoryTarget()
    let target = ScriptedTarget(memory) { _, work throws(TargetError) in
      _ = try work()
      return false
    }
    let list = try PurgeList(ChannelPlace(target), live: nil)
    let folder = try notes().folder
    try list.put(.live, LiveNote(config: nil).file, in: folder)
    #expect(try list.relisted(folder).notes == [.live])
  }

  @Test(arguments: [true, false])
  func refusesATargetThatDoesNotWrite(saysSo: Bool) throws {
    let target = ScriptedTarget(MemoryTarget()) { _, _ in saysSo }
    let list = try PurgeList(ChannelPlace(target), live: nil)
    let folder = try notes().folder
    let error = #expect(throws: DeliveryError.self) {
      try list.put(.live, LiveNote(config: nil).file, in: folder)
    }
    #expect(error?.kind == (saysSo ? .refused : .lost))
  }

  /// The list before has the manifest, and the history.
  @Test func listsTheNotesOfOnePurgeAgain() throws {
    let scene = try PurgeListScene()
    let purge = try scene.begin(4)
    try scene.write(ManifestSample.pending(isLive: true), as: ManifestSample.pendingName)
    let target = ListedTarget(scene.memory)
    let list = try PurgeList(ChannelPlace(target), live: scene.live(4, naming: purge))
    #expect(list.unfinished.count == 2)
    for folder in [purge.folder, ManifestSample.folder] {
      let copies = try scene.writeCopies(Self.copies.objects, in: folder)
      _ = target.take()
      let found = try list.relisted(folder)
      #expect(found.notes.copies == [copies] && found.state == .unfinished)
      #expect(target.take() == ([], 1))
      try scene.write(.done(naming: [copies]), in: folder)
      #expect(try list.relisted(folder).state == .finished)
    }
    #expect(try list.relisted(purge.folder).manifest == nil)
    #expect(try list.relisted(ManifestSample.folder).manifest != nil)
  }
}
