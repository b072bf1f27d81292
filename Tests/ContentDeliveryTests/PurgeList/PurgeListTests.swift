import ContentModel
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The purges of a channel, as its files tell them.
@Suite struct PurgeListTests {
  private let scene: PurgeListScene
  private let objects = (0..<4).map {
    ReleaseObject(digest: Digest(of: [$0]), fileExtension: "plist", size: Int($0))
  }

  init() throws { scene = try PurgeListScene() }

  @Test func isEmptyAtFirst() throws {
    let list = try PurgeList(scene.place, live: scene.place.live())
    #expect(list.purges.isEmpty && list.unfinished.isEmpty && list.warnings.isEmpty)
    #expect(try list.readAll().isEmpty && list.nextNumber() == 1)
    #expect(try PurgeList(scene.place, live: nil).purges.isEmpty)
  }

  // MARK: States

  @Test func followsAPurgeThroughItsStates() throws {
    let purge = try scene.begin(1)
    #expect(try scene.list(0).state(of: purge) == .void)
    try scene.write(.live, in: purge.folder)
    #expect(try scene.list(1, naming: purge).state(of: purge) == .unfinished)
    let first = try scene.writeCopies([objects[0]], in: purge.folder)
    #expect(try scene.list(1, naming: purge).state(of: purge) == .unfinished)
    try scene.write(.done(naming: [first]), in: purge.folder)
    #expect(try scene.list(1, naming: purge).state(of: purge) == .finished)
    let second = try scene.writeCopies([objects[1]], in: purge.folder)
    #expect(try scene.list(1, naming: purge).state(of: purge) == .unfinished)
    try scene.write(.done(naming: [first, second]), in: purge.folder)
    let list = try scene.list(1, naming: purge)
    #expect(list.state(of: purge) == .finished && list.unfinished.isEmpty)
    #expect(try list.readAll().map(\.begun.number) == [1])
  }

  /// Its command ended after the swap of config.
  @Test func findsThePurgeThatConfigNames() throws {
    let lost = try scene.begin(2, reason: "Lost the swap")
    let purge = try scene.begin(2)
    let list = try scene.list(2, naming: purge)
    #expect(list.state(of: purge) == .unfinished && list.state(of: lost) == .void)
    #expect(list.unfinished.map(\.begun.reason) == ["A swear word"])
  }

  /// At a store without conditions, another purge had replaced the config of a faster one.
  @Test func findsThePurgeThatConfigNamesBesideAMissedOne() throws {
    for reason in ["A", "B", "C", "D"] {
      let missed = try scene.begin(2, reason: "\(reason), faster")
      try scene.write(.live, in: missed.folder)
      let purge = try scene.begin(2, reason: reason)
      let list = try scene.list(2, naming: purge)
      #expect(list.state(of: missed) == .unfinished && list.state(of: purge) == .unfinished)
    }
  }

