import ContentBuild
import System
import Testing

struct AtomicFileTests {
  @Test func replacesAFile() throws {
    let folder = try TemporaryFolder()
    folder.overwrite("config", [1])
    let number = folder.number(of: "config")
    try AtomicFile(folder.path("config")).write([2, 3])
    #expect(folder.read("config") == [2, 3])
    #expect(folder.number(of: "config") != number)
    #expect(folder.names(in: folder.path) == ["config"])
  }

  /// A slash and a combining mark behind it are one character.
  @Test func writesAFileWhoseNameBeginsWithACombiningMark() throws {
    let folder = try TemporaryFolder()
    try AtomicFile(folder.path("\u{301}config")).write([1])
    #expect(folder.read("\u{301}config") == [1])
  }

  @Test func leavesNoTemporaryFileOnFailure() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("config")
    #expect(throws: StoreError.folderInPlaceOfFile(path: folder.path("config"))) {
      try AtomicFile(folder.path("config")).write([1])
    }
    #expect(throws: StoreError.self) { try AtomicFile(folder.path("nowhere/config")).write([1]) }
    #expect(folder.names(in: folder.path) == ["config"])
  }
}
