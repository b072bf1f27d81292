import ContentModel
import ContentSource
import HTTPTransport
import PropertyLists
import SiteFormat
import TestReaders
import TestServers
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets

/// Fails a purge at every step, in every way, and checks the readers' content.
///
/// The same purge, or one without an order, must then finish the work. Works with any target.
struct PurgeDrill {
  static let bad = "Swear word"
  /// The same shop with fewer locales, for slow targets.
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

  /// Returns a fresh, empty target for each attempt.
  let makeTarget: () throws -> any Target
  /// The keys of the channel; `nil` for one without signatures.
  private let keys: SignedPlace?
  private let older: ReleaseContent
  private let live: ReleaseContent
  private let order: PurgeOrder

  init(
    files: [String: String] = [:], signed keys: SignedPlace? = nil,
    makeTarget: @escaping () throws -> any Target
  ) throws {
    (self.makeTarget, self.keys) = (makeTarget, keys)
    let bad = files.merging(["entries/product/rose.yaml": "title: \(Self.bad)\ncare: Water it.\n"])
    { $1 }
    older = try Shop(bad.merging(["entries/product/lily.yaml": "title: Lilly\n"]) { $1 }).content()
    live = try Shop(bad).content()
    var order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    order.commandWords = ["product/rose"]
    self.order = order
  }

  /// The rollout during which a purge may run.
  private static let rollout = Rollout(name: "r2", below: RolloutAction.tenth, release: 2)

  /// Returns the unit of a reader that is in the rollout, or is not.
  private static func unit(isIn: Bool) -> String? {
    (0..<1_000).lazy.map { "reader-\($0)" }.first { rollout.includes($0) == isIn }
  }

  /// The channel at a target.
  private func place(_ target: any Target) -> ChannelPlace {
    keys?.place(target) ?? ChannelPlace(target)
  }

  /// A way to fail: at a write, after a number of calls, or at a cache.
  struct Case {
    var write: (fault: FaultyTarget.Fault, number: Int)?
    var lastCall = Int.max
    /// The number of successful reads of the target.
    var lastRead = Int.max
    var caches = FakeCacheChain.Fault.none
    /// `true` if a purge without an order finishes the work: `contentc purge production`.
    var isFinishedWithoutOrder = false
    /// `true` if a rollout is on, and both sides show the bad entry.
    var isRollingOut = false

    var situation: Comment {
      "\(isRollingOut ? "during a rollout, " : "")\(write.map { "\($0.fault) at write \($0.number)" } ?? "") \(lastCall == .max ? "" : "killed after \(lastCall)") \(lastRead == .max ? "" : "blind after \(lastRead)") \(caches)"
    }
  }

  /// The calls of a purge without failures.
  struct Calls {
    /// The number of writes to the target.
    var writes: Int
    /// The number of all calls.
    var all: Int
    /// The calls that changed something, numbered from 1.
    var changes: [Int]
    /// The keys of the written files, in order.
    var written: [String]
    var events: [FakeCacheChain.Event]
  }

  /// Returns the calls of a purge without failures.
  func measure(isRollingOut: Bool = false) async throws -> Calls {
    let scene = try await Scene(self, isRollingOut: isRollingOut)
    let killable = KillableTarget(scene.target, scene.chain)
    let faulty = FaultyTarget(killable, .refused, at: .max)
    let outcomes = try purge(faulty, killable, run: "first")
    #expect(outcomes.map(\.failures) == [[]])
    return Calls(
      writes: faulty.writes, all: killable.calls, changes: killable.changes,
      written: killable.written, events: scene.chain.events)
  }