  /// Their commands ended after the swap of config; later purges were not hindered.
  @Test func findsPurgesThatLaterOnesName() throws {
    let first = try scene.begin(1)
    let lost = try scene.begin(2, after: first, reason: "Was killed before the swap")
    let third = try scene.begin(3, after: first)
    let fourth = try scene.begin(4, after: third)
    try scene.write(.live, .done(naming: []), in: fourth.folder)
    let list = try scene.list(4, naming: fourth)
    #expect(
      [first, lost, third, fourth].map { list.state(of: $0) }
        == [.unfinished, .void, .unfinished, .finished])
  }

  /// contentc with format 1 writes config without the hash of a purge.
  @Test func findsPurgesByRecordsIfConfigNamesNone() throws {
    let record = try scene.publish("A purge")
    let purge = try scene.begin(1, release: record)
    #expect(try scene.list(1).state(of: purge) == .unfinished)
    try scene.publish("Later")
    #expect(try scene.list(1).state(of: purge) == .unfinished)
    let killed = try scene.begin(2, release: record, reason: "Another")
    let other = try scene.begin(3, reason: "Without a record")
    let later = try scene.begin(4)
    try scene.write(.live, in: later.folder)
    let list = try scene.list(4)
    #expect(list.state(of: purge) == .unfinished && list.state(of: killed) == .unfinished)
    #expect(list.state(of: other) == .void && list.state(of: later) == .unfinished)
  }

  /// Config was restored from a backup: the release of a purge is followed, and not live any more.
  @Test func ignoresAPurgeThatARestoredConfigReplaced() throws {
    let config = try #require(scene.memory.read("production/config.plist")).bytes
    let record = try scene.publish("A purge")
    let purge = try scene.begin(1, release: record)
    try scene.publish("Later")
    scene.memory.restore(config: config)
    #expect(try scene.list(1).state(of: purge) == .void)
    try scene.publish("After the restoration")
    #expect(try scene.list(1).state(of: purge) == .void)
  }

  /// A release that others follow was live, although records since then are gone.
  @Test func findsAPurgeWhoseSuccessorsArePartlyGone() throws {
    let record = try scene.publish("A purge")
    let purge = try scene.begin(1, release: record)
    try scene.publish("Next")
    let gone = try scene.publish("Gone")
    try scene.publish("Later")
    scene.memory.remove(gone.key(in: "production"))
    #expect(try scene.list(1).state(of: purge) == .unfinished)
  }

  /// The records that would tell were pruned.
  @Test func findsNoPurgeInAPrunedHistory() throws {
    let record = try scene.publish("A purge")
    let later = try ["A", "B", "C"].map { try scene.publish($0) }
    let purge = try scene.begin(1, release: record)
    #expect(try scene.list(1).state(of: purge) == .unfinished)
    for pruned in [record, later[0]] { scene.memory.remove(pruned.key(in: "production")) }
    #expect(try scene.list(1).state(of: purge) == .void)
  }

  @Test func countsALiveNoteAboveTheNumberOfConfig() throws {
    let missed = try scene.begin(7)
    try scene.write(.live, in: missed.folder)
    let list = try scene.list(3)
    #expect(list.state(of: missed) == .unfinished)
    #expect(try PurgeList(scene.place, live: nil).state(of: missed) == .unfinished)
  }

  // MARK: Manifests of format 1

  @Test(arguments: [false, true])
  func readsAPendingManifest(isLive: Bool) throws {
    try scene.write(ManifestSample.pending(isLive: isLive), as: ManifestSample.pendingName)
    let list = try scene.list(3)
    #expect(list.state(of: ManifestSample.folder) == (isLive ? .unfinished : .void))
    #expect(list.unfinished.map(\.begun.record) == (isLive ? [ManifestSample.record] : []))
    #expect(try list.readAll().count == (isLive ? 1 : 0))
  }

  /// Its command ended after the swap of config, before it noted so in the manifest.
  @Test func findsAPendingManifestByItsRecord() throws {
    let record = try scene.publish("A purge")
    let folder = PurgeFolder(number: 1, of: record.digest)
    var manifest = ManifestSample.pending
    (manifest["sequence"], manifest["release"]) = (1, .integer(Int64(record.number)))
    manifest["record"] = .data(record.digest.bytes)
    try scene.write(manifest, as: .pendingManifest(folder))
    #expect(try scene.list(1).state(of: folder) == .unfinished)
    try scene.publish("Later")
    #expect(try scene.list(1).state(of: folder) == .unfinished)
    #expect(try scene.list(0).state(of: folder) == .void)
  }

  /// This contentc writes its notes beside the manifest, which stays.
  @Test func finishesAPendingManifestByNotes() throws {
    try scene.write(ManifestSample.pending(isLive: true), as: ManifestSample.pendingName)
    let copies = try scene.writeCopies(objects, in: ManifestSample.folder)
    let before = try scene.list(3)
    let known = try #require(before.unfinished.first)
    #expect(try scene.place.objects(of: known).count == 1 + objects.count)
    try scene.write(.done(naming: [copies]), in: ManifestSample.folder)
    let after = try scene.list(3)
    #expect(after.state(of: ManifestSample.folder) == .finished && after.unfinished.isEmpty)
    #expect(try after.readAll().map(\.begun.record) == [ManifestSample.record])
  }

  @Test func readsAFinalManifestBesideItsPendingOneAndNotes() throws {
    try scene.write(ManifestSample.final, as: .number(3))
    for isAlone in [true, false] {
      if !isAlone {
        try scene.write(ManifestSample.pending(isLive: true), as: ManifestSample.pendingName)
        _ = try scene.writeCopies(objects, in: ManifestSample.folder)
      }
      for number in [2, 3] {
        let list = try scene.list(number)
        #expect(list.unfinished.isEmpty && list.warnings.isEmpty)
        #expect(try list.readAll().map(\.listed.state) == [.finished])
        // Above config's number, it tells that config was restored from a backup.
        #expect(list.purges.isEmpty == (isAlone && number == 3))
      }
    }
  }

  /// The purge that took the number of another one, before config was restored from a backup.
  @Test func distinguishesTwoPurgesOfANumber() throws {
    var other = ManifestSample.final
    other["record"] = .data(ManifestSample.copy.bytes)
    try scene.write(other, as: .number(3))
    try scene.write(ManifestSample.pending(isLive: true), as: ManifestSample.pendingName)
    let list = try scene.list(3)
    #expect(
      list.purges.count == 2 && list.unfinished.map(\.begun.record) == [ManifestSample.record])
  }

  @Test func readsOldAndNewPurgesInOrder() throws {
    try scene.write(ManifestSample.final, as: .number(3))
    for number in [2, 4] {
      let purge = try scene.begin(number)
      try scene.write(.live, in: purge.folder)
    }
    _ = try scene.begin(1, reason: "Void")
    scene.memory.overwrite(
      scene.key(.number(5)), with: try NoteFormat.numberFile(5).bytes)
    #expect(try scene.list(5).readAll().map(\.begun.number) == [2, 3, 4])
  }

  // MARK: Requests

  @Test func knowsLostSwapsFromTheirNames() throws {
    for number in 0..<20 { _ = try scene.begin(1, reason: "Lost \(number)") }
    let won = try scene.begin(1)
    try scene.write(.live, in: won.folder)
    for number in 0..<20 { _ = try scene.begin(2, after: won, reason: "Killed \(number)") }
    let target = ListedTarget(scene.memory)
    let list = try PurgeList(ChannelPlace(target), live: scene.live(1, naming: won))
    let cost = target.take()
    #expect(cost.lists == 1 && cost.read == [scene.key(.note(.begun, in: won.folder))])
    #expect(list.purges.count == 41 && list.unfinished.count == 1)
  }

  @Test func readsLittleForVoidPurges() throws {
    let first = try scene.begin(1)
    try scene.write(.live, .done(naming: []), in: first.folder)
    for number in 2..<10 { _ = try scene.begin(number, after: first) }
    let last = try scene.begin(10, after: first)
    try scene.write(.live, .done(naming: []), in: last.folder)
    let target = ListedTarget(scene.memory)
    let list = try PurgeList(ChannelPlace(target), live: scene.live(10, naming: last))
    let cost = target.take()
    #expect(cost.lists == 1 && cost.read == [scene.key(.note(.begun, in: last.folder))])
    #expect(list.purges.count { $0.state == .void } == 8)
  }

  @Test func readsEachFinishedPurgeOnce() throws {
    try scene.write(ManifestSample.final, as: .number(3))
    for number in [1, 2, 4] {
      let purge = try scene.begin(number)
      try scene.write(.live, .done(naming: []), in: purge.folder)
    }
    let target = ListedTarget(scene.memory)
    let (place, live) = (ChannelPlace(target), try scene.live(4))
    let list = try PurgeList(place, live: live)
    #expect(target.take().read.isEmpty)
    #expect(try list.readAll().count == 4 && target.take().read.count == 4)
    let next = try PurgeList(place, live: live, after: list)
    #expect(try next.readAll().count == 4 && target.take() == ([], 1))
  }

  // MARK: Work

  @Test func readsTheObjectsOfAPurge() throws {
    let purge = try scene.begin(1, objects: [objects[0]])
    try scene.write(.live, in: purge.folder)
    func removed() throws -> [ReleaseObject] {
      let list = try scene.list(1, naming: purge)
      return try scene.place.objects(of: #require(try list.readAll().first))
    }
    #expect(try removed() == [objects[0]])
    let copies = try [
      scene.writeCopies([objects[0], objects[1]], in: purge.folder),
      scene.writeCopies([objects[2], objects[3]], in: purge.folder),
    ]
    #expect(try Set(removed()) == Set(objects) && removed().count == 4)
    let done = DoneNote(
      issued: ManifestSample.issued, copies: copies, caches: [], without: [], bound: [], urls: [],
      keys: [], kept: [objects[0].digest, objects[3].digest])
    #expect(
      try scene.memory.create(
        scene.key(.note(.done(naming: copies), in: purge.folder)), as: done.file))
    #expect(try Set(removed()) == [objects[1], objects[2]])
  }

  @Test func takesTheNumberAboveAllOthers() throws {
    #expect(try scene.list(5).nextNumber() == 6)
    _ = try scene.begin(7)
    #expect(try scene.list(5).nextNumber() == 8)
    let pending = PurgeFolder(number: 9, of: ManifestSample.record)
    try scene.write(ManifestSample.pending, as: .pendingManifest(pending))
    #expect(try scene.list(5).nextNumber() == 10)
    scene.memory.overwrite(scene.key(.number(11)), with: [])
    #expect(try scene.list(5).nextNumber() == 12)
  }

  @Test func takesTheNumberAboveThatInTheMemoryOfTheMachine() throws {
    let signed = try SignedPlace()
    var place = signed.place()
    place.seen.purge = 6
    #expect(try PurgeList(place, live: nil).nextNumber() == 7)
  }

  // MARK: Foreign and damaged files

  @Test func ignoresNumbersFarAboveThatOfConfig() throws {
    let (near, far) = (1_000_005, 1_000_006)
    for number in [near, far] {
      let purge = try scene.begin(number)
      try scene.write(.live, in: purge.folder)
    }
    let list = try scene.list(5)
    #expect(list.purges.map(\.folder.number) == [near])
    #expect(try list.nextNumber() == far && list.warnings.count == 1)
    // Without config, the first purge has number 1.
    #expect(try PurgeList(scene.place, live: nil).purges.isEmpty)
  }

  /// Otherwise no number would be left for a purge.
  @Test func ignoresTheLastNumberUnlessConfigHasIt() throws {
    let last = SerialNumber.highest
    let purge = try scene.begin(last)
    #expect(try scene.list(last - 5).nextNumber() == last - 4)
    let list = try scene.list(last, naming: purge)
    #expect(list.state(of: purge) == .unfinished && list.warnings.isEmpty)
    #expect(throws: DeliveryError.self) { try list.nextNumber() }
  }

  @Test func warnsOfForeignFilesInOneSentence() throws {
    scene.memory.overwrite("production/purges/a.txt", with: [1])
    #expect(
      try scene.list(0).warnings == [
        "'production/purges/a.txt' at memory is no file of contentc; it was left alone"
      ])
    scene.memory.overwrite("production/purges/b/c/d", with: [1])
    scene.memory.overwrite("production/purges/7.plist.old", with: [1])
    let list = try scene.list(0)
    #expect(
      list.warnings == [
        "'production/purges/7.plist.old' at memory and 2 other files are not of contentc; they were left alone"
      ])
    #expect(list.purges.isEmpty)
  }

  @Test func warnsOfAnUnfinishedPurgeWithoutItsFile() throws {
    let damages: [(PurgeListScene.Begun) throws -> Void] = [
      { scene.memory.remove(scene.key(.note(.begun, in: $0.folder))) },
      { scene.memory.overwrite(scene.key(.note(.begun, in: $0.folder)), with: [1]) },
      { purge in
        let other = try scene.begin(1, reason: "Another")
        let bytes = try #require(scene.memory.read(scene.key(.note(.begun, in: other.folder))))
        scene.memory.overwrite(scene.key(.note(.begun, in: purge.folder)), with: bytes.bytes)
      },
    ]
    for (number, damage) in damages.enumerated() {
      let purge = try scene.begin(1, reason: "Purge \(number)")
      try scene.write(.live, in: purge.folder)
      #expect(try scene.list(1, naming: purge).unfinished.count == 1)
      try damage(purge)
      let list = try scene.list(1, naming: purge)
      #expect(list.unfinished.isEmpty && list.state(of: purge) == .unfinished)
      #expect(
        list.warnings.count == 1
          && list.warnings[0].contains("the remaining steps of purge 1 are unknown"))
      #expect(try list.readAll().isEmpty)
      for key in scene.memory.list(below: "production/purges/").map(\.key) {
        scene.memory.remove(key)
      }
    }
  }

  /// Somebody has copied a purge to another channel, or under another number.
  @Test(arguments: [("qa", 1), ("production", 2)])
  func ignoresACopiedPurge(channel: String, number: Int) throws {
    let purge = try scene.begin(1)
    try scene.write(.live, in: purge.folder)
    let copy = PurgeFolder(number: number, digits: purge.folder.digits)
    for note in [PurgeNote.begun, .live] {
      let key = scene.key(.note(note, in: purge.folder))
      let bytes = try #require(scene.memory.read(key)).bytes
      scene.memory.overwrite(PurgeName.note(note, in: copy).key(in: channel), with: bytes)
    }
    let place = ChannelPlace(scene.memory, channel: channel)
    let list = try PurgeList(place, live: scene.live(2))
    #expect(list.state(of: copy) == .unfinished && list.warnings.count == 1)
    #expect(!list.unfinished.contains { $0.listed.folder == copy })
    #expect(try !list.readAll().contains { $0.listed.folder == copy })
  }

  @Test func refusesFilesOfANewerVersion() throws {
    let members: Members = ["format": 3, "sequence": 3, "record": .data([])]
    let bytes = try PropertyListBytes.binary(.dictionary(members))
    let folder = PurgeFolder(number: 4, of: Digest(of: bytes))
    scene.memory.overwrite(scene.key(.note(.begun, in: folder)), with: bytes)
    try scene.write(.live, in: folder)
    for name in [PurgeName.number(3), ManifestSample.pendingName] {
      try scene.write(members, as: name)
      for number in [2, 4] {
        let list = try scene.list(number)
        #expect(list.unfinished.isEmpty)
        #expect(list.warnings.contains { $0.contains("newer contentc (format 3)") })
        let error = #expect(throws: DeliveryError.self) { try list.readAll() }
        #expect(error?.description.contains("newer contentc (format 3)") == true)
      }
    }
  }

  /// A newer version wrote the purge that config names: an emergency goes on.
  @Test func listsPurgesAlthoughConfigNamesOneOfANewerVersion() throws {
    let bytes = try PropertyListBytes.binary(["format": 3, "sequence": 2])
    let newer = PurgeListScene.Begun(
      folder: PurgeFolder(number: 2, of: Digest(of: bytes)), hash: Digest(of: bytes))
    scene.memory.overwrite(scene.key(.note(.begun, in: newer.folder)), with: bytes)
    let earlier = try scene.begin(1)
    try scene.write(.live, in: earlier.folder)
    let missed = try scene.begin(3)
    try scene.write(.live, in: missed.folder)
    let list = try scene.list(2, naming: newer)
    #expect(
      list.unfinished.map(\.begun.number) == [1] && list.missed.map(\.folder) == [missed.folder])
    #expect(list.state(of: newer) == .unfinished)
    #expect(list.warnings.count == 1 && list.warnings[0].contains("newer contentc (format 3)"))
  }
}
