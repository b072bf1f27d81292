import ContentTargets
import Synchronization
import SystemC
import TestServers
import Testing

/// Concurrent readers through nginx during a series of releases.
@Suite(.needsServers) struct TornReadTests {
  let scratch: ScratchFolder
  private static let readers = 4

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  @Test func showsEveryReaderOneWholeRelease() throws {
    let target = FolderTarget(scratch.path)
    let seen = try read { release in
      // Gives readers time to see most releases.
      usleep(5000)
      for object in release.objects { _ = try target.create(object.key, as: object.file) }
      let tag = try target.read(SmallRelease.configKey)?.tag
      guard try target.replace(SmallRelease.configKey, with: .config(release.config), tagged: tag)
      else {
        throw Problem("not replaced")
      }
    }
    #expect(seen.problems == [])
    #expect(
      seen.whole >= Self.readers && seen.releases > 50,
      "\(seen.whole) reads of \(seen.releases) releases")
    print("\(seen.whole) whole reads of \(seen.releases) releases")
  }

  @Test func detectsTornReadsIfConfigIsRewrittenInPlace() throws {
    let target = FolderTarget(scratch.path)
    scratch.makeFolder("qa")
    let seen = try read(untilProblem: true) { release in
      for object in release.objects { _ = try target.create(object.key, as: object.file) }
      try rewriteInPlace(SmallRelease.configKey, release.config)
    }
    #expect(!seen.problems.isEmpty)
  }

  @Test func detectsMissingObjectsIfConfigComesFirst() throws {
    let target = FolderTarget(scratch.path)
    let seen = try read(untilProblem: true) { release in
      let tag = try target.read(SmallRelease.configKey)?.tag
      _ = try target.replace(SmallRelease.configKey, with: .config(release.config), tagged: tag)
      usleep(5000)
      for object in release.objects { _ = try target.create(object.key, as: object.file) }
    }
    #expect(seen.problems.contains { $0.hasSuffix("is missing") }, "\(seen.problems)")
  }

  private struct Seen {
    var whole = 0
    var problems: [String] = []
    var numbers: Set<Int> = []
    var releases: Int { numbers.count }
  }

  /// Returns the readers' results during 200 releases.
  private func read(
    untilProblem: Bool = false, writing: @escaping @Sendable (SmallRelease) throws -> Void
  ) throws
    -> Seen
  {
    let server = try WebServer(.nginx, root: scratch.path)
    let seen = Mutex(Seen())
    let isDone = Atomic(false)
    try Threads.runBlocking(Self.readers + 1) { thread in
      if thread == 0 {
        defer { isDone.store(true, ordering: .relaxed) }
        for number in 1...200 {
          try writing(SmallRelease(number))
          if untilProblem, seen.withLock({ !$0.problems.isEmpty }) { return }
        }
      } else {
        try Self.read(from: server, compressed: thread % 2 == 0, into: seen, until: isDone)
      }
    }
    return seen.withLock { $0 }
  }

  private static func read(
    from server: WebServer, compressed: Bool, into seen: borrowing Mutex<Seen>,
    until isDone: borrowing Atomic<Bool>
  ) throws {
    repeat {
      let config = try server.get("/\(SmallRelease.configKey)")
      // No release is published yet.
      if config.status == 404 { continue }
      do {
        let number = try SmallRelease.check(config) { key in
          try server.get("/\(key)", compressed ? ["Accept-Encoding": "gzip"] : [:])
        }
        seen.withLock { seen in
          seen.whole += 1
          seen.numbers.insert(number)
        }
      } catch { seen.withLock { $0.problems.append("\(error)") } }
    } while !isDone.load(ordering: .relaxed)
  }

  /// Rewrites a file in place, like an editor or a copying tool.
  private func rewriteInPlace(_ name: String, _ text: String) throws {
    guard let file = fopen(scratch.path(name), "w") else { throw Problem("cannot write \(name)") }
    defer { fclose(file) }
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      let piece = Array(bytes[start..<min(start + 4096, bytes.count)])
      fwrite(piece, 1, piece.count, file)
      fflush(file)
      usleep(1000)
    }
  }
}
