import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import TestDelivery

/// The proofs of purges in signed channels: whoever writes to the bucket can write any note.
@Suite struct UnprovenPurgeTests {
  private static let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
  private static let corrected = [
    "entries/product/rose.yaml": "title: Red rose\n",
    "entries/product/rose.fr.yaml": "title: Rose rouge\n",
  ]
  private static let rose = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
  private static let iris = PurgeOrder(.entries(["product/iris"]), reason: "Another word")
  private let signed: SignedPlace
  private let place: ChannelPlace
  private let backup: [UInt8]

  init() throws {
    signed = try SignedPlace()
    place = signed.place()
    try Shop(Self.bad).publish(to: place)
    backup = try #require(signed.memory.read("production/config.plist")).bytes
  }

  private var memory: MemoryTarget { signed.memory }

  private var list: PurgeList {
    get throws { try PurgeList(place, live: place.live()) }
  }

  /// The numbers of the purges that any later purge finishes.
  private var unfinished: [Int] { get throws { try list.unfinished.map(\.begun.number) } }

  /// Begins a purge, and stops after the note that it is live.
  private func begin(_ order: PurgeOrder) throws -> KnownPurge {
    try Purge(withoutCachesAt: place).begin(
      order, after: #require(try place.live()), through: place.publisher(run: "purge"))
  }

  /// Finishes the purges that are left, as `contentc purge` does.
  private func finishAll() throws -> [Purge.Outcome] {
    let live = try #require(try place.live())
    let session = Purge(withoutCachesAt: place).beginAndFinishAll(
      in: try list, live: live, commandWords: [], watch: { _ in }
    ) { _, _ in nil }
    if let error = session.error { throw error }
    return session.outcomes
  }

  private func expectFinished() throws {
    let outcomes = try finishAll()
    #expect(outcomes.map(\.isRecorded) == [true], "\(outcomes)")
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try unfinished == [] && list.warnings.isEmpty)
  }

  /// Expects that nothing is done about a purge, and that a warning says why.
  private func expectUnproven(
    _ folder: PurgeFolder, because reason: String = "is not proven by a signature"
  ) throws {
    let list = try list
    #expect(list.unfinished.isEmpty && list.missed.isEmpty && list.state(of: folder) == .void)
    #expect(list.warnings.count == 1 && list.warnings[0].contains(reason), "\(list.warnings)")
    #expect(try finishAll().isEmpty && place.restoredConfig() == nil && place.broken() == [])
  }

  // MARK: Proofs

  /// The purge was killed between its swap and the note that it is live.
  @Test func theSignedConfigProvesThePurgeThatItNames() throws {
    let purge = try begin(Self.rose)
    memory.remove(purge.key(of: .live))
    #expect(try unfinished == [1] && list.warnings.isEmpty)
    try expectFinished()
    #expect(memory.read(purge.key(of: .live)) != nil)
  }

  @Test func aLaterPurgeProvesTheOneBefore() throws {
    let first = try begin(Self.rose)
    memory.remove(first.key(of: .live))
    let second = try begin(Self.iris)
    #expect(second.begun.previous?.shortHex == first.listed.folder.digits)
    #expect(try unfinished == [1, 2] && list.warnings.isEmpty)
    // Nothing else proves the first one.
    memory.remove(second.key(of: .begun))
    let none = try list
    #expect(none.unfinished.isEmpty && none.warnings.count == 2, "\(none.warnings)")
    let start = "purge 1 at memory is not proven by a signature"
    #expect(none.warnings.contains { $0.hasPrefix(start) }, "\(none.warnings)")
    let advice = "contentc publish production --unpurge purge-2"
    #expect(none.warnings.contains { $0.hasSuffix(advice) }, "\(none.warnings)")
  }

