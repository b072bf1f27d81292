import ContentModel
import System
import Testing

@testable import ContentBuild

/// The changes that a folder's stamps detect later.
@Suite struct FolderStampsTests {
  let folder: TemporaryFolder
  let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder.path("root")
    for name in ["root", "root/a", "root/b", "root/b/c"] { folder.makeFolder(name) }
    for (name, text) in [("a/1", "one"), ("a/2", "two"), ("b/3", "three"), ("b/c/4", "four")] {
      write(name, text)
    }
    try Disk.link("\(root)/a/1", as: "\(root)/b/one")
  }

  @Test(arguments: ["a/1", "b/3", "b/c/4"])
  func findsAChangedFile(name: String) throws {
    let stamps = try scan()
    #expect(stamps.difference(of: root, ignoring: .guests) == .nothing)
    write(name, "changed")
    // The stamps check only one of the two names of `a/1`.
    #expect(stamps.difference(of: root, ignoring: .guests) == .files([name]))
  }

  @Test func findsAddedAndRemovedNames() throws {
    let stamps = try scan()
    write("b/c/5", "five")
    #expect(stamps.difference(of: root, ignoring: .guests) == .names)
    try Disk.removeFile("\(root)/b/c/5")
    #expect(stamps.difference(of: root, ignoring: .guests) == .nothing)
    try Disk.removeFile("\(root)/a/2")
    #expect(stamps.difference(of: root, ignoring: .guests) == .names)
  }

  @Test func decodesEncodedStamps() throws {
    let stamps = try scan()
    var output = ByteBuilder()
    stamps.encodeFolders(into: &output)
    output.append(raw: stamps.items)
    let bytes = output.bytes
    let read = try bytes.withUnsafeBytes { buffer in
      var reader = ByteReader(buffer)
      return try FolderStamps(from: &reader, in: bytes)
    }
    #expect(read.allPaths == ["a/1", "a/2", "b/3", "b/c/4", "b/one"])
    #expect(read.difference(of: root, ignoring: .guests) == .nothing)
    write("a/2", "changed")
    #expect(read.difference(of: root, ignoring: .guests) == .files(["a/2"]))
  }

  @Test func reusesStampsOfUnchangedFolders() throws {
    let before = try scan()
    write("b/c/4", "changed")
    write("b/c/5", "five")
    let after = try #require(rescan(after: before, in: ["b", "b/c"]))
    #expect(after.allPaths == ["a/1", "a/2", "b/3", "b/c/4", "b/c/5", "b/one"])
    #expect(after.difference(of: root, ignoring: .guests) == .nothing)
    write("a/2", "changed")
    #expect(after.difference(of: root, ignoring: .guests) == .files(["a/2"]))
    // A reused stamp is not checked against the file, so the next comparison must find the change.
    let unaware = try #require(rescan(after: before, in: ["b", "b/c"]))
    #expect(unaware.difference(of: root, ignoring: .guests) == .files(["a/2"]))
  }

  @Test(arguments: [["a"], ["b"], ["a", "b"]])
  func checksEachFileUnderOneOfItsNames(changed: [String]) throws {
    let after = try #require(rescan(after: try scan(), in: Set(changed + [""])))
    write("a/1", "changed")
    guard case .files(let found) = after.difference(of: root, ignoring: .guests) else {
      Issue.record("other names")
      return
    }
    #expect(found == ["a/1"] || found == ["b/one"])
  }

  @Test func checksTheRemainingNameAfterAnotherIsRemoved() throws {
    let before = try scan()
    let isFirst = before.difference(of: root, ignoring: .guests) == .nothing
    try #require(isFirst)
    // Either name may have been the checked one. From now on it must be the remaining one.
    for (name, other) in [("a/1", "b/one"), ("b/one", "a/1")] {
      try Disk.removeFile("\(root)/\(name)")
      let after = try #require(rescan(after: before, in: [name.hasPrefix("a") ? "a" : "b"]))
      write(other, "changed")
      #expect(after.difference(of: root, ignoring: .guests) == .files([other]))
      try Disk.link("\(root)/\(other)", as: "\(root)/\(name)")
    }
  }

  // MARK: Scanning

  private func scan() throws -> FolderStamps {
    try #require(FolderStamps(of: root, ignoring: .guests, at: .max))
  }

  private func rescan(after stamps: FolderStamps, in changed: Set<String>) -> FolderStamps? {
    FolderStamps(of: root, ignoring: .guests, at: .max, after: stamps, in: Set(names: changed))
  }

  private func write(_ name: String, _ text: String) {
    folder.overwrite("root/\(name)", Array(text.utf8))
  }
}
