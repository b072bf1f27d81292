import ContentModel
import Synchronization
import System
import TestReaders
import TestServers
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The order in which a command begins a purge and finishes it and earlier ones.
@Suite struct PurgeSessionTests {
  private let place = ChannelPlace(MemoryTarget())
  private let purge: Purge
  private let rose: PurgeOrder
  private let lily = PurgeOrder(.entries(["product/lily"]), reason: "Another word")

  /// Leaves the purge of an entry unfinished.
  init() throws {
    try Shop().publish(to: place)
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
    purge = Purge(withoutCachesAt: place, environment: SimulatedClock().environment)
    var rose = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    rose.commandWords = ["product/rose"]
    self.rose = rose
    _ = try purge.begin(
      rose, after: try #require(try place.live()), through: place.publisher(run: "purge"))
  }

  /// Runs a session that begins a purge with a closure, and returns the names of its steps.
  private func run(
    commandWords: [String] = [],
    beginning begin: (LiveRelease, @escaping Purge.Watch) throws -> KnownPurge?
  ) throws -> (session: PurgeSession, steps: [String]) {
    let live = try #require(try place.live())
    var steps: [String] = []
    let watch: Purge.Watch = { event in
      switch event.step {
      case .resuming(let purge): steps.append("resuming \(purge.begun.number)")
      case .notBegun(let error): steps.append("not begun: \(error)")
      case .published(let release): steps.append("published \(release)")
      case .recorded: steps.append("recorded")
      default: break
      }
    }
    let session = purge.beginAndFinishAll(
      in: try PurgeList(place, live: live), live: live, commandWords: commandWords, watch: watch
    ) { _, live in try begin(live, watch) }
    return (session, steps)
  }

  /// The words of a purge contain the name of the purged field.
  @Test func aPurgeIsNotResumedByWordsThatAreOnlyCanonicallyEquivalent() throws {
    var order = lily
    order.commandWords = ["product/lily", "--field", "caf\u{E9}"]
    let live = try #require(try place.live())
    let begun = try purge.begin(order, after: live, through: place.publisher(run: "second"))
    #expect(begun.begun.isOf(order.commandWords))
    #expect(!begun.begun.isOf(["product/lily", "--field", "cafe\u{301}"]))
    #expect(!begun.begun.isOf(["product/lily", "--field"]))
  }

  @Test func beginsTheNewPurgeBeforeItFinishesEarlierOnes() throws {
    let (session, steps) = try run { live, watch in
      try purge.begin(lily, after: live, through: place.publisher(run: "second"), watch: watch)
    }
    #expect(steps == ["published 4", "resuming 1", "recorded", "recorded"])
    #expect(session.outcomes.map(\.begun.number) == [1, 2])
    #expect(session.outcomes.allSatisfy(\.isRecorded) && session.error == nil)
  }

  @Test func finishesEarlierPurgesIfTheNewOneCannotBegin() throws {
    let refusal = DeliveryError(.unknown, "no such entry")
    let (session, steps) = try run { _, _ in throw refusal }
    #expect(steps == ["not begun: no such entry", "resuming 1", "recorded"])
    #expect(session.outcomes.map(\.isRecorded) == [true])
    #expect(session.error as? DeliveryError == refusal)
  }

  @Test func beginsNoPurgeThatIsUnfinishedInTheSameWords() throws {
    let live = try #require(try place.live())
    let (list, planner) = (
      try PurgeList(place, live: live), try PurgePlanner(place, live: live)
    )
    #expect(try list.planUnlessRepeated(rose, by: planner) == nil)
    #expect(try list.planUnlessRepeated(lily, by: planner) != nil)
    let (_, steps) = try run(commandWords: rose.commandWords) { _, _ in nil }
    #expect(steps == ["resuming 1", "recorded"])
  }

  /// Returns the content that readers see of the unfinished purge.
  private func shownContent(named ids: [String] = []) throws -> PurgeList.ShownContent {
    let live = try #require(try place.live())
    let list = try PurgeList(place, live: live)
    return try list.shownContent(
      of: #require(list.unfinished.last), named: ids, in: live)
  }

  @Test func asksIfAnotherFormIsShown() throws {
    #expect(try shownContent() == .nothing)
    try Shop([
      "entries/product/rose.yaml": "title: Correction\n",
      "entries/product/rose.fr.yaml": "title: Correction française\n",
    ]).publish(to: place)
    #expect(try shownContent() == .changed(ids: ["product/rose"]))
    #expect(try plan(rose) == nil)
    // Another entry that the words name today.
    #expect(
      try shownContent(named: ["product/lily"]) == .changed(ids: ["product/lily", "product/rose"]))
  }

  /// The catalog has only the title, so it shows the form that the purge removed.
  @Test func asksIfOnlySomeBundlesShowACorrection() throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\ncare: Cold.\nprice: 1\n"])
      .publish(to: place)
    #expect(try shownContent() == .changed(ids: ["product/rose"]))
    #expect(try plan(rose) == nil)
  }

