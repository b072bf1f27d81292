import Dispatch
import Synchronization
import SystemC
import TestServers
import Testing

@testable import ContentPreview

/// The changes that the watcher reports, and their number.
@Suite struct FolderWatcherTests {
  @Test func reportsASavedFile() async throws {
    try await expect(calls: 1...1) { try $0.write("content/a.yaml", "x: 1") }
  }

  @Test func reportsAFileReplacedByRenaming() async throws {
    try await expect(calls: 1...1) { folder in
      try folder.write("content/.a.yaml.tmp", "x: 1")
      rename(folder.path("content/.a.yaml.tmp"), folder.path("content/a.yaml"))
    }
  }

  @Test func reportsAFileMovedIntoTheFolder() async throws {
    try await expect(calls: 1...1) { folder in
      try folder.write("elsewhere", "x: 1")
      rename(folder.path("elsewhere"), folder.path("content/a.yaml"))
    }
  }

  @Test func reportsARemovedFile() async throws {
    try await expect(calls: 1...1) { unlink($0.path("content/deep/er/b.yaml")) }
  }

  @Test func reportsChangesInNewFolders() async throws {
    try await expect(calls: 2...3) { folder in
      folder.makeFolder("content/new")
      folder.makeFolder("content/new/er")
      usleep(200_000)
      try folder.write("content/new/er/a.yaml", "x: 1")
    }
  }

  @Test func reportsChangesInAMovedFolder() async throws {
    try await expect(calls: 2...2) { folder in
      folder.makeFolder("elsewhere")
      folder.makeFolder("elsewhere/deep")
      rename(folder.path("elsewhere"), folder.path("content/moved"))
      usleep(200_000)
      try folder.write("content/moved/deep/a.yaml", "x: 1")
    }
  }

  @Test func combinesABurst() async throws {
    // A busy machine splits the burst, but far less than once per file.
    try await expect(calls: 1...60) { folder in
      for number in 0..<300 { try folder.write("content/deep/\(number).yaml", "x: 1") }
    }
  }

  @Test func ignoresDotfilesAndReads() async throws {
    try await expect(calls: 0...0) { folder in
      try folder.write("content/.swp", "x")
      try folder.write("content/.git/index", "x")
      _ = try folder.read("content/deep/er/b.yaml")
      _ = folder.names(in: "content/deep")
    }
  }

  @Test func continuesWhenTheFolderIsReplaced() async throws {
    try await expect(calls: 2...6) { folder in
      rename(folder.path("content"), folder.path("old"))
      usleep(100_000)
      folder.makeFolder("content")
      usleep(200_000)
      try folder.write("content/a.yaml", "x: 1")
    }
  }

  @Test func reportsChangesAfterTheKernelDroppedEvents() async throws {
    let folder = try Self.folder()
    let calls = Atomic(0)
    let isFree = DispatchSemaphore(value: 0)
    let watch = FolderWatcher(folder.path("content")) { _ in
      if calls.add(1, ordering: .relaxed).newValue == 1 { isFree.wait() }
    }
    try folder.write("content/a.yaml", "x: 1")
    try await Self.wait { calls.load(ordering: .relaxed) == 1 }
    // The queue of 16,384 events overflows, so the new folder is not reported.
    for number in 0..<9_000 { try folder.write("content/deep/\(number % 7).yaml", "\(number)") }
    folder.makeFolder("content/late")
    isFree.signal()
    try await Self.wait { calls.load(ordering: .relaxed) >= 2 }
    try await Task.sleep(for: .milliseconds(250))
    let before = calls.load(ordering: .relaxed)
    try folder.write("content/late/a.yaml", "x: 1")
    try await Self.wait { calls.load(ordering: .relaxed) > before }
    watch.stop()
  }

  @Test func reportsAChangeDuringACall() async throws {
    let folder = try Self.folder()
    let calls = Atomic(0)
    let watch = FolderWatcher(folder.path("content")) { _ in
      if calls.add(1, ordering: .relaxed).newValue == 1 {
        try? folder.write("content/b.yaml", "x: 1")
      }
    }
    try folder.write("content/a.yaml", "x: 1")
    try await Self.wait { calls.load(ordering: .relaxed) == 2 }
    watch.stop()
  }

  @Test func reportsAChangeSoonAfterAFileIsClosed() async throws {
    let folder = try Self.folder()
    let reported = Mutex<ContinuousClock.Instant?>(nil)
    let watch = FolderWatcher(folder.path("content")) { _ in reported.withLock { $0 = $0 ?? .now } }
    var delays: [Duration] = []
    for number in 0..<20 {
      reported.withLock { $0 = nil }
      try folder.write("content/a.yaml", "x: \(number)")
      let closed = ContinuousClock.now
      try await Self.wait { reported.withLock { $0 != nil } }
      delays.append((reported.withLock { $0 } ?? .now) - closed)
      try await Task.sleep(for: .milliseconds(20))
    }
    watch.stop()
    #expect(delays.sorted()[10] < .milliseconds(10))
  }

  private func expect(
    calls expected: ClosedRange<Int>, after change: (ScratchFolder) throws -> Void
  ) async throws {
    let folder = try Self.folder()
    let calls = Atomic(0)
    let watch = FolderWatcher(folder.path("content")) { _ in calls.add(1, ordering: .relaxed) }
    try change(folder)
    if expected.lowerBound > 0 {
      try await Self.wait { calls.load(ordering: .relaxed) >= expected.lowerBound }
    }
    try await Task.sleep(for: .milliseconds(250))
    watch.stop()
    #expect(expected.contains(calls.load(ordering: .relaxed)))
  }

  private static func folder() throws -> ScratchFolder {
    let folder = try ScratchFolder()
    for name in ["content", "content/deep", "content/deep/er", "content/.git"] {
      folder.makeFolder(name)
    }
    try folder.write("content/deep/er/b.yaml", "x: 1")
    return folder
  }

  private static func wait(until isDone: () -> Bool) async throws {
    for _ in 0..<2_000 where !isDone() { try await Task.sleep(for: .milliseconds(5)) }
    #expect(isDone())
  }
}
