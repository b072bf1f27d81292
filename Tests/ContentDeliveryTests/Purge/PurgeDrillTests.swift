import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// Purges that fail at each of their steps.
@Suite struct PurgeDrillTests {
  private let drill: PurgeDrill

  init() throws { drill = try PurgeDrill(files: PurgeDrill.few, makeTarget: { MemoryTarget() }) }

  @Test(arguments: [false, true])
  func performsStepsInOrder(isRollingOut: Bool) async throws {
    let events = try await drill.measure(isRollingOut: isRollingOut).events
    func places(_ cache: String, _ isMeant: (String) -> Bool) -> [Int] {
      events.indices.filter { place in
        if case .forgot(cache, let key) = events[place] { isMeant(key) } else { false }
      }
    }
    func round(_ places: [Int], from start: Int, to end: Int = .max) -> ClosedRange<Int>? {
      let within = places.filter { $0 > start && $0 < end }
      return within.first.flatMap { first in within.last.map { first...$0 } }
    }
    let config = ["shield", "edge"].map { places($0) { $0 == "production/config.plist" } }
    let objects = ["shield", "edge"].map { places($0) { $0.hasPrefix("objects/") } }
    let seen = events.indices.filter { events[$0] == .saw(release: 3) }
    let first = try #require(seen.first)
    let second = try #require(
      seen.first { place in config[1].contains { (first..<place).contains($0) } })
    let removals = events.indices.filter { place in
      if case .removed(let key) = events[place] { key.hasPrefix("objects/") } else { false }
    }
    let removed = try #require(removals.first)...(try #require(removals.last))
    // From the origin outward: config until readers see it, and once more; then the removed
    // objects, and once more.
    var steps = try config.map { try #require(round($0, from: -1, to: first)) } + [first...first]
    steps +=
      try config.map { try #require(round($0, from: first, to: second)) } + [
        second...second, removed,
      ]
    let edge = try #require(objects[1].first)
    let again = try #require(objects[0].first { $0 > edge })
    steps += try objects.map { try #require(round($0, from: removed.upperBound, to: again)) }
    steps += try objects.map { try #require(round($0, from: again - 1)) }
    for (step, next) in zip(steps, steps.dropFirst()) {
      #expect(step.upperBound < next.lowerBound, "\(steps)")
    }
    #expect(!events[..<first].contains(.saw(release: 2)))
  }

  /// Each kill between two of these files is one of those below.
  @Test(arguments: [false, true])
  func writesNotesInOrder(isRollingOut: Bool) async throws {
    let written = try await drill.measure(isRollingOut: isRollingOut).written
    let names = written.filter {
      $0.hasPrefix("production/purges/") || $0 == "production/config.plist"
    }.map { key in
      let words = key.split(separator: "/").last?.split(separator: "-") ?? []
      return (words.count == 1 ? words : words.dropLast()).joined(separator: "-")
    }
    #expect(
      names == [
        "1.plist", "begun", "config.plist", "live", "copies", "cache-varnish", "cache-nginx",
        "cache-squid", "done",
      ])
  }

  @Test func finishesAfterAnyFailedWrite() async throws {
    let writes = try await drill.measure().writes
    #expect(writes > 15)
    for number in 0..<writes {
      for fault in FaultyTarget.Fault.allCases {
        try await drill.run(PurgeDrill.Case(write: (fault, number)))
      }
    }
  }

  /// A kill between two changes leaves the same behind as one right after the first of them.
  @Test func finishesAfterBeingKilledAtAnyCall() async throws {
    let calls = try await drill.measure()
    #expect(calls.all > 100 && calls.changes.count > 30)
    for last in [0] + calls.changes {
      for isFinishedWithoutOrder in [false, true] {
        try await drill.run(
          PurgeDrill.Case(lastCall: last, isFinishedWithoutOrder: isFinishedWithoutOrder))
      }
    }
    print("purge killed after each of \(calls.changes.count) changes: all finished")
  }

  /// Without a rollout, every write fails in every way.
  @Test func finishesDuringARolloutAfterAnyFailedWrite() async throws {
    #expect(try await drill.runWrites(isRollingOut: true) > 30)
  }

  @Test func finishesDuringARolloutAfterBeingKilled() async throws {
    let changes = try await drill.measure(isRollingOut: true).changes
    #expect(changes.count > 30)
    for (place, last) in changes.enumerated() where place % 3 == 0 {
      try await drill.run(
        PurgeDrill.Case(
          lastCall: last, isFinishedWithoutOrder: place % 2 == 0, isRollingOut: true))
    }
  }

  @Test func finishesAfterTheTargetBecomesUnreadable() async throws {
    for last in stride(from: 0, to: try await drill.measure().all, by: 4) {
      try await drill.run(PurgeDrill.Case(lastRead: last))
    }
  }

  @Test(arguments: FakeCacheChain.Fault.allCases)
  func finishesAfterAnyCacheFault(fault: FakeCacheChain.Fault) async throws {
    try await PurgeDrill(makeTarget: { MemoryTarget() }).run(PurgeDrill.Case(caches: fault))
    try await drill.run(PurgeDrill.Case(caches: fault, isRollingOut: true))
    // A cache is down, and then a write fails, too.
    for number in 0..<(try await drill.measure().writes) {
      try await drill.run(PurgeDrill.Case(write: (.killedAfter, number), caches: fault))
    }
  }

  @Test func finishesAtAFolder() async throws {
    let scratch = try ScratchFolder(inMemory: true)
    let numbers = Counter()
    let drill = try PurgeDrill(files: PurgeDrill.few) {
      FolderTarget(scratch.path("site-\(numbers.next())"))
    }
    let points = try await drill.runWrites()
    print("purge at a folder: \(points) points tried, all finished")
  }
}
