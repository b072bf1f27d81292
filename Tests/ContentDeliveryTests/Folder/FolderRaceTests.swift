import Synchronization
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

@Suite struct FolderRaceTests {
  let scratch: ScratchFolder
  private static let writers = 8

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  @Test(arguments: [Placing.allCases, [.link], [.lockedRename]])
  func letsOneOfManyWritersCreate(placings: [Placing]) throws {
    for round in 0..<20 {
      let key = "objects/\(round)"
      let files = try (0..<Self.writers).map { try OutgoingFile.compressed("\($0)") }
      let winners = try winners { number, target in try target.create(key, as: files[number]) }(
        placings)
      try #require(winners.count == 1)
      // The winner's compressed copy must not be overwritten by a loser's.
      #expect(try FolderTarget(scratch.path).holds(key, as: files[winners[0]]))
    }
  }

  @Test(arguments: [Placing.allCases, [.lockedRename]])
  func letsOneOfManyWritersReplace(placings: [Placing]) throws {
    let target = FolderTarget(scratch.path)
    for round in 0..<20 {
      let tag = try target.read("config.plist")?.tag
      let winners = try winners { number, target in
        try target.replace(
          "config.plist", with: OutgoingFile(text: "\(round) \(number)"), tagged: tag)
      }(placings)
      try #require(winners.count == 1)
      #expect(try target.read("config.plist")?.bytes == Array("\(round) \(winners[0])".utf8))
    }
  }

  @Test func letsThreadsOfTheLockHolderWriteConcurrently() throws {
    let target = FolderTarget(scratch.path)
    try target.exclusively {
      try Threads.runBlocking(Self.writers) { number in
        for file in 0..<20 {
          _ = try target.create("\(file % 3)/\(number)-\(file)", as: OutgoingFile(text: "\(file)"))
        }
        _ = try target.replace("config.plist", with: OutgoingFile(text: "\(number)"), tagged: nil)
      }
    }
    #expect(try target.list(below: "").count == Self.writers * 20 + 1)
  }

  @Test func losesNoConcurrentReplacement() throws {
    _ = try FolderTarget(scratch.path).replace("count", with: OutgoingFile(text: "0"), tagged: nil)
    try Threads.runBlocking(Self.writers) { [scratch] _ in
      let target = FolderTarget(scratch.path)
      for _ in 0..<10 { while try !Self.increment(target) {} }
    }
    #expect(
      try FolderTarget(scratch.path).read("count")?.bytes == Array("\(Self.writers * 10)".utf8))
  }

  @Test func letsOnePublisherAtATimeHoldTheLock() throws {
    let inside = Atomic(0)
    let counts = Mutex((done: 0, busy: 0, together: 0))
    try Threads.runBlocking(Self.writers) { [scratch] _ in
      let target = FolderTarget(scratch.path)
      for _ in 0..<30 {
        do {
          let before = try target.exclusively { () -> Int in
            defer { inside.subtract(1, ordering: .sequentiallyConsistent) }
            return inside.add(1, ordering: .sequentiallyConsistent).oldValue
          }
          counts.withLock {
            $0.done += 1
            $0.together += before
          }
        } catch let error as TargetError where error.kind == .busy {
          counts.withLock { $0.busy += 1 }
        }
      }
    }
    let (done, busy, together) = counts.withLock { $0 }
    #expect(done > 0 && done + busy == Self.writers * 30 && together == 0)
  }

  private static func increment(_ target: FolderTarget) throws -> Bool {
    let file = try #require(try target.read("count"))
    let number = try #require(Int(String(decoding: file.bytes, as: UTF8.self)))
    return try target.replace("count", with: OutgoingFile(text: "\(number + 1)"), tagged: file.tag)
  }

  /// Returns the numbers of the writers whose work succeeded.
  ///
  /// Each writer has its own target, like a separate process.
  private func winners(
    _ work: @escaping @Sendable (Int, FolderTarget) throws -> Bool
  ) -> (_ placings: [Placing]) throws -> [Int] {
    { [scratch] placings in
      let winners = Mutex<[Int]>([])
      try Threads.runBlocking(Self.writers) { number in
        if try work(number, FolderTarget(scratch.path, placings: placings)) {
          winners.withLock { $0.append(number) }
        }
      }
      return winners.withLock { $0 }
    }
  }
}
