import Dispatch
import SystemC
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// Errors from the disk and from permissions.
@Suite struct FolderDiskTests {
  let scratch: ScratchFolder
  let target: FolderTarget
  let file = OutgoingFile(text: "text")

  private let locks = [".contentc-lock", ".contentc-lock-emergency"]

  init() throws {
    scratch = try ScratchFolder()
    scratch.makeFolder("root")
    target = FolderTarget(scratch.path("root"))
  }

  @Test func leavesExistingFilesUnchangedWhenTheDiskIsFull() throws {
    guard try mount(["-t", "tmpfs", "-o", "size=256k", "none", scratch.path("root")]) else {
      return print("skipped: mounting a small file system is not permitted here")
    }
    defer { unmount() }
    #expect(try target.replace("config.plist", with: file, tagged: nil))
    let config = try #require(try target.read("config.plist"))
    let large = OutgoingFile(text: String(repeating: "large", count: 8000))
    let error = #expect(throws: TargetError.self) {
      for number in 0... { _ = try target.create("objects/\(number)", as: large) }
    }
    #expect(
      error?.kind == .failed
        && error?.description.contains("the disk is full; free some space") == true)
    expectRefusal(.failed, "the disk is full") {
      try target.replace("config.plist", with: large, tagged: config.tag)
    }
    #expect(try target.read("config.plist")?.tag == config.tag)
    let written = try target.list(below: "objects/")
    #expect(!written.isEmpty)
    for object in written { #expect(try target.holds(object.key, as: large)) }
    #expect(scratch.names(in: "root/objects").count == written.count)
    #expect(scratch.names(in: "root") == locks + ["config.plist", "objects"])
    try target.remove(written[0].key)
    #expect(try target.create(written[0].key, as: large))
  }

  @Test func reportsAReadOnlyFileSystem() throws {
    #expect(try target.create("a", as: file))
    guard try mount(["--bind", scratch.path("root"), scratch.path("root")]) else {
      return print("skipped: mounting a folder read-only is not permitted here")
    }
    defer { unmount() }
    try #require(try mount(["-o", "remount,bind,ro", scratch.path("root")]))
    expectRefusals("the file system is read-only")
  }

  @Test func reportsMissingWritePermission() throws {
    #expect(try target.create("a", as: file))
    chmod(scratch.path("root"), 0o555)
    defer { chmod(scratch.path("root"), 0o755) }
    try asAnotherUser { expectRefusals("permission denied") }
  }

  /// Without a lock file, the lock cannot be opened for reading, either.
  @Test func reportsAnEmptyRootThatMustNotBeWrittenTo() throws {
    chmod(scratch.path("root"), 0o555)
    defer { chmod(scratch.path("root"), 0o755) }
    try asAnotherUser {
      let words = "permission denied; change its owner or mode"
      expectRefusal(.denied, words) { try target.create("a", as: file) }
      expectRefusal(.denied, "root': \(words)") { try target.exclusively {} }
    }
  }

  @Test func reportsMissingReadPermission() throws {
    #expect(try target.create("a", as: file))
    chmod(scratch.path("root/a"), 0)
    try asAnotherUser {
      expectRefusal(.denied, "permission denied") { try target.read("a") }
      expectRefusal(.denied, "permission denied") { try target.holds("a", as: file) }
    }
  }

  @Test func keepsItsLocksFromOtherUsers() throws {
    #expect(try target.create("a", as: file))
    chmod(scratch.path("root"), 0o777)
    for lock in locks { #expect(try mode(of: "root/\(lock)") == 0o600) }
    try asAnotherUser {
      let other = FolderTarget(scratch.path("root"))
      expectRefusal(.denied, "permission denied") { try other.create("b", as: file) }
      #expect(open(scratch.path("root/.contentc-lock"), O_RDONLY) == -1)
    }
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(scratch.path(path), &status) == 0)
    return status.st_mode & 0o777
  }

  private func expectRefusals(_ words: String) {
    let target = FolderTarget(scratch.path("root"))
    expectRefusal(.denied, words) { try target.create("new", as: file) }
    expectRefusal(.denied, words) { try target.create("new/new", as: file) }
    expectRefusal(.denied, words) { try target.replace("new", with: file, tagged: nil) }
    expectRefusal(.denied, words) {
      try target.replace("a", with: file, tagged: target.read("a")?.tag)
    }
    expectRefusal(.denied, words) { try target.remove("a") }
    #expect(throws: Never.self) { try #require(try target.read("a")?.bytes == file.bytes) }
    #expect(throws: Never.self) { try #require(try target.list(below: "").map(\.key) == ["a"]) }
    #expect(scratch.names(in: "root") == locks + ["a"])
  }

  private func mount(_ arguments: [String]) throws -> Bool {
    guard geteuid() == 0, access("/bin/mount", X_OK) == 0 else { return false }
    return try Program("/bin/mount", arguments).wait() == 0
  }

  private func unmount() { _ = try? Program.run("/bin/umount", ["-l", scratch.path("root")]) }

  /// Runs `work` without the superuser's right to ignore file modes.
  private func asAnotherUser(_ work: () throws -> Void) throws {
    guard geteuid() == 0 else { return try work() }
    #if os(Linux)
      typealias Change = @convention(c) (uid_t) -> Int32
      let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "setfsuid"))
      // The change applies to this thread alone, which also loses the right to override modes
      // (setfsuid(2), capabilities(7)).
      let change = unsafeBitCast(symbol, to: Change.self)
      _ = change(65_534)
      defer { _ = change(0) }
      try work()
    #endif
  }
}
