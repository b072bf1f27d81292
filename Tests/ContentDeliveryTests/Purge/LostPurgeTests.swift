import ContentModel
import PropertyLists
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges whose work is lost: nothing is published until the file is back, or a publisher accepts that.
@Suite struct LostPurgeTests {
  private static let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
  private static let corrected = [
    "entries/product/rose.yaml": "title: Red rose\n",
    "entries/product/rose.fr.yaml": "title: Rose rouge\n",
    "entries/product/iris.yaml": "title: Blue iris\n",
  ]
  private static let other = corrected.merging(["entries/product/lily.yaml": "title: Lilly\n"]) {
    $1
  }
  private static let lily = PurgeOrder(.entries(["product/lily"]), reason: "A third word")

  /// A channel with two finished purges, of the rose and of the iris.
  private struct Scene {
    let signed: SignedPlace?
    let memory: MemoryTarget
    let place: ChannelPlace
    let purges: [KnownPurge]
    /// The hashes of their notes `begun`.
    let hashes: [Digest]

    init(isSigned: Bool) throws {
      let signed = isSigned ? try SignedPlace() : nil
      let memory = signed?.memory ?? MemoryTarget()
      let place = signed?.place() ?? ChannelPlace(memory)
      try Shop(bad).publish(to: place)
      purges = try ["product/rose", "product/iris"].map { id in
        try place.purge(PurgeOrder(.entries([id]), reason: "A swear word")).known
      }
      hashes = try purges.map { Digest(of: try #require(memory.read($0.key(of: .begun))).bytes) }
      (self.signed, self.memory, self.place) = (signed, memory, place)
    }

    var list: PurgeList { get throws { try PurgeList(place, live: place.live()) } }

    func lose(_ index: Int) { memory.remove(purges[index].key(of: .begun)) }

    /// Publishes a shop as Ada, who accepts losses.
    @discardableResult
    func publish(
      _ edits: [String: String], accepting words: String...
    ) throws -> Publisher.Outcome {
      var draft = Draft(content: try Shop(edits).content(), by: "Ada")
      draft.readmitted = Set(words)
      return try Shop().publisher(of: place, run: "\(edits) \(words)").publish { [draft] _ in
        draft
      }
    }

    /// Expects the refusal of everything that publishes content, because of some purges.
    func expectRefusal(
      _ edits: [String: String] = corrected, accepting word: String = "",
      of numbers: Int..., after untold: Int? = nil,
      at location: SourceLocation = #_sourceLocation
    ) throws {
      let config = memory.read("production/config.plist")?.bytes
      let error = #expect(throws: DeliveryError.self, sourceLocation: location) {
        try publish(edits, accepting: word)
      }
      let flags = numbers.map { " --unpurge purge-\($0)" }.joined()
      #expect(
        error?.notes
          == ["nothing was changed; put the file of a backup back"]
          + (untold.map {
            [
              "purge \($0) may be lost, too, if there was one: look for it in 'contentc history production --limit 1000'"
            ]
          } ?? []) + [
            "if there is none, remove that content from the content folder, and accept the loss: contentc publish production\(flags)"
          ], "\(String(describing: error))", sourceLocation: location)
      #expect(
        error?.description.hasSuffix("nothing refuses what \(numbers.purgeNames) removed") == true,
        "\(String(describing: error))", sourceLocation: location)
      #expect(
        memory.read("production/config.plist")?.bytes == config, sourceLocation: location)
    }

    /// Returns the config of the live release with other hashes of lost purges.
    func config(naming lost: [Digest]?) throws -> [UInt8] {
      let live = try #require(try place.live())
      var (members, block) = (live.members, try #require(live.purge?.members))
      block["lost"] = lost.map { .array($0.map { .data($0.bytes) }) }
      members["purge"] = .dictionary(block)
      return try PropertyList.encode(.dictionary(members), as: .binary)
    }
  }

  // MARK: Refusals

  @Test(arguments: [false, true], [0, 1])
  func publicationsAreRefusedUntilTheFileIsBack(isSigned: Bool, index: Int) throws {
    let scene = try Scene(isSigned: isSigned)
    let key = scene.purges[index].key(of: .begun)
    let whole = try #require(scene.memory.read(key)).bytes
    let another = try #require(scene.memory.read(scene.purges[1 - index].key(of: .begun))).bytes
    for damaged in [nil, [1], another] {
      scene.lose(index)
      if let damaged { scene.memory.overwrite(key, with: damaged) }
      try scene.expectRefusal(of: index + 1)
      let error = #expect(throws: DeliveryError.self) { try scene.place.rollBack(to: 1) }
      #expect(error?.description.hasPrefix("'\(key)' at memory is missing or damaged") == true)
      #expect(throws: DeliveryError.self) { try scene.list.refuseLost() }
      scene.memory.overwrite(key, with: whole)
    }
    try scene.publish(Self.corrected)
    #expect(try scene.list.lost().isEmpty)
  }

  @Test func severalAreNamedAtOnce() throws {
    let scene = try Scene(isSigned: false)
    scene.lose(0)
    scene.memory.remove(try scene.place.purge(Self.lily).known.key(of: .begun))
    try scene.expectRefusal(of: 1, 3)
    // Nothing else names the first two, but their other notes are there.
    scene.lose(1)
    let error = #expect(throws: DeliveryError.self) {
      try scene.publish(Self.corrected, accepting: "purge-1", "purge-2", "purge-3")
    }
    let folders = scene.purges.map { "production/purges/\($0.listed.folder.name)" }
    #expect(
      error?.notes.last
        == "if there is none, remove that content from the content folder, and accept the loss: "
        + folders.map { "remove the folder '\($0)' at memory" }.joined(separator: ", then: "))
    for key in scene.memory.list(below: "production/purges/").map(\.key)
    where folders.contains(where: { key.hasPrefix("\($0)/") }) {
      scene.memory.remove(key)
    }
    // The second one is not named any more, and may be lost without a trace.
    try scene.expectRefusal(of: 3, after: 2)
    #expect(try scene.list.lost(readingAll: false).map(\.mayFollowLoss) == [false])
    try scene.publish(Self.corrected, accepting: "purge-3")
    #expect(try scene.list.lost().isEmpty)
  }

  /// A publication of the same content is refused by the names of files alone.
  @Test(arguments: [false, true]) func theLastOneIsMissedByItsName(isSigned: Bool) throws {
    let scene = try Scene(isSigned: isSigned)
    try scene.publish(Self.corrected)
    scene.lose(0)
    guard case .unchanged = try scene.publish(Self.corrected) else {
      Issue.record("a release was published")
      return
    }
    #expect(try scene.list.lost(readingAll: false).isEmpty)
    #expect(try scene.list.lost().map(\.number) == [1])
    scene.lose(1)
    try scene.expectRefusal(of: 2)
    #expect(try scene.list.lost(readingAll: false).map(\.number) == [2])
  }

  /// A config that an earlier version wrote names no purge.
  @Test func onlyANamedPurgeIsMissing() throws {
    let memory = MemoryTarget()
    let place = ChannelPlace(memory)
    try Shop(Self.bad).publish(to: place)
    let list = try PurgeList(place, live: place.live())
    #expect(try list.lost().isEmpty && list.lost(readingAll: false).isEmpty)
    #expect(try PurgeList(place, live: nil).lost().isEmpty)
  }

  @Test(arguments: [false, true], [0, 1])
  func emergenciesGoOn(isSigned: Bool, index: Int) throws {
    let scene = try Scene(isSigned: isSigned)
    scene.lose(index)
    let hidden = try scene.place.publisher(run: "hide").publish { live in
      Draft(
        content: try #require(live).content(at: scene.place.target),
        maintenance: MaintenanceSwitch(isActive: true))
    }
    #expect(hidden.record.number == 4)
    let outcome = try scene.place.purge(Self.lily)
    #expect(outcome.isRecorded && outcome.begun.number == 3, "\(outcome.failures)")
    try scene.expectRefusal(of: index + 1)
  }

  /// The entry of an interrupted purge is no longer live, so no command can name it.
  @Test(arguments: [false, true], [nil, [1]] as [[UInt8]?])
  func theLossOfAnUnfinishedPurgeIsAcceptedAsItsWarningSays(
    isSigned: Bool, damaged: [UInt8]?
  ) throws {
    let scene = try Scene(isSigned: isSigned)
    let begun = try Purge(withoutCachesAt: scene.place).begin(
      Self.lily, after: #require(try scene.place.live()),
      through: scene.place.publisher(run: "killed"))
    let key = begun.key(of: .begun)
    let whole = try #require(scene.memory.read(key)).bytes
    scene.memory.remove(key)
    if let damaged { scene.memory.overwrite(key, with: damaged) }
    var list = try scene.list
    #expect(
      list.warnings == [
        "'\(key)' at memory is missing or damaged, so the remaining steps of purge 3 are unknown: readers got its "
          + "release, but the files that it was to remove may still be public; put the file of a backup back, "
          + "then: contentc purge production; if there is none, remove that content from the content folder, and "
          + "accept the loss: contentc publish production --unpurge purge-3"
      ])
    #expect(list.unfinished.isEmpty)
    // The file of a backup.
    scene.memory.overwrite(key, with: whole)
    list = try scene.list
    #expect(list.warnings.isEmpty && list.unfinished.map(\.begun.number) == [3])
    // Without a backup.
    scene.memory.remove(key)
    if let damaged { scene.memory.overwrite(key, with: damaged) }
    try scene.publish(Self.corrected, accepting: "purge-3")
    list = try scene.list
    #expect(list.warnings.isEmpty && list.unfinished.isEmpty, "\(list.warnings)")
    try scene.publish(Self.other)
  }

  // MARK: Acceptance

  @Test(arguments: [false, true], [0, 1])
  func aPublisherAcceptsTheLoss(isSigned: Bool, index: Int) throws {
    let scene = try Scene(isSigned: isSigned)
    scene.lose(index)
    for word in ["all", "product/rose", "purge-", "purge-\(2 - index)"] {
      try scene.expectRefusal(accepting: word, of: index + 1)
    }
    guard
      case .released(_, let sent) = try scene.publish(
        Self.corrected, accepting: "purge-\(index + 1)")
    else {
      Issue.record("no release was published")
      return
    }
    #expect(sent.purgeSentences == ["the loss of purge \(index + 1) is accepted, and noted"])
    let live = try #require(try scene.place.live())
    #expect(live.acceptedLosses == [scene.hashes[index]])
    let note: LostNote? = try scene.place.read(.lost, in: scene.purges[index].listed.folder)
    #expect(note?.by == "Ada" && note?.release == live.number && note?.issued == live.issued)
    #expect(note?.config == (isSigned ? live.bytes : nil))
    // Nothing mentions the purge from then on.
    try scene.publish(Self.other)
    #expect(try scene.place.purge(Self.lily).isRecorded)
    let list = try scene.list
    #expect(list.warnings.isEmpty && list.unfinished.isEmpty && list.missed.isEmpty)
    #expect(try list.lost().isEmpty && scene.place.live()?.acceptedLosses == live.acceptedLosses)
    // Another one is refused all the same. Nothing but the second one named the first.
    if index == 0 {
      scene.lose(1)
      try scene.expectRefusal(of: 2)
    }
  }

  /// The release says so, even if readers get the same content already.
  @Test func acceptanceMakesARelease() throws {
    let scene = try Scene(isSigned: true)
    try scene.publish(Self.corrected)
    scene.lose(0)
    let outcome = try scene.publish(Self.corrected, accepting: "purge-1")
    #expect(outcome.record.number == 5)
    #expect(
      try scene.list.lost().isEmpty && scene.place.live()?.acceptedLosses == [scene.hashes[0]])
  }

  /// The publisher was killed between the swap and the note.
  @Test(arguments: [false, true]) func configAloneTellsTheLoss(isSigned: Bool) throws {
    let scene = try Scene(isSigned: isSigned)
    scene.lose(0)
    try scene.publish(Self.corrected, accepting: "purge-1")
    let key = PurgeName.note(.lost, in: scene.purges[0].listed.folder).key(in: "production")
    scene.memory.remove(key)
    try scene.publish(Self.other)
    #expect(try scene.list.lost().isEmpty && scene.memory.read(key) == nil)
    // As after a draft was imported.
    try scene.place.noteLosses(acceptedBy: #require(try scene.place.live()))
    #expect(scene.memory.read(key) != nil)
  }

  /// An earlier version has dropped that from config.
  @Test(arguments: [false, true]) func theNoteAloneTellsTheLoss(isSigned: Bool) throws {
    let scene = try Scene(isSigned: isSigned)
    scene.lose(0)
    try scene.publish(Self.corrected, accepting: "purge-1")
    let config = try scene.config(naming: nil)
    scene.memory.restore(config: try scene.signed?.sealed(config) ?? config)
    #expect(try scene.place.live()?.acceptedLosses == [])
    try scene.publish(Self.other)
    #expect(try scene.list.lost().isEmpty)
  }

  /// Whoever writes to the bucket can remove a file, and write the note.
  @Test func aSignatureProvesTheLoss() throws {
    let scene = try Scene(isSigned: true)
    scene.lose(0)
    let live = try #require(try scene.place.live())
    let (named, other) = (try scene.config(naming: [scene.hashes[0]]), try SignedPlace())
    let key = PurgeName.note(.lost, in: scene.purges[0].listed.folder).key(in: "production")
    for config in [
      nil, live.bytes, named, try other.sealed(named),
      try scene.signed?.sealed(scene.config(naming: [scene.hashes[1]])),
    ] {
      let note = LostNote(issued: SignedPlace.start, by: "Eve", release: 9, config: config)
      scene.memory.overwrite(key, with: try note.file.bytes)
      try scene.expectRefusal(of: 1)
    }
    // Config says so, whatever the note says.
    try scene.publish(Self.corrected, accepting: "purge-1")
    #expect(try scene.list.lost().isEmpty)
    let note = LostNote(
      issued: SignedPlace.start, by: nil, release: 9, config: try scene.signed?.sealed(named))
    scene.memory.overwrite(key, with: try note.file.bytes)
    let config = try scene.config(naming: nil)
    scene.memory.restore(config: try scene.signed?.sealed(config) ?? config)
    #expect(try scene.list.lost().isEmpty)
  }

  /// No file of the folder is left.
  @Test(arguments: [0, 1], [false, true])
  func theNumberOfAnEmptyFolderIsGuessed(index: Int, hasNumber: Bool) throws {
    let scene = try Scene(isSigned: true)
    let folder = "production/purges/\(scene.purges[index].listed.folder.name)/"
    for key in scene.memory.list(below: folder).map(\.key) { scene.memory.remove(key) }
    if !hasNumber { scene.memory.remove("production/purges/\(index + 1).plist") }
    try scene.expectRefusal(of: index + 1)
    try scene.publish(Self.corrected, accepting: "purge-\(index + 1)")
    #expect(scene.memory.list(below: folder).map(\.key) == ["\(folder)lost"])
    try scene.publish(Self.other)
    #expect(try scene.list.lost().isEmpty && scene.list.warnings.isEmpty)
  }
}
