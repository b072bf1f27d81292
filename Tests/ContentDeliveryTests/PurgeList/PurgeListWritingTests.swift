import ContentModel
import ContentSource
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
  private static let folder = PurgeFolder(number: 7, of: Digest(of: []))
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  private func place(at store: Store) throws -> ChannelPlace {
    switch store {
    case .memory: ChannelPlace(MemoryTarget())
    case .bucket: ChannelPlace(UnlockedTarget(target: MemoryTarget()))
    case .folder: ChannelPlace(FolderTarget(scratch.path("root")))
    }
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

  private func key(of note: PurgeNote, in folder: PurgeFolder) -> String {
    PurgeName.note(note, in: folder).key(in: "production")
  }

  @Test(arguments: Store.allCases)
  func writesEachNoteOnce(store: Store) throws {
    let place = try place(at: store)
    let (notes, folder) = try notes()
    var written = ListedPurge(folder)
    for (note, file) in notes + notes {
      try place.put(note, file, of: &written)
      #expect(try place.target.read(key(of: note, in: folder))?.bytes == file.bytes)
    }
    var listed = ListedPurge(folder)
    try place.relist(&listed)
    #expect(listed.notes == Set(notes.map(\.0)) && listed.notes == written.notes)
  }

  /// Two commands finish a purge at different times.
  @Test(arguments: Store.allCases)
  func keepsTheWholeNoteOfAnotherCommand(store: Store) throws {
    let place = try place(at: store)
    var purge = ListedPurge(Self.folder)
    var later = Self.done
    later.issued = Instant(secondsSince1970: 1_800_000_001)
    for done in [Self.done, later] { try place.put(.done(naming: []), done.file, of: &purge) }
    let stored = try place.target.read(key(of: .done(naming: []), in: Self.folder))
    #expect(try stored?.bytes == Self.done.file.bytes)
  }

  /// A copy was cut, or somebody wrote another file.
  @Test(arguments: Store.allCases)
  func replacesADamagedNote(store: Store) throws {
    let place = try place(at: store)
    let (notes, folder) = try notes()
    for (note, file) in notes {
      let key = key(of: note, in: folder)
      let foreign = [
        Array(file.bytes.prefix(file.bytes.count / 2)), [], Array("text".utf8),
        try PropertyListBytes.binary(["format": 1]),
      ]
      for damaged in foreign {
        #expect(try place.target.create(key, as: OutgoingFile(bytes: damaged)))
        var purge = ListedPurge(folder)
        try place.put(note, file, of: &purge)
        #expect(try place.target.read(key)?.bytes == file.bytes && purge.notes == [note])
        try place.target.remove(key)
      }
    }
  }

  @Test func replacesANoteWithOtherBytesThanItsNameSays() throws {
    let place = try place(at: .memory)
    let (notes, folder) = try notes()
    for (note, file) in [notes[0], notes[2]] {
      let key = key(of: note, in: folder)
      #expect(try place.target.create(key, as: CopiesNote(objects: []).file))
      var purge = ListedPurge(folder)
      try place.put(note, file, of: &purge)
      #expect(try place.target.read(key)?.bytes == file.bytes)
    }
  }

  @Test func keepsANoteOfANewerVersion() throws {
    let place = try place(at: .memory)
    let key = key(of: .live, in: Self.folder)
    let newer = OutgoingFile(bytes: try PropertyListBytes.binary(["format": 3]))
    #expect(try place.target.create(key, as: newer))
    var purge = ListedPurge(Self.folder)
    #expect(throws: DeliveryError.self) {
      try place.put(.live, LiveNote(config: nil).file, of: &purge)
    }
    #expect(try place.target.read(key)?.bytes == newer.bytes && purge.notes.isEmpty)
  }

  @Test func acceptsTheNoteOfAFasterCommand() throws {
    let target = ScriptedTarget(MemoryTarget()) { _, work throws(TargetError) in
      _ = try work()
      return false
    }
    let place = ChannelPlace(target)
    var purge = ListedPurge(Self.folder)
    try place.put(.live, LiveNote(config: nil).file, of: &purge)
    var listed = ListedPurge(Self.folder)
    try place.relist(&listed)
    #expect(listed.notes == [.live] && purge.notes == [.live])
  }

  @Test(arguments: [true, false])
  func refusesATargetThatDoesNotWrite(saysSo: Bool) throws {
    let place = ChannelPlace(ScriptedTarget(MemoryTarget()) { _, _ in saysSo })
    var purge = ListedPurge(Self.folder)
    let error = #expect(throws: DeliveryError.self) {
      try place.put(.live, LiveNote(config: nil).file, of: &purge)
    }
    #expect(error?.kind == (saysSo ? .refused : .lost) && purge.notes.isEmpty)
  }

  /// The list before has the manifest, and the history.
  @Test func listsTheNotesOfOnePurgeAgain() throws {
    let scene = try PurgeListScene()
    let begun = try scene.begin(4)
    try scene.write(ManifestSample.pending(isLive: true), as: ManifestSample.pendingName)
    let target = ListedTarget(scene.memory)
    let place = ChannelPlace(target)
    let list = try PurgeList(place, live: scene.live(4, naming: begun))
    #expect(list.unfinished.map(\.listed.folder) == [ManifestSample.folder, begun.folder])
    for known in list.unfinished {
      var purge = known.listed
      let copies = try scene.writeCopies(Self.copies.objects, in: purge.folder)
      _ = target.take()
      try place.relist(&purge)
      #expect(purge.notes.copies == [copies] && purge.state == .unfinished)
      #expect(target.take() == ([], 1))
      try scene.write(.done(naming: [copies]), in: purge.folder)
      try place.relist(&purge)
      #expect(purge.state == .finished)
    }
  }

  // MARK: Notes of one kind

  @Test(arguments: Store.allCases)
  func takesANumberOnce(store: Store) throws {
    let place = try place(at: store)
    #expect(try place.take(7) && !place.take(7) && place.take(8))
    let stored = try place.target.read("production/purges/7.plist")
    #expect(try stored?.bytes == NoteFormat.numberFile(7).bytes)
  }

  @Test(arguments: Store.allCases)
  func writesBegunIntoTheFolderThatItsHashNames(store: Store) throws {
    let (place, begun) = (try place(at: store), PurgeNotesTests.begun)
    let folder = PurgeFolder(number: 7, of: try begun.file.body.digest)
    for _ in 0..<2 {
      let known = try place.write(begun)
      #expect(known.begun == begun && known.listed.folder == folder)
      #expect(try known.listed.notes == [.begun] && place.read(.begun, in: folder) == begun)
    }
  }

  /// A draft takes its number when it is imported.
  @Test func writesTheBegunOfADraft() throws {
    let place = try place(at: .bucket)
    let bytes = try PurgeNotesTests.begun.file.bytes
    for _ in 0..<2 {
      #expect(try place.write(begun: bytes).begun == PurgeNotesTests.begun)
      #expect(try !place.take(7))
    }
  }

  @Test func refusesTheBegunOfADraftForAnotherChannel() throws {
    let place = try place(at: .bucket)
    var others = [PurgeNotesTests.begun, PurgeNotesTests.begun]
    (others[0].channel, others[1].app) = ("qa", "other")
    let bytes = try PurgeNotesTests.begun.file.bytes
    for bytes in try others.map({ try $0.file.bytes }) + [[], Array(bytes.dropLast())] {
      #expect(throws: DeliveryError.self) { try place.write(begun: bytes) }
    }
    #expect(try place.target.names(below: "").isEmpty)
  }

  /// Another purge may have replaced config since: then readers need not have got this one.
  @Test func notesThatAPurgeIsLiveOnlyIfConfigNamesIt() throws {
    let scene = try PurgeListScene()
    let (purge, other) = (try scene.begin(1), try scene.begin(1, reason: "Another"))
    var listed = ListedPurge(purge.folder)
    for live in [try scene.live(1), try scene.live(1, naming: other)] {
      try scene.place.noteLive(&listed, by: live)
      #expect(listed.notes.isEmpty)
    }
    try scene.place.noteLive(&listed, by: scene.live(1, naming: purge))
    #expect(listed.notes == [.live])
    let note: LiveNote? = try scene.place.read(.live, in: purge.folder)
    #expect(note == LiveNote(config: nil))
  }

  @Test func namesTheCopiesByTheirHash() throws {
    let place = try place(at: .memory)
    var purge = ListedPurge(Self.folder)
    let note = PurgeNote.copies(try Self.copies.file.body.digest.shortHex)
    for _ in 0..<2 {
      #expect(
        try place.noteCopies(Self.copies.objects, of: &purge) == key(of: note, in: Self.folder))
      #expect(purge.notes == [note])
    }
    #expect(try place.read(note, in: Self.folder) == Self.copies)
    _ = try place.noteCopies([], of: &purge)
    #expect(purge.notes.copies.count == 2)
  }
}
