import PropertyLists
import ContentModel
import HTTPTransport
import TestReaders
import Testing
@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets

/// Ends purges at every step, in every way, and looks what readers get, and whether the same again
/// finishes it: for any target.
struct PurgeDrill {
  static let bad = "Swear word"
  static let key = "production/purges/1.plist"
  /// The same shop with fewer readers, for targets that take their time.
  static let few = [
    "content.yaml": """
    app: shop
    sourceLocale: en
    locales: [en, fr]
    bundles:
      catalog: {include: product/*}
      product: {include: product/iris, split: entry}
    """,
    "entries/screen/home.yaml": "products: []\nhero: product/iris\n",
  ]

  /// A fresh, empty target for each try.
  let makeTarget: () throws -> any Target
  private let older: ReleaseContent
  private let live: ReleaseContent
  private let order: PurgeOrder

  init(files: [String: String] = [:], makeTarget: @escaping () throws -> any Target) throws {
    self.makeTarget = makeTarget
    let bad = files.merging(["entries/product/rose.yaml": "title: \(Self.bad)\ncare: Water it.\n"])
    { $1 }
    older = try Shop(bad.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 }).content()
    live = try Shop(bad).content()
    var order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    order.asked = ["product/rose"]
    self.order = order
  }

  /// How a run is to fail: at a write, after so many calls, or at a cache.
  struct Case {
    var write: (fault: FaultyTarget.Fault, number: Int)?
    var lastCall = Int.max
    /// How often the target can be read.
    var lastRead = Int.max
    var caches = CacheRow.Fault.none

    var situation: Comment {
      "\(write.map { "\($0.fault) at write \($0.number)" } ?? "") \(lastCall == .max ? "" : "killed after \(lastCall)") \(lastRead == .max ? "" : "blind after \(lastRead)") \(caches)"
    }
  }

  /// How many writes and calls a purge takes.
  func measure() throws -> (writes: Int, calls: Int, events: [CacheRow.Event]) {
    let scene = try Scene(self)
    let mortal = MortalTarget(scene.target, scene.row)
    let faulty = FaultyTarget(mortal, .refused, at: .max)
    let outcomes = try purge(faulty, mortal, run: "first")
    #expect(outcomes.map(\.failures) == [[]])
    return (faulty.writes, mortal.calls, scene.row.events)
  }

  /// Fails so, looks, repairs what was wrong, and does it again.
  func run(_ test: Case) throws {
    let scene = try Scene(self)
    scene.row.set(test.caches)
    let mortal = MortalTarget(scene.target, scene.row, last: test.lastCall, lastRead: test.lastRead)
    let faulty = test.write.map { FaultyTarget(mortal, $0.fault, at: $0.number) }
    var scenes = scene
    let outcomes = Result { try purge(faulty ?? mortal, mortal, run: "first") }
    try scenes.expectWhole(test)
    try expectTruth(of: outcomes, scene, test)
    scene.row.set(.none)
    let sound = MortalTarget(scene.target, scene.row)
    let again = try purge(sound, sound, run: "again")
    #expect(again.flatMap(\.failures) == [], test.situation)
    if case .success(let first) = outcomes, first.allSatisfy(\.isRecorded) {
      #expect(again.isEmpty, test.situation)
    }
    try scenes.expectGone(test)
  }

  /// What the command does.
  private func purge(_ target: any Target, _ mortal: MortalTarget, run: String) throws -> [Purge
    .Outcome]
  {
    let place = ChannelPlace(target)
    let surroundings = SimulatedClock().surroundings
    let send: CachePurge.Send = { request throws(HTTPFailure) in try mortal.send(request) }
    let purge = Purge(
      place, caches: CachePurge(CacheRow.caches, send: send, surroundings: surroundings),
      site: PublicSite(CacheRow.site, send: send, surroundings: surroundings),
      times: Purge.Times(originTimeout: 30, app: 600, origin: 0, offline: 3_600),
      surroundings: surroundings)
    let live = try #require(try place.live())
    let ledger = try PurgeLedger(place, live: live)
    try purge.sweep(ledger)
    let finished = ledger.unfinished.map { purge.finish($0, live: live, watch: { _ in }) }
    if try ledger.done(order.asked, live: live, place) != nil { return finished }
    let plan = try PurgePlanner(place, live).plan(order)
    let manifest = try purge.begin(
      order, plan, after: live, place.publisher(run: run), watch: { _ in })
    return finished + [
      purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    ]
  }

  /// What is said to be done is done, and what is not said is not.
  private func expectTruth(
    of outcomes: Result<[Purge.Outcome], any Error>, _ scene: Scene, _ test: Case
  ) throws {
    // What was published in part may be removed and sent again: only what readers had counts.
    let shown = Set((older.objects + live.objects).map { CacheRow.Event.removed(key: $0.key) })
    let removals = scene.row.events.firstIndex(where: shown.contains)
    let fresh = scene.row.events.firstIndex(of: .saw(release: 3))
    if let removals { #expect(fresh.map { $0 < removals } == true, test.situation) }
    guard case .success(let all) = outcomes else { return #expect(removals == nil, test.situation) }
    let outcome = try #require(all.last)
    #expect(outcome.isRecorded == outcome.failures.isEmpty, test.situation)
    if outcome.isRecorded {
      #expect(try scene.target.list(below: Self.key).count == 1, test.situation)
    }
    if outcome.freshSeconds != nil { #expect(fresh != nil, test.situation) }
    let left = try outcome.manifest.objects.filter { try scene.target.read($0.key) != nil }.count
    switch outcome.removed {
    case nil: #expect(removals == nil && left == outcome.manifest.objects.count, test.situation)
    case let count?:
      // A removal whose answer was lost may have happened; one that was refused is found by reading
      // back.
      let gone = outcome.manifest.objects.count - left
      // A killed or blind purge cannot confirm a removal, and does not report it.
      let isCut = test.lastCall < .max || test.lastRead < .max || test.write?.fault == .killedBefore
      #expect(
        gone == count || test.write?.fault.isSilent == true || isCut && gone > count, test.situation
      )
    }
    if outcome.isRecorded { try scene.expectNoBadByte(test) }
  }

  /// A target with two releases that show what is bad, caches that are full of it, and readers.
  struct Scene {
    let target: any Target
    let row: CacheRow
    private var readers: [AppReader]
    private let before: [[String: Value]]

    fileprivate init(_ drill: PurgeDrill) throws {
      target = try drill.makeTarget()
      row = CacheRow(before: target)
      let place = ChannelPlace(target)
      for (run, content) in [("older", drill.older), ("live", drill.live)] {
        _ = try place.publisher(run: run).publish { _ in Draft(content: content) }
      }
      // Readers whose disks are full, then one that has just begun.
      readers = ["en", "fr", "en"].enumerated().map { [row] place, locale in
        AppReader(channel: "production", locale: locale) {
          place == 2 ? try row.readOther($0) : try row.read($0)
        }
      }
      for place in readers.indices { #expect(try readers[place].look()) }
      before = readers.map(\.screen)
      for object in drill.older.objects { _ = try row.read(object.key, form: "gzip") }
      row.evict()
    }

    /// Every reader shows a release, whole: the old one, perhaps without what is hidden, or the new
    /// one.
    mutating func expectWhole(_ test: Case) throws {
      #expect(try ChannelPlace(target).broken() == [], test.situation)
      for (place, old) in before.enumerated() {
        _ = try readers[place].look()
        expectOldOrNew(readers[place].screen, old, test)
        var newcomer = AppReader(channel: "production", locale: ["en", "fr", "en"][place]) {
          [row] key in
          place == 2 ? try row.readOther(key) : try row.read(key)
        }
        #expect(try newcomer.look(), test.situation)
        expectOldOrNew(newcomer.screen, old, test)
      }
    }

    private func expectOldOrNew(_ screen: [String: Value], _ old: [String: Value], _ test: Case) {
      #expect(
        screen == old || screen == old.filter { $0.key != "product/rose" }.mapValues(Self.unlisted),
        test.situation)
    }

    /// An entry from whose lists the rose is gone.
    private static func unlisted(_ content: Value) -> Value {
      guard let products = content["products"]?.items, var members = content.members else {
        return content
      }
      members["products"] = .array(products.filter { $0 != "product/rose" })
      return .dictionary(members)
    }

    /// It is gone from everywhere, and nothing is left to be done.
    mutating func expectGone(_ test: Case) throws {
      try expectNoBadByte(test)
      let place = ChannelPlace(target)
      #expect(try place.broken() == [], test.situation)
      #expect(
        try target.list(below: "production/purges/").map(\.key) == [PurgeDrill.key], test.situation)
      let live = try #require(try place.live())
      #expect(live.purge?["sequence"]?.number == 1 && live.number == 3, test.situation)
      for (reader, old) in before.enumerated() {
        #expect(try readers[reader].look(), test.situation)
        let new = old.filter { $0.key != "product/rose" }.mapValues(Self.unlisted)
        #expect(readers[reader].screen == new, test.situation)
      }
    }

    func expectNoBadByte(_ test: Case) throws {
      #expect(try ChannelPlace(target).files(holding: PurgeDrill.bad) == [], test.situation)
      #expect(row.copies(holding: PurgeDrill.bad) == [], test.situation)
    }
  }
}

extension FaultyTarget.Fault {
  /// Whether it leaves unsaid what became of a write.
  fileprivate var isSilent: Bool {
    [.failedAfter, .unansweredAfter, .killedAfter, .refused].contains(self)
  }
}
