import TestServers
import Testing

@testable import ContentReleases
@testable import TestDelivery

/// Commands at a store that gives false answers.
///
/// Their reports are true, and the next command at a truthful store succeeds.
@Suite struct LyingStoreTests {
  /// Tries every lie at every call, and then runs the command again at a truthful store.
  ///
  /// For every second call, the store lies at this call only. For each other call, the store lies
  /// from this call on. During a rollout, commands that are tried without one, too, try every third
  /// call. In `make nightly`, and with `CONTENTC_DRILL_ROUNDS=2`, both happen for every call.
  @Test(arguments: LyingDrill.Command.allCases)
  func neverReportsFalseSuccess(command: LyingDrill.Command) throws {
    let drill = try LyingDrill(command)
    let rounds = Drill.count("CONTENTC_DRILL_ROUNDS", usual: 1, nightly: 2)
    var points = 0
    for lie in LyingTarget.Lie.allCases {
      let store = drill.store.copy()
      let honest = LyingTarget(store, before: store, lie, at: .never)
      try drill.perform(ChannelPlace(honest), run: "probe")
      let step = rounds == 1 && command.isTriedTwice ? 3 : 1
      for number in stride(from: 0, to: honest.calls, by: step) {
        let places = [LyingTarget.Place.one(number), .from(number)]
        for place in rounds == 1 ? [places[number % 2]] : places {
          let store = drill.store.copy()
          let lying = LyingTarget(store, before: drill.store, lie, at: place)
          try drill.run(lying, sound: store, "\(command), \(lie) at \(place)")
          points += 1
        }
      }
    }
    print("\(command) at a store that lies: \(points) points tried")
    #expect(points > (command.isTriedTwice ? 4 : 10))
  }

  /// The store takes config, its answer is lost, and a busy publisher follows.
  @Test(
    arguments: LyingDrill.Command.allCases.filter { ![.prune, .pruneInRollout].contains($0) },
    [true, false])
  func reportsTheTruthIfAnotherReleaseFollows(
    command: LyingDrill.Command, isRepeated: Bool
  ) throws {
    let drill = try LyingDrill(command)
    let store = drill.store.copy()
    let lying = ScriptedTarget(
      store, losingAnswerTo: "production/config.plist", isRepeated: isRepeated
    ) {
      try ChannelPlace(store).republish()
    }
    #expect(throws: Never.self) { try drill.perform(ChannelPlace(lying), run: "lied to") }
    #expect(try drill.isDone(ChannelPlace(store)))
    // The command was not repeated.
    #expect(try ChannelPlace(store).live()?.number == (command.isInRollout ? 5 : 4))
  }

  /// An intermediary confirms the write but drops it, and no public address exists to check it.
  @Test(arguments: [
    (LyingDrill.Command.publish, "production/config.", "still shows release 2"),
    (.promote, "production/config.", "still shows release 2"),
    (.rollback, "production/config.", "still shows release 2"),
    (.maintenance, "production/config.", "still shows release 2"),
    (.start, "production/config.", "still shows release 2"),
    (.step, "production/config.", "still shows release 3"),
    (.finish, "production/config.", "still shows release 3"),
    (.abort, "production/config.", "still shows release 3"),
    (.replaceNext, "objects/", "says that it took 'objects/"),
    (.purge, "production/config.", "still shows release 2"),
    (.publish, "production/releases/", "says that it took 'production/releases/3-"),
    (.publish, "objects/", "says that it took 'objects/"),
    (.purge, "production/purges/1-", "says that it took 'production/purges/1-"),
    (
      .purge, "production/purges/1.",
      "says that it took 'production/purges/1.plist', and does not have it"
    ),
    (.purge, "objects/", "says that it took 'objects/"),
    (.purge, "prune/lock", "says that it took 'prune/lock.plist', and does not have it"),
    (.prune, "objects/", "says that it removed"),
    (.prune, "prune/lock", "says that it took 'prune/lock.plist', and does not have it"),
  ])
  func reportsDroppedWrites(command: LyingDrill.Command, beginning: String, message: String)
    throws
  {
    let drill = try LyingDrill(command)
    let store = drill.store.copy()
    let lying = LyingTarget(store, before: drill.store, .droppedWrite, at: .keys(beginning))
    let error = #expect(throws: (any Error).self) {
      try drill.perform(ChannelPlace(lying), run: "lied to")
    }
    #expect(error.map { "\($0)".contains(message) } == true, "\(String(describing: error))")
    // The release number of the failed attempt must not block a purge.
    let purge = try LyingDrill(command.isInRollout ? .purgeOfBothSides : .purge)
    try purge.perform(ChannelPlace(store), run: "purge")
    #expect(try purge.isDone(ChannelPlace(store)))
  }
}
