import ContentModel
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The purges that a config does not follow, as after it was restored from a backup.
@Suite struct RestoredConfigRuleTests {
  private let scene: PurgeListScene

  init() throws { scene = try PurgeListScene() }

  /// Writes the notes of a purge that was live.
  private func live(
    _ number: Int, after previous: PurgeListScene.Begun? = nil, reason: String = "A swear word"
  ) throws -> PurgeListScene.Begun {
    let begun = try scene.begin(number, after: previous, reason: reason)
    try scene.write(.live, in: begun.folder)
    return begun
  }

  /// Returns the numbers of the missed purges; `nil` if config is no restored one.
  private func missed(_ list: PurgeList) throws -> [Int]? {
    try RestoredConfig(list)?.value["missedPurges"]?.items?.compactMap(\.number)
  }

  @Test func followsThePurgeThatItNames() throws {
    let first = try live(1)
    let second = try live(2, after: first)
    #expect(try missed(scene.list(2, naming: second)) == nil)
    #expect(try scene.list(2, naming: second).unfinished.map(\.begun.number) == [1, 2])
  }

  @Test func missesLivePurgesAboveItsNumber() throws {
    let first = try live(1)
    let second = try live(2, after: first)
    let list = try scene.list(1, naming: first)
    #expect(try missed(list) == [2] && list.missed.map(\.folder) == [second.folder])
    #expect(list.unfinished.map(\.begun.number) == [1])
    #expect(list.missedUnfinished.map(\.begun.number) == [2])
    #expect(try missed(scene.list(0)) == [1, 2])
    try scene.write(.done(naming: []), in: second.folder)
    #expect(try missed(scene.list(1, naming: first)) == [2])
    #expect(try scene.list(1, naming: first).missedUnfinished.isEmpty)
  }

  /// At a store without conditions, another purge replaced the config of a faster one.
  @Test func missesAnotherLivePurgeOfItsNumber() throws {
    let (faster, purge) = (try live(1, reason: "Faster"), try live(1))
    let list = try scene.list(1, naming: purge)
    #expect(try missed(list) == [1] && list.missed.map(\.folder) == [faster.folder])
    #expect(list.unfinished.map(\.begun.reason) == ["A swear word"])
    #expect(list.missedUnfinished.map(\.begun.reason) == ["Faster"])
  }

  /// Such a purge keeps the state: the one between it and config's earlier number stays missed.
  @Test func missesNoPurgeSinceTheRestoration() throws {
    let first = try live(1)
    _ = try live(2, after: first)
    let third = try live(3, after: first)
    #expect(try missed(scene.list(3, naming: third, missedAfter: 1)) == [2])
    let fourth = try live(4, after: third)
    let list = try scene.list(4, naming: fourth, missedAfter: 1)
    #expect(try missed(list) == [2] && list.unfinished.map(\.begun.number) == [1, 3, 4])
    // The state has ended, so the second purge can be finished, too.
    let ended = try scene.list(4, naming: fourth)
    #expect(try missed(ended) == nil && ended.unfinished.map(\.begun.number) == [1, 2, 3, 4])
  }

  @Test func missesTheFirstPurgeAfterARestorationToABackupWithoutPurges() throws {
    _ = try live(1)
    let second = try live(2)
    #expect(try missed(scene.list(2, naming: second, missedAfter: 0)) == [1])
  }

  /// Only `publish --above` ends the state, even if the notes of the missed purges are gone.
  @Test func staysRestoredUntilConfigSaysOtherwise() throws {
    let purge = try live(2)
    let restored = try #require(try RestoredConfig(scene.list(2, naming: purge, missedAfter: 0)))
    #expect(restored.value == ["missedPurges": [], "above": 1])
    #expect(restored.sentence.contains("was restored from a backup, and only emergencies"))
  }

  /// A number more than a million above the last one is not that of a release.
  @Test(arguments: [0, 1, 2, 1_000_001, 1_000_002, 1 << 53])
  func aMachineKnowsThatConfigIsOlder(than release: Int) throws {
    var list = try scene.list(1)
    var place = list.place
    place.seen.release = release
    list = try PurgeList(place, live: list.live)
    let isRestored = (2...1_000_001).contains(release)
    #expect(try RestoredConfig(list)?.highestRelease == (isRestored ? release : nil))
  }