  /// Runs a purge that fails, checks the result, repairs the defect, and runs the purge again.
  func run(_ test: Case) async throws {
    let scene = try await Scene(self, isRollingOut: test.isRollingOut)
    scene.chain.set(test.caches)
    let killable = KillableTarget(
      scene.target, scene.chain, last: test.lastCall, lastRead: test.lastRead)
    let faulty = test.write.map { FaultyTarget(killable, $0.fault, at: $0.number) }
    let outcomes = Result { try purge(faulty ?? killable, killable, run: "first") }
    try await scene.expectWhole(test)
    try expectTruth(of: outcomes, scene, test)
    scene.chain.set(.none)
    let sound = KillableTarget(scene.target, scene.chain)
    if test.isFinishedWithoutOrder {
      let left = try purge(sound, sound, run: "finishing", ordering: false)
      #expect(left.flatMap(\.failures) == [], test.situation)
      if try scene.isLive { try scene.expectNotes(test) }
    }
    let isFinished = try test.isFinishedWithoutOrder && scene.isLive
    let again = try purge(sound, sound, run: "again")
    #expect(again.flatMap(\.failures) == [], test.situation)
    if case .success(let first) = outcomes, first.allSatisfy(\.isRecorded) {
      #expect(again.isEmpty, test.situation)
    }
    if isFinished { #expect(again.isEmpty, test.situation) }
    try await scene.expectGone(test)
  }

  /// Fails every write in some of the ways, and returns the number of points tried.
  func runWrites(isRollingOut: Bool = false) async throws -> Int {
    var points = 0
    for number in 0..<(try await measure(isRollingOut: isRollingOut).writes) {
      // The faults alternate, so every write fails and every fault occurs.
      let faults = FaultyTarget.Fault.allCases.enumerated().filter { $0.offset % 4 == number % 4 }
      for fault in faults.map(\.element) {
        try await run(Case(write: (fault, number), isRollingOut: isRollingOut))
        points += 1
      }
    }
    return points
  }

  /// Runs the purge in the same steps as the command; without an order, it only finishes purges.
  private func purge(
    _ target: any Target, _ killable: KillableTarget, run: String, ordering hasOrder: Bool = true
  ) throws -> [Purge.Outcome] {
    let place = self.place(target)
    let environment = SimulatedClock().environment
    let send: CachePurge.Send = { request throws(HTTPFailure) in try killable.send(request) }
    var purge = Purge(
      place, caches: CachePurge(FakeCacheChain.caches, send: send, environment: environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: environment),
      times: Purge.Times(originTimeout: 30, app: 600, origin: 0, offline: 3_600),
      environment: environment)
    purge.layers = FakeCacheChain.layers
    let live = try #require(try place.live())
    let session = purge.beginAndFinishAll(
      in: try PurgeList(place, live: live), live: live,
      commandWords: hasOrder ? order.commandWords : [], watch: { _ in }
    ) { [purge] list, live in
      guard hasOrder else { return nil }
      return try purge.beginIfNeeded(
        order, in: list, after: live, through: place.publisher(run: run))
    }
    if let error = session.error { throw error }
    return session.outcomes
  }

  /// Expects that the reported state matches the actual state.
  private func expectTruth(
    of outcomes: Result<[Purge.Outcome], any Error>, _ scene: Scene, _ test: Case
  ) throws {
    // Partially published objects may be removed and sent again. Only objects that readers saw
    // count.
    let shown = Set(
      (older.objects + live.objects).map { FakeCacheChain.Event.removed(key: $0.key) })
    let removals = scene.chain.events.firstIndex(where: shown.contains)
    let fresh = scene.chain.events.firstIndex(of: .saw(release: 3))
    if let removals { #expect(fresh.map { $0 < removals } == true, test.situation) }
    guard case .success(let all) = outcomes else { return #expect(removals == nil, test.situation) }
    let outcome = try #require(all.last)
    #expect(outcome.isRecorded == outcome.failures.isEmpty, test.situation)
    if outcome.isRecorded { try scene.expectNotes(test) }
    if outcome.freshSeconds != nil { #expect(fresh != nil, test.situation) }
    let left = try outcome.objects.filter { try scene.target.read($0.key) != nil }.count
    switch outcome.removed {
    case nil: #expect(removals == nil && left == outcome.objects.count, test.situation)
    case let count?:
      // A removal whose answer was lost may have succeeded. Reading back detects a refused one.
      let gone = outcome.objects.count - left
      // A killed or blind purge cannot confirm a removal, and does not report it.
      let isCut = test.lastCall < .max || test.lastRead < .max || test.write?.fault == .killedBefore
      #expect(
        gone == count || test.write?.fault.isSilent == true || isCut && gone > count, test.situation
      )
    }
    if outcome.isRecorded { try scene.expectNoBadByte(test) }
  }

  /// A target with two releases that show the bad entry, caches that hold it, and readers.
  struct Scene {
    let target: any Target
    let chain: FakeCacheChain
    private let place: ChannelPlace
    private let keys: SignedPlace?
    private let rollout: Rollout?
    /// The folder of the key document that apps pin.
    private let scratch: ScratchFolder
    private let readers: [ClientReader]
    private let before: [[String: Value]]

    fileprivate init(_ drill: PurgeDrill, isRollingOut: Bool) async throws {
      target = try drill.makeTarget()
      chain = FakeCacheChain(before: target)
      (place, keys) = (drill.place(target), drill.keys)
      rollout = isRollingOut ? PurgeDrill.rollout : nil
      scratch = try ScratchFolder(inMemory: true)
      _ = try place.publisher(run: "older").publish { _ in Draft(content: drill.older) }
      let publisher = place.publisher(run: "live")
      if isRollingOut {
        try RolloutAction.start.publish(drill.live, through: publisher)
      } else {
        _ = try publisher.publish { _ in Draft(content: drill.live) }
      }
      // Three readers with copies on disk, the last one behind the other CDN.
      readers = try Self.newReaders(of: chain, in: rollout, pinning: keys?.pin(in: scratch))
      for reader in readers { #expect(await reader.refresh()) }
      #expect(
        readers.map { $0.screen["product/lily"]?["title"] == "Lilly" }
          == [false, isRollingOut, false])
      before = readers.map(\.screen)
      for object in drill.older.objects { _ = try chain.read(object.key, form: "gzip") }
      chain.evict()
    }

    /// Creates the readers: during a rollout, all but the second one are in it.
    private static func newReaders(
      of chain: FakeCacheChain, in rollout: Rollout?, pinning document: String?
    ) throws -> [ClientReader] {
      try ["en", "fr", "en"].enumerated().map { place, locale in
        try ClientReader(
          channel: "production", locale: locale, pinning: document,
          unit: rollout == nil ? nil : PurgeDrill.unit(isIn: place != 1)
        ) {
          place == 2 ? try chain.readOther($0) : try chain.read($0)
        }
      }
    }

    /// Expects that every reader shows a whole release: the new one, or the old one, perhaps
    /// without the hidden entry.
    func expectWhole(_ test: Case) async throws {
      #expect(try place.broken() == [], test.situation)
      let newReaders = try Self.newReaders(
        of: chain, in: rollout, pinning: keys?.pin(in: scratch))
      for ((reader, newReader), old) in zip(zip(readers, newReaders), before) {
        _ = await reader.refresh()
        expectOldOrNew(reader.screen, old, test)
        #expect(await newReader.refresh(), test.situation)
        expectOldOrNew(newReader.screen, old, test)
      }
    }

    private func expectOldOrNew(_ screen: [String: Value], _ old: [String: Value], _ test: Case) {
      #expect(
        screen == old || screen == old.filter { $0.key != "product/rose" }.mapValues(Self.unlisted),
        test.situation)
    }

    /// Returns an entry's content without the rose in its lists.
    private static func unlisted(_ content: Value) -> Value {
      guard let products = content["products"]?.items, var members = content.members else {
        return content
      }
      members["products"] = .array(products.filter { $0 != "product/rose" })
      return .dictionary(members)
    }

    /// Expects that no copy of the bad entry is left and that the purge is complete.
    func expectGone(_ test: Case) async throws {
      try expectNoBadByte(test)
      #expect(try place.broken() == [], test.situation)
      try expectNotes(test)
      #expect(try place.live()?.number == 3, test.situation)
      #expect(try place.live()?.rollout == rollout, test.situation)
      for (reader, old) in zip(readers, before) {
        #expect(await reader.refresh(), test.situation)
        let new = old.filter { $0.key != "product/rose" }.mapValues(Self.unlisted)
        #expect(reader.screen == new, test.situation)
      }
    }

    /// `true` if the release of the purge is live.
    var isLive: Bool { get throws { try place.live()?.lastBegun != nil } }

    /// Expects every note of the purge that config names, each once, and that any other purge never
    /// went live.
    func expectNotes(_ test: Case) throws {
      let live = try #require(try place.live())
      let number = try #require(live.purge?["sequence"]?.number)
      let folder = PurgeFolder(number: number, of: try #require(live.lastBegun))
      let notes = try place.notes(of: folder)
      let copies = notes.copies
      let confirmed = try FakeCacheChain.layers.map { try PurgeNote.cache($0, after: copies) }
      #expect(copies.count == 1, test.situation)
      #expect(
        notes == Set([.begun, .live, .done(naming: copies)] + copies + confirmed), test.situation)
      let others = try place.purgeNames().filter { name in
        if case .note(let note, folder) = name { !notes.contains(note) } else { true }
      }
      #expect(others.contains(.number(number)), test.situation)
      for name in others {
        switch name {
        case .number: break
        case .note(.begun, let other): #expect(other != folder, test.situation)
        default: Issue.record("\(name.key(in: place.channel)) of another purge")
        }
      }
    }

    func expectNoBadByte(_ test: Case) throws {
      #expect(try place.files(holding: PurgeDrill.bad) == [], test.situation)
      #expect(chain.copies(holding: PurgeDrill.bad) == [], test.situation)
    }
  }
}

extension FaultyTarget.Fault {
  /// `true` if the fault leaves the outcome of a write unknown.
  fileprivate var isSilent: Bool {
    [.failedAfter, .unansweredAfter, .killedAfter, .refused].contains(self)
  }
}
