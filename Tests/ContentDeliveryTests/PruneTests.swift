import ContentModel
import Dispatch
import PropertyLists
import Synchronization
import System
import TestServers
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The files that a prune removes and those that it keeps.
@Suite struct PruneTests {
  private let clock = SimulatedClock()
  let target = MemoryTarget()
  var place: ChannelPlace { ChannelPlace(target) }
  let start: Instant

  init() throws {
    start = try #require(Instant(rfc3339: "2026-11-21T12:00:00Z"))
    for number in 1...5 { try place.publish(Shelf(["rose": "Rose \(number)"]), run: "\(number)") }
    target.setTimes(to: start)
  }

  @Test func removesOnlyUnreferencedFilesAfterTheGracePeriod() throws {
    let before = keys
    let first = try prune(keep: 2, hours: 30)
    #expect(first.removed == 0 && first.marked > 0 && first.waiting == 0)
    #expect(keys.subtracting(["prune/marks.plist"]) == before)
    let second = try prune(keep: 2, hours: 40)
    #expect(second.removed == 0 && second.marked == 0 && second.waiting == first.marked)
    let third = try prune(keep: 2, hours: 60)
    #expect(third.removed == first.marked && third.waiting == 0)
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 5"]).texts)
    #expect(try place.history().map(\.number) == [5, 4])
    _ = try place.publisher(run: "back").publish { _ in
      let earlier = try place.rollbackTarget(nil)
      return Draft(content: earlier.content(at: target), of: earlier.contentRelease)
    }
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 4"]).texts)
  }

  /// The age of such files counts from the first prune that saw them.
  @Test func removesFilesOfUnknownAgeAfterTheGracePeriod() throws {
    target.setTimes(to: ListedFile.unknownTime)
    let before = keys
    let first = try prune(keep: 2, hours: 30)
    #expect(first.removed == 0 && keys.subtracting(["prune/marks.plist"]) == before)
    #expect(try prune(keep: 2, hours: 50).removed == 0)
    _ = try prune(keep: 2, hours: 90)
    #expect(try prune(keep: 2, hours: 130).removed > 0)
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 5"]).texts)
  }

  /// A prune ignores a config in the other format in the caller's channel, and stops in another
  /// channel with two configs: an attacker may have written one of them.
  @Test func readsTheConfigOfItsOwnChannelInTheFormatOfTheProject() throws {
    let config = try #require(target.read("production/config.plist")).bytes
    let json = try PropertyList.encode(PropertyList.decode(config).value, as: .json)
    let file = OutgoingFile(
      bytes: json, headers: FileHeaders(contentType: "application/json", cacheControl: .forever))
    #expect(target.create("production/config.json", as: file))
    let known = try ChannelSurvey(target, own: place)
    #expect(known.unreadable.isEmpty && known.channels.map(\.live.number) == [5])
    let survey = try ChannelSurvey(target, own: nil)
    #expect(survey.unreadable.first?.reason.contains("config in two formats") == true)
    #expect(throws: DeliveryError.self) { try prune(keep: 1, hours: 30) }
  }

  @Test func readsSeveralChannelsConcurrently() throws {
    for number in 0..<20 {
      try ChannelPlace(target, channel: "c\(number)").publish(Shelf(["rose": "Rose"]))
    }
    let gauge = ReadGauge(target)
    #expect(try ChannelSurvey(gauge, own: nil).channels.count == 21)
    #expect((2...16).contains(gauge.most), "\(gauge.most)")
  }

  @Test func unmarksObjectsThatAreReferencedAgain() throws {
    _ = try prune(keep: 1, hours: 30)
    try place.publish(Shelf(["rose": "Rose 2"]), run: "again")
    target.setTimes(to: start)
    _ = try prune(keep: 1, hours: 60)
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 2"]).texts)
  }

  @Test func keepsObjectsOfOtherChannels() throws {
    let qa = ChannelPlace(target, channel: "qa")
    try qa.publish(Shelf(["rose": "Rose 1"]))
    target.setTimes(to: start)
    for hours in [30, 60] { _ = try prune(keep: 1, hours: hours) }
    #expect(try ShelfReader(place: qa).read() == Shelf(["rose": "Rose 1"]).texts)
  }

