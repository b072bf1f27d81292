import ContentModel
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
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
    purge = Purge(withoutCachesAt: place, surroundings: SimulatedClock().surroundings)
    var rose = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    rose.asked = ["product/rose"]
    self.rose = rose
    _ = try purge.begin(
      rose, after: try #require(try place.live()), through: place.publisher(run: "purge"))
  }

  /// Runs a session that begins a purge with a closure, and returns the names of its steps.
  private func run(
    asked: [String] = [],
    beginning begin: (LiveRelease, @escaping Purge.Watch) throws -> PurgeManifest?
  ) throws -> (session: PurgeSession, steps: [String]) {
    let live = try #require(try place.live())
    var steps: [String] = []
    let watch: Purge.Watch = { event in
      switch event.step {
      case .resuming(let manifest): steps.append("resuming \(manifest.sequence)")
      case .notBegun(let error): steps.append("not begun: \(error)")
      case .published(let release): steps.append("published \(release)")
      case .recorded: steps.append("recorded")
      default: break
      }
    }
    let session = purge.finishAll(
      in: try PurgeLedger(place, live: live), live: live, asked: asked, watch: watch
    ) { try begin(live, watch) }
    return (session, steps)
  }

  @Test func beginsTheNewPurgeBeforeItFinishesEarlierOnes() throws {
    let (session, steps) = try run { live, watch in
      try purge.begin(lily, after: live, through: place.publisher(run: "second"), watch: watch)
    }
    #expect(steps == ["published 4", "resuming 1", "recorded", "recorded"])
    #expect(session.outcomes.map(\.manifest.sequence) == [1, 2])
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
    #expect(try PurgeLedger(place, live: live).covers(rose, live: live))
    #expect(try !PurgeLedger(place, live: live).covers(lily, live: live))
    let (session, steps) = try run(asked: rose.asked) { _, _ in nil }
    #expect(steps == ["resuming 1", "recorded"])
    #expect(session.overtaken == nil)
  }

  @Test func namesTheUnfinishedPurgeAfterWhichAReleaseWasPublished() throws {
    try Shop([
      "entries/product/rose.yaml": "title: Correction\n",
      "entries/product/rose.fr.yaml": "title: Correction française\n",
    ]).publish(to: place)
    let (session, steps) = try run(asked: rose.asked) { _, _ in nil }
    #expect(steps == ["resuming 1", "recorded"])
    #expect(session.overtaken?.sequence == 1)
  }
}
