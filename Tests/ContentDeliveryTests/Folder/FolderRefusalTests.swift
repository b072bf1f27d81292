import SystemC
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

@Suite struct FolderRefusalTests {
  let scratch: ScratchFolder
  let target: FolderTarget
  let file = OutgoingFile(text: "text")

  init() throws {
    scratch = try ScratchFolder()
    target = FolderTarget(scratch.path("root"))
  }

  @Test(arguments: [
    "", "/", "/etc/x", "../x", "a//b", "a/./b", "a/..", "a/", ".", "..", "a b", "ä", "a\0b", "a\\b",
    ".contentc-lock",
    "a/.contentc-1-1.tmp", String(repeating: "a", count: 253),
  ])
  func refusesInvalidKeys(key: String) throws {
    expectRefusal(.unusable, "cannot be the name of a file") { try target.create(key, as: file) }
    expectRefusal(.unusable, "cannot be the name of a file") {
      try target.replace(key, with: file, tagged: nil)
    }
    expectRefusal(.unusable, "cannot be the name of a file") {
      try target.replace(key, with: file, tagged: "tag")
    }
    expectRefusal(.unusable, "cannot be the name of a file") { try target.read(key) }
    expectRefusal(.unusable, "cannot be the name of a file") { try target.holds(key, as: file) }
    expectRefusal(.unusable, "cannot be the name of a file") { try target.remove(key) }
  }

  @Test(arguments: ["../", "/", "a/../", "a//"]) func refusesInvalidPrefixes(prefix: String) throws
  {
    expectRefusal(.unusable, "cannot be the name of a file") { try target.list(below: prefix) }
  }

  @Test func findsNoFilesInAnEmptyFolder() throws {
    #expect(try target.read("a") == nil)
    #expect(try !target.holds("a", as: file))
    #expect(try target.list(below: "").isEmpty)
    try target.remove("a")
    #expect(try !target.replace("a", with: file, tagged: "tag"))
    #expect(scratch.names() == [])
  }

  @Test(arguments: ["none/root", "none/none/root/"])
  func refusesARootThatCannotBeCreated(
    path: String
  ) throws {
    expectRefusals(.missing, "there is no such folder; make", by: FolderTarget(scratch.path(path)))
    #expect(scratch.names() == [])
  }

  @Test func refusesALinkToAMissingFolderAsItsRoot() throws {
    scratch.link("nowhere", as: "dangling")
    expectRefusals(
      .missing, "dangling': it is a symbolic link to a folder that does not exist",
      by: FolderTarget(scratch.path("dangling")))
    #expect(scratch.names() == ["dangling"])
  }

  @Test(arguments: ["root", "root/below"]) func refusesAFileAsItsRoot(path: String) throws {
    try scratch.write("root", "mine")
    expectRefusals(
      .unusable, "a file has the name of a folder", by: FolderTarget(scratch.path(path)))
    #expect(try scratch.read("root") == "mine")
  }

  @Test func refusesLinksBelowItsRoot() throws {
    for name in ["root", "root/a", "elsewhere"] { scratch.makeFolder(name) }
    try scratch.write("elsewhere/key", "mine")
    scratch.link("../elsewhere", as: "root/objects")
    scratch.link("../../elsewhere", as: "root/a/objects")
    scratch.link("../elsewhere/key", as: "root/key")
    for key in ["objects/key", "a/objects/key", "key"] {
      expectRefusal(.unusable, "is a symbolic link") { try target.create(key, as: file) }
      expectRefusal(.unusable, "is a symbolic link") {
        try target.replace(key, with: file, tagged: nil)
      }
      expectRefusal(.unusable, "is a symbolic link") { try target.read(key) }
      expectRefusal(.unusable, "is a symbolic link") { try target.holds(key, as: file) }
      expectRefusal(.unusable, "is a symbolic link") { try target.remove(key) }
    }
    expectRefusal(.unusable, "is a symbolic link") { try target.list(below: "objects/") }
    #expect(try target.list(below: "").isEmpty)
    #expect(scratch.names(in: "elsewhere") == ["key"])
    #expect(try scratch.read("elsewhere/key") == "mine")
  }

  @Test func refusesALinkAsItsLock() throws {
    scratch.makeFolder("root")
    scratch.link("../mine", as: "root/.contentc-lock")
    expectRefusal(.unusable, "is a symbolic link") { try target.create("a", as: file) }
    expectRefusal(.unusable, "is a symbolic link") { try target.exclusively {} }
    #expect(scratch.names() == ["root"])
  }

