import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import Testing

@testable import ContentClient

/// States of several processes, merged while one of them has the lock.
@Suite struct MergingTests {
  private func state(_ change: (inout StoredState) -> Void) -> StoredState {
    var state = StoredState(url: "https://shop.example", app: "shop", channel: "production")
    state.token = ChangeToken(storage: "s", number: 1)
    change(&state)
    return state
  }

  private func moment(_ seconds: Double, boot: String = "b") -> Moment {
    Moment(
      now: Instant(secondsSince1970: 1_800_000_000), uptime: Uptime(boot: boot, seconds: seconds))
  }

  private func config(release: Int, app: String = "shop", minimumRelease: Int = 0) throws
    -> [UInt8]
  {
    try PropertyList.encode(
      [
        "format": 1, "app": .string(app), "channel": "production",
        "release": .integer(Int64(release)),
        "purge": ["sequence": 1, "minimumRelease": .integer(Int64(minimumRelease))],
      ], as: .binary)
  }

  @Test func keepsTheHigherOfTwoStates() throws {
    let rose = try #require(EntryID("product/rose"))
    var own = state {
      ($0.lastCheck, $0.retryAfter) = (moment(50), moment(90))
      ($0.purgeSequence, $0.minimumRelease, $0.highestRelease) = (2, 1, 7)
      $0.hidden = [.init(entry: rose, below: 7)]
    }
    let other = state {
      ($0.lastCheck, $0.retryAfter) = (moment(60), moment(80))
      ($0.purgeSequence, $0.minimumRelease, $0.highestRelease) = (1, 3, 6)
      $0.hidden = [.init(entry: rose, below: 5)]
    }
    own.merge(other, at: moment(100))
    #expect(own.lastCheck == moment(60) && own.retryAfter == moment(90))
    #expect(own.purgeSequence == 2 && own.minimumRelease == 3 && own.highestRelease == 7)
    #expect(own.hidden == [.init(entry: rose, below: 7)])
  }

  /// The system was started again: only the other process has checked since.
  @Test func keepsTheCheckOfThisStartOfTheSystem() {
    var own = state { $0.lastCheck = moment(5_000, boot: "before") }
    own.merge(state { $0.lastCheck = moment(10) }, at: moment(20))
    #expect(own.lastCheck == moment(10))
  }

  @Test func keepsTheReleaseAndEndsTheTrialOfTheOtherProcess() throws {
    let reader = ReaderContext(locales: ["en"])
    let shown = StoredState.Shown(config: [1], release: 4, generation: 0, reader: reader)
    var own = state {
      ($0.shown, $0.trial) = (shown, .init(release: 4, starts: 1))
    }
    own.merge(state { $0.shown = shown }, at: moment(1))
    #expect(own.trial == nil)
    let newer = StoredState.Shown(config: [2], release: 5, generation: 0, reader: reader)
    own.merge(
      state { ($0.shown, $0.token) = (newer, .init(storage: "s", number: 2)) }, at: moment(1))
    #expect(own.shown?.release == 5 && own.token.number == 2)
    own.merge(state { $0.shown = shown }, at: moment(1))
    #expect(own.shown?.release == 5 && own.token.number == 2)
  }

  @Test func checksTheConfigOfTheOtherProcess() throws {
    let good = try config(release: 4)
    var own = state { ($0.config, $0.entityTag, $0.highestRelease) = (good, "\"own\"", 4) }
    for bad in [
      try config(release: 5, app: "other"), try config(release: 6, minimumRelease: 7), [0],
      // Another config of the same release.
      try config(release: 4, minimumRelease: 1), try config(release: 3),
    ] {
      own.merge(
        state { ($0.config, $0.entityTag, $0.highestRelease) = (bad, "\"other\"", 6) },
        at: moment(1))
      #expect(own.config == good && own.entityTag == "\"own\"")
      own.highestRelease = 4
    }
    let newer = try config(release: 5)
    own.merge(
      state { ($0.config, $0.entityTag, $0.highestRelease) = (newer, "\"other\"", 5) },
      at: moment(1))
    #expect(own.config == newer && own.entityTag == "\"other\"")
  }

  /// A process that has not seen the later release does not bring the avoidance back.
  @Test(arguments: [0, 1]) func aLaterReleaseGivesAvoidedContentAnotherTrial(generation: Int)
    throws
  {
    let content = try SiteConfig(config(release: 3)).content
    let later = StoredState.Shown(
      config: try config(release: 4), release: 4, generation: 0,
      reader: ReaderContext(locales: ["en"]))
    let former = state {
      ($0.generation, $0.avoided) = (generation, .init(release: 3, content: content))
    }
    let current = state {
      ($0.generation, $0.avoided) = (generation, .init(release: 3))
      ($0.shown, $0.token) = (later, .init(storage: "s", number: 2))
    }
    var (first, second) = (former, current)
    first.merge(current, at: moment(1))
    second.merge(former, at: moment(1))
    #expect(first.shown?.release == 4 && second.shown?.release == 4)
    // Numbers of different generations are not comparable.
    #expect(first.avoided?.content == (generation == 0 ? nil : content))
    #expect(second.avoided?.content == nil)
  }

  @Test func keepsTheRolloutThatEitherProcessLeft() throws {
    let bytes = try PropertyList.encode(
      [
        "format": 1, "app": "shop", "channel": "production", "release": 4,
        "next": ["name": "summer", "below": 1, "release": 4],
      ], as: .binary)
    let (former, current) = (
      state { ($0.config, $0.leftRollout) = (bytes, "spring") },
      state { ($0.config, $0.leftRollout) = (bytes, "summer") }
    )
    for (own, other, name) in [
      (former, current, "summer"), (current, former, "summer"),
      (former, state { _ in }, "spring"), (state { _ in }, former, "spring"),
    ] {
      var merged = own
      merged.merge(other, at: moment(1))
      #expect(merged.leftRollout.hasSameBytes(as: name))
    }
    // A later generation may have another rollout of the same name.
    let later = state { $0.generation = 1 }
    for (own, other) in [(former, later), (later, former)] {
      var merged = own
      merged.merge(other, at: moment(1))
      #expect(merged.generation == 1 && merged.leftRollout == nil)
    }
  }

  @Test func recordsSwitchesOneAfterTheOther() throws {
    let storage = MemoryStorage()
    let reader = ReaderContext(locales: ["en"])
    let stale = state { _ in }
    let scene = try ClientScene()
    func record(_ release: Int) throws -> StoredState? {
      try storage.update(stale, at: scene.clock.moment, isDurable: false) { state in
        state.record(
          ContentSwitch(
            shown: .init(config: [UInt8(release)], release: release, generation: 0, reader: reader),
            since: stale.token, bundles: [:]))
      }
    }
    #expect(try record(2)?.token.number == 2)
    #expect(try record(3)?.token.number == 3)
    // The second one did not know the first one, so it does not know what changed since then.
    #expect(storage.journal().switches.map(\.number) == [2, 3])
    #expect(storage.journal().switches.map { $0.bundles == nil } == [false, true])
    #expect(try record(2)?.token.number == 3, "a newer release is shown")
  }
}