  /// Releases since the purge that show nothing of it need no answer.
  @Test func finishesOnlyIfOtherContentWasPublished() throws {
    try place.republish()
    #expect(try shownContent() == .nothing && plan(rose) == nil)
    try place.purge(lily)
    #expect(try shownContent() == .nothing && plan(rose) == nil)
  }

  @Test func purgesTheSameFormAgainWithoutAsking() throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(
      to: place, unpurged: ["all"])
    #expect(try shownContent() == .purged)
    let live = try #require(try place.live())
    let begun = try purge.beginIfNeeded(
      rose, in: try PurgeList(place, live: live), after: live,
      through: place.publisher(run: "second"))
    #expect(begun?.begun.number == 2)
    #expect(try place.shown("product/rose") == [:])
    // A repetition finishes both.
    #expect(try shownContent() == .nothing && plan(rose) == nil)
  }

  /// What readers keep or get instead is in the note `begun`.
  @Test(arguments: ["locale", "field", "restore", "replace"])
  func knowsWhatItLeftToReaders(kind: String) throws {
    var order = PurgeOrder(.entries(["product/lily", "product/iris"]), reason: "A word")
    order.commandWords = [kind]
    switch kind {
    case "locale": order.locales = ["fr"]
    case "field": order.fields = [try #require(ContentPath("title"))]
    case "restore": (order.subject, order.remedy) = (.entries(["product/iris"]), .restoration)
    default: order.remedy = .replacement([("title", "Better")])
    }
    if kind == "restore" {
      for title in ["Good", "Bad"] {
        try Shop(["entries/product/iris.yaml": "title: \(title)\n"]).publish(
          to: place, unpurged: ["all"])
      }
    }
    _ = try purge.begin(
      order, after: try #require(try place.live()), through: place.publisher(run: "second"))
    try place.republish()
    #expect(try shownContent() == .nothing)
    #expect(try plan(order) == nil && place.isDone(order))
  }

  /// Plans an order by the rules of the command.
  private func plan(_ order: PurgeOrder) throws -> PurgePlan? {
    let live = try #require(try place.live())
    return try PurgeList(place, live: live).planUnlessRepeated(
      order, by: PurgePlanner(place, live: live))
  }

  /// The first purge cannot be finished, and the entry returns by a later purge or a publication.
  @Test(arguments: [false, true])
  func beginsANewPurgeOfAReturnedEntryOnRequest(byPurge: Bool) throws {
    if byPurge {
      var back = PurgeOrder(.entries(["product/rose"]), remedy: .restoration, reason: "It was good")
      back.commandWords = ["product/rose", "--restore"]
      _ = try purge.begin(
        back, after: try #require(try place.live()), through: place.publisher(run: "second"))
    } else {
      let french = ["entries/product/rose.fr.yaml": "title: Une rose\n"]
      try Shop(french).publish(to: place, unpurged: ["all"])
    }
    #expect(try place.shown("product/rose")["en"] == "Rose")
    #expect(try plan(rose) == nil)
    var again = rose
    again.includesLater = true
    let live = try #require(try place.live())
    _ = try purge.beginIfNeeded(
      again, in: try PurgeList(place, live: live), after: live,
      through: place.publisher(run: "third"))
    #expect(try place.shown("product/rose") == [:])
  }

  /// A command reads the unfinished purge, which another one then finishes; a bad release followed.
  @Test func beginsANewPurgeIfTheUnfinishedOneWasFinishedMeanwhile() throws {
    let left = try #require(try PurgeList(place, live: place.live()).unfinished.first)
    try Shop().publish(to: place, unpurged: ["all"])
    var calls = 0
    let (session, steps) = try run(commandWords: rose.commandWords) { live, watch in
      calls += 1
      if calls == 1 {
        #expect(purge.finish(left, live: live, watch: { _ in }).isRecorded)
        return nil
      }
      return try purge.beginIfNeeded(
        rose, in: try PurgeList(place, live: live), after: live,
        through: place.publisher(run: "second"), watch: watch)
    }
    #expect(steps == ["published 5", "recorded"] && session.error == nil)
    #expect(try place.shown("product/rose") == [:])
  }

  /// Only the user knows whether a later release is the correction.
  @Test func purgesALaterReleaseOnlyOnRequest() throws {
    try Shop([
      "entries/product/rose.yaml": "title: Another insult\n",
      "entries/product/rose.fr.yaml": "title: Une autre insulte\n",
    ]).publish(to: place)
    #expect(try plan(rose) == nil)
    var again = rose
    again.includesLater = true
    let live = try #require(try place.live())
    let begun = try purge.beginIfNeeded(
      again, in: try PurgeList(place, live: live), after: live,
      through: place.publisher(run: "second"))
    #expect(begun != nil)
    #expect(try place.shown("product/rose") == [:])
    // A repetition continues.
    #expect(try plan(again) == nil && plan(rose) == nil)
  }

  // MARK: Other commands

  /// A channel that shows the bad entry, as a command reads it before its purge.
  private struct Scene {
    let place: ChannelPlace
    let purge: Purge
    let live: LiveRelease
    let list: PurgeList

    init(_ target: any Target = MemoryTarget(), clock: SimulatedClock = SimulatedClock()) throws {
      place = ChannelPlace(target)
      purge = Purge(withoutCachesAt: place, environment: clock.environment)
      try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
      live = try #require(try place.live())
      list = try PurgeList(place, live: live)
    }

    func session(
      of order: PurgeOrder, watch: @escaping Purge.Watch = { _ in },
      beginning begin: () throws -> KnownPurge?
    ) -> PurgeSession {
      purge.beginAndFinishAll(
        in: list, live: live, commandWords: order.commandWords, watch: watch
      ) { _, _ in try begin() }
    }

    func begin(_ order: PurgeOrder, watch: @escaping Purge.Watch = { _ in }) throws
      -> KnownPurge?
    {
      try purge.beginIfNeeded(
        order, in: list, after: live, through: place.publisher(run: "purge"), watch: watch)
    }
  }

  /// Both commands have read the same state; the other one is killed after its swap.
  ///
  /// A command that names the entries in other words finds none of them in the other's release.
  @Test(arguments: [true, false])
  func finishesAPurgeThatAnotherCommandBeganMeanwhile(inTheSameWords: Bool) throws {
    let scene = try Scene()
    let session = scene.session(of: rose) {
      _ = try scene.purge.begin(
        rose, after: scene.live, through: scene.place.publisher(run: "other"))
      return inTheSameWords ? try scene.begin(rose) : nil
    }
    #expect(session.outcomes.map(\.isRecorded) == [true] && session.error == nil)
    #expect(try scene.place.live()?.number == 2)
    #expect(try scene.place.files(holding: "Swear word") == [])
  }

  @Test func failsIfThePurgesCannotBeListedAgain() throws {
    let scene = try Scene()
    let session = scene.session(of: rose) {
      try scene.place.target.remove("production/config.plist")
      return nil
    }
    #expect(session.outcomes.isEmpty && (session.error as? DeliveryError)?.kind == .lost)
  }

  /// A bucket takes config, its answer is lost, and a busy publisher follows.
  @Test(arguments: [true, false])
  func finishesItsPurgeAfterALostAnswerAndAnotherRelease(isRepeated: Bool) throws {
    let memory = MemoryTarget()
    let publishings = Counter()
    let target = ScriptedTarget(memory) { write, work throws(TargetError) in
      let isDone = try work()
      guard write.key == "production/config.plist", publishings.next() == 2 else { return isDone }
      do { try ChannelPlace(memory).republish() } catch { throw TargetError(.failed, "\(error)") }
      if isRepeated { return false }
      throw TargetError(.unreachable, "no answer")
    }
    let scene = try Scene(target)
    let session = scene.session(of: rose) { try scene.begin(rose) }
    #expect(session.outcomes.map(\.isRecorded) == [true] && session.error == nil)
    #expect(try scene.place.live()?.number == 3)
    #expect(try scene.place.files(holding: "Swear word") == [])
  }

  /// A purge in the same words was killed before its swap, and a foreign file has the name of one.
  @Test func leavesTheFilesOfOtherPurgesInPlace() throws {
    let memory = MemoryTarget()
    let place = ChannelPlace(memory)
    try Shop(["entries/product/lily.yaml": "title: Swear word\n"]).publish(to: place)
    #expect(try place.purge(lily).isRecorded)
    let junk = "production/purges/2-0123456789abcdef.plist"
    #expect(memory.create(junk, as: OutgoingFile(bytes: Array("junk".utf8))))
    let removed = Mutex<[String]>([])
    let scene = try Scene(
      ScriptedTarget(memory) { write, work throws(TargetError) in
        if case .remove(let key) = write { removed.withLock { $0.append(key) } }
        return try work()
      })
    var begun = Begun(3, because: "A swear word", by: nil, after: scene.live, at: scene.place)
    (begun.release, begun.commandWords) = (scene.live.number + 1, rose.commandWords)
    #expect(try scene.place.take(3))
    let void = try scene.place.write(begun).listed.folder
    let finished = try place.purgeNames()
    let list = try PurgeList(scene.place, live: scene.live)
    #expect(list.unfinished.isEmpty && list.warnings.count == 1)
    let session = scene.purge.beginAndFinishAll(
      in: list, live: scene.live, commandWords: rose.commandWords, watch: { _ in }
    ) { list, live in
      try scene.purge.beginIfNeeded(
        rose, in: list, after: live, through: scene.place.publisher(run: "purge"))
    }
    #expect(session.outcomes.map(\.begun.number) == [4] && session.error == nil)
    #expect(session.outcomes.map(\.failures) == [[]])
    #expect(removed.withLock { $0.contains { $0.hasPrefix("objects/") } })
    #expect(removed.withLock { !$0.contains { $0.contains("/purges/") } })
    #expect(try Set(place.purgeNames()).isSuperset(of: finished) && memory.read(junk) != nil)
    #expect(try scene.place.notes(of: void) == [.begun])
    #expect(try PurgeList(place, live: place.live()).unfinished.isEmpty)
  }
}
