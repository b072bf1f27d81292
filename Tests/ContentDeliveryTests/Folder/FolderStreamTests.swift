import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// Large files that are copied into a folder.
@Suite struct FolderStreamTests {
  let scratch: ScratchFolder
  let target: FolderTarget
  let sample: SampleFile

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    scratch.makeFolder("root")
    target = FolderTarget(scratch.path("root"))
    sample = try SampleFile(in: scratch)
  }

  @Test func copiesLargeFilesInPieces() throws {
    let file = try sample.outgoing(compressed: try sample.compressed(in: scratch))
    #expect(try target.create("a", as: file) && target.holds("a", as: file))
    #expect(try ScratchFolder.read(scratch.path("root/a")) == sample.bytes)
    #expect(try ScratchFolder.read(scratch.path("root/a.gz")) == file.compressed?.bytes)
    #expect(try !target.create("a", as: file))
    let tag = try #require(try target.read("a")).tag
    #expect(
      try target.replace("a", with: file, tagged: tag) && target.read("a")?.bytes == sample.bytes)
  }

  @Test func holdsOnlyTheSameContent() throws {
    let file = try sample.outgoing()
    #expect(try target.create("a", as: file))
    #expect(
      try target.holds("a", as: OutgoingFile(body: .bytes(sample.bytes), headers: file.headers)))
    SampleFile(bytes: sample.bytes, path: scratch.path("root/a")).apply(.changesAtItsEnd)
    #expect(try !target.holds("a", as: file))
    // A copy from another compressor is equally valid; a copy of other content is not.
    #expect(try target.create("b", as: file))
    try Program.run("/bin/sh", ["-c", "gzip -c '\(sample.path)' > '\(scratch.path("root/b.gz"))'"])
    #expect(try target.holds("b", as: file))
    try Program.run(
      "/bin/sh", ["-c", "gzip -c '\(scratch.path("root/a"))' > '\(scratch.path("root/b.gz"))'"])
    #expect(try !target.holds("b", as: file))
  }

  @Test(arguments: SampleFile.Change.allCases) func refusesAFileThatChanges(
    change: SampleFile.Change
  ) throws {
    let file = try sample.outgoing()
    sample.apply(change)
    let error = #expect(throws: TargetError.self) { try target.create("objects/aa/a", as: file) }
    #expect(
      error?.kind == .unreadable && error?.description.contains("'\(sample.path)' changed") == true)
    #expect(try target.list(below: "").isEmpty)
    #expect(scratch.names(in: "root/objects/aa").isEmpty)
  }
}