  @Test func keepsObjectsOfARecentRecord() throws {
    // A publisher has written its record, and is killed or slow.
    let faulty = ChannelPlace(FaultyTarget(target, .killedAfter, at: 0))
    #expect(throws: (any Error).self) { try faulty.publish(Shelf(["rose": "Rose 1"]), run: "slow") }
    let record = try #require(keys.first { $0.hasPrefix("production/releases/6-") })
    target.setTimes(to: start, but: [record: later(hours: 59)])
    for hours in [30, 60] { _ = try prune(keep: 1, hours: hours) }
    for object in try Shelf(["rose": "Rose 1"]).content().objects {
      #expect(keys.contains(object.key))
    }
  }

  /// Returns a prune of the same files at a target without a lock of its own.
  private func unlocked(hours: Int) -> Prune {
    let open = UnlockedTarget(target: target)
    var prune = Prune(open, keep: 1, grace: .days(1), now: later(hours: hours))
    prune.environment = clock.environment
    return prune
  }

  @Test func locksOutPublishersAndOtherPrunes() throws {
    try write(["expires": .date(later(hours: 1))], to: RemovalLock.key)
    let open = ChannelPlace(UnlockedTarget(target: target))
    #expect(throws: DeliveryError.self) { try open.publish(Shelf(["rose": "new"])) }
    #expect(throws: DeliveryError.self) {
      try Prune(open.target, keep: 1, grace: .days(1), now: later(hours: 0)).run()
    }
    // The lock of a killed prune expires soon.
    _ = try unlocked(hours: 2).run()
    #expect(target.isReleased)
    #expect(try place.live()?.number == 5)
  }

  /// A prune was killed on a machine whose clock was years ahead.
  @Test func replacesALockOfAWrongClock() throws {
    try write(["expires": .date(later(hours: 5 * 365 * 24))], to: RemovalLock.key)
    let found = try unlocked(hours: 0).run()
    #expect(found.warnings.count == 1 && found.warnings[0].contains("the lock of a prune"))
    #expect(clock.milliseconds >= 120_000)
    #expect(target.isReleased)
  }

  /// An emergency interrupts the prune after each part, so that it takes several turns.
  @Test func renewsItsLockInEachTurn() throws {
    _ = try unlocked(hours: 30).run()
    for number in 0..<100 {
      let junk = Array("junk \(number)".utf8)
      #expect(target.create(".probe/\(number)", as: OutgoingFile(bytes: junk)))
    }
    target.setTimes(to: start)
    _ = try unlocked(hours: 30).run()
    let ends = Mutex<[Double]>([])
    let removals = Mutex(0)
    var watched = ScriptedTarget(target) { [target] write, work throws(TargetError) in
      let answer = try work()
      if case .remove = write { removals.withLock { $0 += 1 } }
      if write.key == RemovalLock.key, let lock = target.read(write.key),
        let end = try? PropertyList.decode(lock.bytes).value["expires"]?.instant
      {
        ends.withLock { $0.append(end.secondsSinceReferenceDate) }
        removals.withLock { $0 = 0 }
      }
      return answer
    }
    watched.isWanted = { removals.withLock { $0 } >= RemovalLock.part }
    var prune = Prune(watched, keep: 1, grace: .days(1), now: later(hours: 60))
    // The time between two turns passes by the monotonic clock, too.
    prune.environment.sleep = { _ in RequestEnvironment.system.sleep(1_100) }
    #expect(try prune.run().removed > 64)
    let taken = ends.withLock { $0 }.filter { $0 > 1 }
    #expect(taken.count > 1)
    let end = later(hours: 60).secondsSinceReferenceDate + RemovalLock.seconds
    #expect(try #require(taken.last) >= end + 1, "\(taken)")
  }

  @Test(arguments: [
    .nan, .signalingNaN, .infinity, -.infinity, .greatestFiniteMagnitude, 1e300, -1e300, 9.3e18,
    -9.3e18, 252_423_993_600, -63_113_904_001, 0,
  ])
  func survivesExtremeTimes(seconds: Double) throws {
    let objects = target.list(below: "objects/")
    let time = Value.date(Instant(secondsSinceReferenceDate: Self.marker))
    let times = Value.dictionary(Members(objects.map { ($0.key, time) }))
    try write(["marked": times, "seen": times], to: Prune.marksKey, marked: seconds)
    try write(
      ["expires": time, "plan": .string(Prune.marksKey)], to: RemovalLock.key, marked: seconds)
    let open = ChannelPlace(UnlockedTarget(target: target))
    let removed = try [30, 60].map { hours in
      _ = try? open.publish(Shelf(["rose": "Rose 1"]), run: "\(hours)")
      return try unlocked(hours: hours).run().removed
    }
    // The grace of an object begins again, unless its mark has a possible time.
    #expect((removed[0] > 0) == (seconds == 0) && removed[0] + removed[1] > 0, "\(removed)")
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 1"]).texts)
  }

  /// The time that `write` replaces, because no encoder writes every time.
  private static let marker = 123_456_789.25

  private func write(_ value: Value, to key: String, marked seconds: Double = marker) throws {
    func bytes(of number: Double) -> [UInt8] {
      withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
    }
    let file = OutgoingFile(
      bytes: try PropertyListBytes.binary(value).replacing(
        bytes(of: Self.marker), with: bytes(of: seconds)))
    #expect(target.replace(key, with: file, tagged: nil))
  }

  /// Publishers take objects without a mark for safe.
  @Test func readsItsNotesBack() throws {
    let dropping = ScriptedTarget(target) { write, work throws(TargetError) in
      if write.key == Prune.marksKey { return true }
      return try work()
    }
    let error = #expect(throws: DeliveryError.self) {
      try Prune(dropping, keep: 1, grace: .days(1), now: later(hours: 30)).run()
    }
    #expect(
      error?.description.contains(
        "says that it took 'prune/marks.plist', and does not have it; nothing was removed") == true)
  }

  @Test func removesNothingThatAConcurrentPublisherNeeds() throws {
    let open = ChannelPlace(UnlockedTarget(target: target))
    var releases = 0
    for round in 1...200 {
      // Each round takes two days, so the round after the one that marks an object removes it.
      let now = later(hours: 48 * round)
      target.setClock(to: now)
      let outcome = Mutex<Result<Publisher.Outcome, any Error>?>(nil)
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          // The content was pruned before, or is about to be.
          let made = Result {
            try open.publish(Shelf(["rose": "Rose \(round % 3)"]), run: "\(round)")
          }
          outcome.withLock { $0 = made }
        } else {
          _ = try? Prune(open.target, keep: 1, grace: .days(1), now: now).run()
        }
      }
      switch outcome.withLock({ $0 }) {
      case .success(.released): releases += 1
      case .success(.unchanged), .none: break
      case .failure(let error): #expect((error as? DeliveryError)?.kind == .lost, "\(error)")
      }
      #expect(throws: Never.self, "round \(round)") { _ = try ShelfReader(place: open).read() }
      for object in try #require(try open.live()).record.objects {
        #expect(target.read(object.key) != nil)
      }
    }
    #expect(releases > 5)
  }

  @Test(arguments: [false, true])
  func recoversFromAClockYearsAhead(alsoTheTargets: Bool) throws {
    let ahead = later(hours: 5 * 365 * 24)
    if alsoTheTargets { target.setClock(to: ahead) }
    _ = try place.publisher(at: ahead.rfc3339, run: "ahead").publish { _ in
      Draft(content: try Shelf(["rose": "Rose 6"]).content())
    }
    target.setClock(to: later(hours: 1))
    for number in 7...9 {
      _ = try place.publisher(run: "\(number)").publish { _ in
        Draft(content: try Shelf(["rose": "Rose \(number)"]).content())
      }
    }
    if !alsoTheTargets { target.setTimes(to: start) }
    let first = try prune(keep: 1, hours: 30)
    #expect(
      first.warnings.count == 1 && first.warnings[0].contains("is wrong"), "\(first.warnings)")
    // A file time in the future counts from when it was first seen.
    for hours in [60, 90, 120] { _ = try prune(keep: 1, hours: hours) }
    #expect(try place.history().map(\.number) == [9])
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 9"]).texts)
    let shown = try Shelf(["rose": "Rose 9"]).content().objects.map(\.key)
    #expect(Set(keys.filter { $0.hasPrefix("objects/") }) == Set(shown))
  }

  @Test func ignoresForeignFilesButRefusesADamagedConfig() throws {
    #expect(
      target.create(
        "wordpress/config.json", as: OutgoingFile(bytes: Array("{}".utf8))))
    let found = try prune(keep: 2, hours: 30)
    #expect(
      found.marked > 0 && found.warnings.count == 1 && found.warnings[0].contains("wordpress"))
    try ChannelPlace(target, channel: "qa").publish(Shelf(["rose": "Rose 1"]))
    let tag = target.read("qa/config.plist")?.tag
    #expect(
      target.replace(
        "qa/config.plist", with: OutgoingFile(bytes: Array("x".utf8)), tagged: tag
      ))
    let error = #expect(throws: DeliveryError.self) { _ = try prune(keep: 2, hours: 60) }
    #expect(
      error?.description.contains("put the file of a backup back, or remove it and publish") == true
    )
  }

  @Test func changesNothingOnADryRun() throws {
    let before = keys
    let found = try Prune(target, keep: 2, grace: .days(1), now: later(hours: 60)).run(dry: true)
    #expect(found.marked > 0 && found.removed == 0 && keys == before)
  }

  // MARK: Purged objects

  /// A backup of `objects/` was restored, although the objects of the second release were purged.
  @Test func removesPurgedObjectsThatExistAgainAtOnce() throws {
    let purged = try objects(of: 2)
    let purge = (issued: later(hours: 1), objects: purged)
    var prune = Prune(target, keep: 20, grace: .days(1), now: later(hours: 2))
    prune.purges = { place, _ in place.channel == "production" ? [purge] : [] }
    let dry = try prune.run(dry: true)
    #expect(dry.purged == purged.map(\.key).sorted() && dry.removed == purged.count)
    #expect(keys.isSuperset(of: purged.map(\.key)))
    let found = try prune.run()
    #expect(found.purged.sorted() == dry.purged && found.removed == purged.count)
    #expect(keys.isDisjoint(with: purged.map(\.key)))
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 5"]).texts)
    #expect(try prune.run().purged == [])
  }

  /// A publisher has read the marks of an earlier run before this run writes its own.
  @Test func keepsPurgedObjectsOfAPublisherThatReadEarlierMarks() throws {
    _ = try unlocked(hours: 1).run()
    let purge = (issued: later(hours: 1), objects: try objects(of: 2))
    let open = ChannelPlace(UnlockedTarget(target: target))
    let marks = Counter()
    let draft = Draft(content: try Shelf(["rose": "Rose 2"]).content())
    let target = ScriptedTarget(target) { write, work throws(TargetError) in
      guard write.key == Prune.marksKey, marks.next() == 1 else { return try work() }
      let result = Mutex(false)
      do {
        // The prune writes its marks before the publisher's swap, and removes after it.
        _ = try open.publisher(at: "2026-11-21T14:00:00Z", run: "new").publish(
          beforeSwap: { _ in
            let isWritten = try work()
            result.withLock { $0 = isWritten }
          }
        ) { _ in draft }
      } catch { throw TargetError(.failed, "\(error)") }
      return result.withLock { $0 }
    }
    var prune = Prune(target, keep: 20, grace: .days(1), now: later(hours: 2))
    prune.purges = { place, _ in place.channel == "production" ? [purge] : [] }
    prune.environment = clock.environment
    #expect(try prune.run().purged == [])
    #expect(try ShelfReader(place: place).read() == Shelf(["rose": "Rose 2"]).texts)
  }

  @Test func keepsPurgedObjectsThatWerePublishedAgain() throws {
    let purge = (issued: later(hours: 1), objects: try objects(of: 2) + objects(of: 3))
    let qa = ChannelPlace(target, channel: "qa")
    for (place, hours, shelf) in [(qa, 2, "Rose 2"), (place, 3, "Rose 3"), (place, 4, "Rose 9")] {
      _ = try place.publisher(at: later(hours: hours).rfc3339, run: shelf).publish { _ in
        Draft(content: try Shelf(["rose": shelf]).content())
      }
    }
    var prune = Prune(target, keep: 20, grace: .days(1), now: later(hours: 5))
    prune.purges = { place, _ in place.channel == "production" ? [purge] : [] }
    #expect(try prune.run().purged == [])
    #expect(try ShelfReader(place: qa).read() == Shelf(["rose": "Rose 2"]).texts)
  }

  /// Returns the objects of a content that no other release shows.
  private func objects(of number: Int) throws -> [ReleaseObject] {
    let others = try [1, 2, 3, 4, 5].filter { $0 != number }.flatMap {
      try Shelf(["rose": "Rose \($0)"]).content().objects
    }
    return try Shelf(["rose": "Rose \(number)"]).content().objects.filter { !others.contains($0) }
  }

  // MARK: Pruning

  private var keys: Set<String> { Set(target.list(below: "").map(\.key)) }

  private func later(hours: Int) -> Instant {
    Instant(secondsSinceReferenceDate: start.secondsSinceReferenceDate + Double(hours) * 3_600)
  }

  private func prune(keep: Int, hours: Int) throws -> Prune.Outcome {
    try Prune(target, keep: keep, grace: .days(1), now: later(hours: hours)).run()
  }
}