  /// Config was restored from a backup of before the purge.
  @Test func theNoteLiveProvesAPurgeThatConfigDoesNotFollow() throws {
    let purge = try begin(Self.rose)
    let note: LiveNote? = try place.read(.live, in: purge.listed.folder)
    #expect(try note?.config == #require(memory.read("production/config.plist")).bytes)
    memory.restore(config: backup)
    let restored = try #require(try place.restoredConfig())
    #expect(restored.value == ["missedPurges": [1], "above": 2])
    #expect(
      try unfinished == [] && list.missed.map(\.folder) == [purge.listed.folder]
        && list.warnings.isEmpty)
    #expect(throws: restored.refusal) { try Shop(Self.corrected).publish(to: place) }
    #expect(throws: DeliveryError.self) { try place.publishAboveAll(Shop(Self.bad)) }
    try place.publishAboveAll(Shop(Self.corrected))
    #expect(try place.restoredConfig() == nil && unfinished == [1])
    try expectFinished()
  }

  @Test func aPurgeKeepsTheStateOfARestoredConfig() throws {
    _ = try begin(Self.rose)
    memory.restore(config: backup)
    let outcome = try place.purge(Self.iris)
    #expect(outcome.isRecorded && outcome.begun.number == 2 && outcome.begun.release == 3)
    let config = try PropertyList.decode(signed.verified().bytes).value
    #expect(config["purge"]?["missedAfter"]?.number == 0)
    #expect(try place.restoredConfig()?.value == ["missedPurges": [1], "above": 3])
  }

  // MARK: Forgeries

  enum Forgery: CaseIterable {
    /// Only the note `live` of an unsigned channel.
    case plainLive
    /// The signed config of another purge.
    case replayedConfig
    /// A config that names the purge, without signatures, or with those of another key.
    case unsignedConfig, foreignConfig
    /// The notes of a finished purge without `live`.
    case done
  }

  /// Writes the notes of a purge that would remove the live release's objects.
  private func forge(
    _ number: Int, after previous: Digest? = nil,
    noting note: (_ begun: Digest) throws -> (PurgeNote, LiveNote)
  ) throws -> PurgeFolder {
    var begun = PurgeNotesTests.begun
    (begun.number, begun.previous) = (number, previous)
    begun.objects = try #require(try place.live()).record.objects
    let (digest, file) = (try begun.file.body.digest, try begun.file)
    let folder = PurgeFolder(number: number, of: digest)
    let (name, content) = try note(digest)
    for (note, file) in [(.begun, file), (name, try content.file)] as [(PurgeNote, OutgoingFile)] {
      #expect(memory.create(PurgeName.note(note, in: folder).key(in: "production"), as: file))
    }
    return folder
  }

  /// Returns the config of the live release, as if it named a purge.
  private func config(_ number: Int, naming begun: Digest) throws -> [UInt8] {
    let live = try #require(try place.live())
    var (members, block) = (live.members, try #require(live.purge?.members))
    block["sequence"] = .integer(Int64(number))
    block["list"] = .data(begun.bytes)
    members["purge"] = .dictionary(block)
    return try PropertyList.encode(.dictionary(members), as: .binary)
  }

  /// Config follows the first purge.
  @Test(arguments: Forgery.allCases, [1, 2])
  func aForgedPurgeHasNoEffect(forgery: Forgery, number: Int) throws {
    try place.purge(Self.rose)
    let other = try SignedPlace()
    let folder = try forge(number) { begun in
      switch forgery {
      case .plainLive: (.live, LiveNote(config: nil))
      case .replayedConfig: (.live, LiveNote(config: try #require(try place.live()).bytes))
      case .unsignedConfig: (.live, LiveNote(config: try config(number, naming: begun)))
      case .foreignConfig:
        (.live, LiveNote(config: try other.sealed(config(number, naming: begun))))
      case .done: (.done(naming: []), LiveNote(config: nil))
      }
    }
    try expectUnproven(folder)
    try Shop(Self.corrected).publish(to: place)
    #expect(try place.broken() == [])
  }

  /// Another forged purge names the work of the one that lacks it.
  @Test func aForgedPurgeDoesNotProveAnother() throws {
    try place.purge(Self.rose)
    var hash: Digest?
    let first = try forge(2) { begun in
      hash = begun
      return (.live, LiveNote(config: nil))
    }
    memory.remove(PurgeName.note(.begun, in: first).key(in: "production"))
    _ = try forge(3, after: hash) { _ in (.live, LiveNote(config: nil)) }
    let list = try list
    #expect(
      list.warnings.count == 2
        && list.warnings.allSatisfy { $0.contains("is not proven by a signature") },
      "\(list.warnings)")
    #expect(list.unfinished.isEmpty && list.missed.isEmpty)
  }

  /// Unlike those above, the note has a config by the channel's key.
  @Test(arguments: [1, 2]) func aLiveNoteWithASignedConfigHasAnEffect(number: Int) throws {
    try place.purge(Self.rose)
    let folder = try forge(number) { begun in
      (.live, LiveNote(config: try signed.sealed(config(number, naming: begun))))
    }
    #expect(try list.missed.map(\.folder) == [folder] && list.warnings.isEmpty)
    #expect(try place.restoredConfig()?.value["missedPurges"] == [.integer(Int64(number))])
  }

  /// The folder and config have the hash of the work.
  @Test func replacedWorkIsNotDone() throws {
    let purge = try begin(Self.rose)
    var other = purge.begun
    other.objects = try #require(try place.live()).record.objects
    memory.overwrite(purge.key(of: .begun), with: try other.file.bytes)
    try expectUnproven(purge.listed.folder, because: "is missing or damaged")
  }

  /// Only completion has no proof: whoever writes to the bucket can put removed files back, too.
  @Test func aForgedDoneNoteEndsOnlyTheRemainingSteps() throws {
    let purge = try begin(Self.rose)
    let file = try LiveNote(config: nil).file
    #expect(memory.create(purge.key(of: .done(naming: [])), as: file))
    #expect(try unfinished == [] && place.shown("product/rose") == [:])
    let error = #expect(throws: DeliveryError.self) { try Shop(Self.bad).publish(to: place) }
    #expect(error?.notes.last?.contains("--unpurge product/rose") == true)
  }

  // MARK: Manifests of format 1

  /// Publishes a purge as contentc with format 1 does, and returns its pending manifest.
  private func purgeWithoutNotes() throws -> (folder: PurgeFolder, manifest: Members) {
    let live = try #require(try place.live())
    let plan = try PurgePlanner(place, live: live).plan(Self.rose)
    var begun = Begun(1, because: "A swear word", by: nil, after: live, at: place)
    (begun.entries, begun.contents) = (plan.entries.map(\.id), plan.contents)
    var draft = Draft(content: plan.content, of: plan.contentRelease)
    draft.purged = Draft.Purged(
      entries: begun.entries, objects: plan.gone, sequence: 1)
    draft.purged?.order = try begun.orderDigest
    let record = try place.publisher(run: "purge").publish { [draft] _ in draft }.record
    let manifest: Members = [
      "format": 1, "sequence": 1, "issued": .date(SignedPlace.start), "reason": "A swear word",
      "release": .integer(Int64(record.number)), "record": .data(record.digest.bytes),
      "entries": .array(begun.entries.map(Value.string)), "objects": plan.gone.rows, "urls": [],
      "keys": [], "contents": .array(begun.contents.map(\.value)), "assets": [], "bound": [],
      "live": true,
    ]
    return (PurgeFolder(number: 1, of: record.digest), manifest)
  }

  private func write(_ manifest: Members, in folder: PurgeFolder) throws {
    memory.overwrite(
      PurgeName.pendingManifest(folder).key(in: "production"),
      with: try PropertyListBytes.binary(.dictionary(manifest)))
  }

  @Test func theRecordOfItsReleaseProvesAManifest() throws {
    let (folder, manifest) = try purgeWithoutNotes()
    try write(manifest, in: folder)
    try place.republish()
    #expect(try unfinished == [1] && list.warnings.isEmpty)
    try expectFinished()
    #expect(try list.state(of: folder) == .finished)
    // The manifest stays, and the notes about it are beside it.
    let key = PurgeName.pendingManifest(folder).key(in: "production")
    #expect(try memory.read(key)?.bytes == PropertyListBytes.binary(.dictionary(manifest)))
    let copies = try #require(try list.purges.first).notes.copies
    #expect(copies.count == 1)
    for note in copies + [.done(naming: copies)] {
      #expect(memory.read(PurgeName.note(note, in: folder).key(in: "production")) != nil)
    }
  }

  @Test func aChangedManifestHasNoEffect() throws {
    let (folder, manifest) = try purgeWithoutNotes()
    var changed = manifest
    changed["entries"] = ["product/iris", "product/rose"]
    try write(changed, in: folder)
    try expectUnproven(folder)
  }

  /// Caches may remember that the objects of such a purge are missing.
  @Test func objectsOfAPurgeWithoutARecordMayHaveBeenRemoved() throws {
    let (folder, manifest) = try purgeWithoutNotes()
    try write(manifest, in: folder)
    try place.republish()
    for record in memory.list(below: "production/releases/2-") { memory.remove(record.key) }
    try expectUnproven(folder)
    let removed = try #require(ReleaseObject.readAll(manifest["objects"]))
    #expect(try !removed.isEmpty && list.removedObjects().isSuperset(of: removed.map(\.digest)))
  }
}