  @Test func theLastPurgeThatAMachineSawIsKnown() throws {
    let first = try live(1)
    for (purge, isLacking) in [(0, false), (1, false), (2, true)] {
      var place = try scene.list(1, naming: first).place
      place.seen.purge = purge
      let list = try PurgeList(place, live: scene.list(1, naming: first).live)
      #expect(list.lacksLastPurge == isLacking, "\(purge)")
    }
  }

  @Test func voidPurgesCountForNothing() throws {
    let void = try scene.begin(2)
    _ = try scene.writeCopies([], in: void.folder)
    #expect(try missed(scene.list(1)) == nil)
    try scene.write(.live, in: void.folder)
    #expect(try missed(scene.list(1)) == [2])
  }

  @Test func numbersOutOfReachCountForNothing() throws {
    _ = try live(1_000_002)
    #expect(try missed(scene.list(1)) == nil)
    _ = try live(1_000_001)
    #expect(try missed(scene.list(1)) == [1_000_001])
  }

  /// A number beyond the lead is not that of a release: apps would accept none above it.
  @Test func releasesOutOfReachCountForNothing() throws {
    for (release, above) in [(1_000_002, 1), (1_000_001, 1_000_001)] {
      var manifest = ManifestSample.final
      manifest["release"] = .integer(Int64(release))
      try scene.write(manifest, as: .number(3))
      let restored = try #require(try RestoredConfig(scene.list(2)))
      #expect(restored.value == ["missedPurges": [3], "above": .integer(Int64(above))])
    }
  }

  // MARK: Configs and manifests of format 1

  /// contentc with format 1 keeps the number, and leaves out the hash of the purge.
  @Test func judgesAConfigThatNamesNoPurgeByItsNumber() throws {
    let record = try scene.publish("A purge")
    _ = try scene.begin(1, release: record)
    let first = try scene.list(1)
    #expect(try missed(first) == nil && first.unfinished.map(\.begun.number) == [1])
    // Nothing tells which purge of the number config follows.
    _ = try live(1, reason: "Another")
    #expect(try missed(scene.list(1)) == nil)
    let second = try live(2)
    #expect(
      try missed(scene.list(1)) == [2] && scene.list(1).missed.map(\.folder) == [second.folder])
    #expect(try missed(scene.list(2)) == nil)
  }

  @Test func missesManifestsAboveItsNumber() throws {
    for (manifest, name) in [
      (ManifestSample.pending(isLive: true), ManifestSample.pendingName),
      (ManifestSample.final, .number(3)),
    ] {
      try scene.write(manifest, as: name)
      let restored = try #require(try RestoredConfig(scene.list(2)))
      #expect(restored.value == ["missedPurges": [3], "above": 7])
      #expect(restored.sentence.contains("older than purge 3 (release 7)"))
      #expect(try missed(scene.list(3)) == nil)
      scene.memory.remove(scene.key(name))
    }
    try scene.write(ManifestSample.pending, as: ManifestSample.pendingName)
    #expect(try missed(scene.list(2)) == nil)
  }

  // MARK: Missing files

  @Test func missesEveryPurgeWithoutConfig() throws {
    _ = try live(1)
    _ = try scene.begin(2)
    scene.memory.remove("production/config.plist")
    let restored = try #require(try RestoredConfig(PurgeList(scene.place, live: nil)))
    #expect(restored.value == ["missedPurges": [1], "above": 1])
    #expect(restored.sentence.contains("is gone, after purge 1 (release 1)"))
  }

  /// The note `live` alone shows that readers got config with a later purge.
  @Test func missesAPurgeWhoseWorkIsUnreadable() throws {
    let purge = try live(2)
    scene.memory.overwrite(scene.key(.note(.begun, in: purge.folder)), with: [1])
    let list = try scene.list(1)
    #expect(try missed(list) == [] && list.missed.map(\.folder) == [purge.folder])
    #expect(list.missedUnfinished.isEmpty && list.warnings.count == 1)
  }
}
