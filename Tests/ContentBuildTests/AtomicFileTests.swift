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
