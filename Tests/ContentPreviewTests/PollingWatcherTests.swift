import SystemC
import TestServers
import Testing

@testable import ContentPreview

/// The changes that polling finds.
@Suite struct PollingWatcherTests {
  @Test(
    arguments: [
      { try $0.write("content/deep/a.yaml", "x: 10") },
      { try $0.write("content/deep/b.yaml", "x: 1") },
      { unlink($0.path("content/deep/a.yaml")) }, { $0.makeFolder("content/new") },
      { rename($0.path("content/deep"), $0.path("content/other")) },
      { rename($0.path("content"), $0.path("other")) },
      { $0.date("content/deep/a.yaml", 1_000_000_000) },
    ] as [@Sendable (ScratchFolder) throws -> Void])
  func findsAChangeOnce(change: @Sendable (ScratchFolder) throws -> Void) throws {
    let (folder, watcher) = try Self.watcher()
    try change(folder)
    #expect(watcher.next(within: .seconds(1))?.content == .anything)
    #expect(watcher.next(within: .milliseconds(50)) == nil)
  }

  @Test func ignoresDotfilesAndReads() throws {
    let (folder, watcher) = try Self.watcher()
    try folder.write("content/deep/.a.yaml.swp", "x")
    _ = try folder.read("content/deep/a.yaml")
    #expect(watcher.next(within: .milliseconds(50)) == nil)
  }

  @Test func waitsBetweenTwoScans() throws {
    let (folder, watcher) = try Self.watcher(interval: .milliseconds(300))
    try folder.write("content/deep/b.yaml", "x: 1")
    #expect(watcher.next(within: .milliseconds(20)) == nil)
    #expect(watcher.next(within: .seconds(5)) != nil)
  }

  #if os(Linux)
    @Test(arguments: [(ENOSPC, "max_user_watches"), (EMFILE, "max_user_instances")])
    func namesTheLimit(code: Int32, name: String) throws {
      let limit = try #require(WatchLimit(errno: code))
      let value = try ScratchFolder.read("/proc/sys/fs/inotify/\(name)")
      #expect(limit.value <= Int(String(decoding: value.dropLast(), as: UTF8.self)) ?? 0)
      #expect(WatchLimit.remark(errno: code).contains("sudo sysctl \(limit.name)="))
      #expect(
        WatchLimit.remark(errno: ENOSYS).hasSuffix(
          "watches no files here: Function not implemented"))
    }
  #endif

  private static func watcher(interval: Duration = .milliseconds(5)) throws -> (
    ScratchFolder, PollingWatcher
  ) {
    let folder = try ScratchFolder()
    for name in ["content", "content/deep"] { folder.makeFolder(name) }
    try folder.write("content/deep/a.yaml", "x: 1")
    return (folder, PollingWatcher(folder.path("content"), interval: interval))
  }
}