  @Test(arguments: [".contentc-lock", ".contentc-lock-emergency"])
  func refusesAFolderAsItsLock(name: String) throws {
    scratch.makeFolder("root")
    scratch.makeFolder("root/\(name)")
    let words = "\(name)' is not a file but a folder; type: rmdir '"
    expectRefusal(.unusable, words) { try target.create("a", as: file) }
    expectRefusal(.unusable, words) { try target.exclusively {} }
    expectRefusal(.unusable, "then run the same command again") { try target.exclusively {} }
  }

  @Test func refusesFoldersAndPipesInPlaceOfFiles() throws {
    scratch.makeFolder("root")
    scratch.makeFolder("root/folder")
    mkfifo(scratch.path("root/pipe"), 0o666)
    for key in ["folder", "pipe"] {
      expectRefusal(.unusable, "is not a file") { try target.create(key, as: file) }
      expectRefusal(.unusable, "is not a file") { try target.replace(key, with: file, tagged: nil) }
      expectRefusal(.unusable, "is not a file") { try target.read(key) }
      expectRefusal(.unusable, "is not a file") { try target.remove(key) }
    }
    expectRefusal(.unusable, "a file has the name of a folder") {
      try target.create("pipe/a", as: file)
    }
  }

  /// The files are sparse, so they need no disk space.
  @Test(arguments: [
    ("qa/config.plist", 20 << 30), ("qa/config.plist", ReadLimit.config + 1),
    ("qa/releases/1-a.plist", 1 << 30),
    ("qa/purges/1.plist", 1 << 40), ("objects/aa/a.plist", 2 << 30), ("_headers", 1 << 30),
  ])
  func refusesToReadTooLargeFiles(key: String, size: Int) throws {
    #expect(try target.create(key, as: file))
    try #require(truncate(scratch.path("root/\(key)"), off_t(size)) == 0)
    expectRefusal(
      .tooLarge, "'\(key)' at \(target.name) has \(size) bytes, and contentc reads at most"
    ) {
      try target.read(key)
    }
  }

  @Test func reportsThatAnotherPublisherHoldsTheLock() throws {
    let other = FolderTarget(scratch.path("root"))
    try target.exclusively {
      expectRefusal(.busy, "another publisher is at work") { try other.exclusively {} }
      expectRefusal(.busy, "another publisher is at work") { try target.exclusively {} }
      let isReplaced = try target.replace("a", with: file, tagged: nil)
      #expect(isReplaced)
    }
    try other.exclusively {
      expectRefusal(.busy, "another publisher is at work") { try target.exclusively {} }
    }
    #expect(throws: Problem.self) {
      try target.exclusively { throw Problem("the work has failed") }
    }
    try other.exclusively {}
  }

  @Test(.enabled(if: access("/usr/bin/flock", X_OK) == 0, "flock is part of util-linux"))
  func takesTheLockOfAKilledProcess() throws {
    #expect(try target.create("a", as: file))
    let process = try Program(
      "/usr/bin/flock", ["-F", scratch.path("root/.contentc-lock"), "/bin/sleep", "100"])
    var wasBusy = false
    for _ in 0..<500 where !wasBusy {
      do { try target.exclusively {} } catch let error as TargetError {
        wasBusy = error.kind == .busy
      }
      usleep(10_000)
    }
    process.stop()
    #expect(wasBusy)
    try target.exclusively {}
  }

  @Test(
    .enabled(if: access("/usr/bin/flock", X_OK) == 0, "flock is part of util-linux"),
    arguments: [".contentc-lock", ".contentc-lock-emergency"])
  func namesTheLockedFile(name: String) throws {
    #expect(try target.create("a", as: file))
    let process = try Program(
      "/usr/bin/flock", ["-F", scratch.path("root/\(name)"), "/bin/sleep", "100"])
    defer { process.stop() }
    var message = ""
    for _ in 0..<500 where message.isEmpty {
      do { try target.exclusively {} } catch let error as TargetError {
        message = error.description
      }
      usleep(10_000)
    }
    #expect(message.contains("which holds '\(target.name)/\(name)'"), "\(message)")
  }

  /// Expects every write and, if `readsToo` is `true`, every read to be refused.
  func expectRefusals(
    _ kind: TargetError.Kind, _ words: String, by target: FolderTarget, readsToo: Bool = true,
    location: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(kind, words, location: location) { try target.create("new", as: file) }
    expectRefusal(kind, words, location: location) {
      try target.replace("new", with: file, tagged: nil)
    }
    expectRefusal(kind, words, location: location) { try target.exclusively {} }
    guard readsToo else { return }
    expectRefusal(kind, words, location: location) { try target.read("new") }
    expectRefusal(kind, words, location: location) { try target.list(below: "") }
  }
}
