import ContentModel
import SharedGzip
import System
import SystemC
import TestInputs
import Testing

@testable import ContentBuild

struct BuildWriterTests {
  let folder: TemporaryFolder
  let out: String

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path("out")
  }

  @Test func writesOnlyAddedFiles() throws {
    let release = try Release("roses", "tulips", files: [("maintenance/any.json", "{}")])
    let summary = try release.write(to: out)
    #expect(folder.files(below: "out") == release.paths)
    #expect(release.isWhole(in: folder))
    #expect(folder.read("out/maintenance/any.json") == Array("{}".utf8))
    #expect(summary.objectsWritten == 2 && summary.objectsKept == 0 && summary.filesWritten == 4)
    #expect(summary.bytesTotal == release.objects.map(\.bytes.count).reduce(0, +))
    #expect(summary.gzipBytesTotal > 0 && summary.gzipBytesTotal < summary.bytesTotal)
  }

  @Test func usesNoFinalNamesBeforeCommit() throws {
    let writer = try BuildWriter(folder: out)
    try Release("roses", files: [("build.plist", "b")]).stage(in: writer)
    #expect(folder.names(in: out) == [".contentc-staging"])
    writer.discard()
    #expect(folder.names(in: out) == [])
  }

  @Test func keepsUnchangedFiles() throws {
    let release = try Release("roses", "tulips", files: [("build.plist", "b")])
    try release.write(to: out)
    let numbers = release.paths.map { folder.number(of: "out/\($0)") }
    let summary = try release.write(to: out)
    #expect(release.paths.map { folder.number(of: "out/\($0)") } == numbers)
    #expect(summary.objectsKept == 2 && summary.filesKept == 4)
    #expect(summary.objectsWritten == 0 && summary.filesWritten == 0 && summary.bytesWritten == 0)
  }

  @Test func linksLatestNamesToTheirObject() throws {
    let release = try Release("roses")
    try release.write(to: out)
    let digest = try #require(release.objects.first?.digest)
    #expect(
      folder.number(of: "out/\(path(of: digest))") == folder.number(of: "out/\(latest(of: digest))")
    )
  }

  @Test(arguments: ["", ".gz"])
  func replacesADamagedObject(ending: String) throws {
    let release = try Release("roses", "tulips")
    try release.write(to: out)
    let object = try #require(release.objects.first)
    let damaged = "out/\(path(of: object.digest))\(ending)"
    let (before, number) = (try #require(folder.read(damaged)), folder.number(of: damaged))
    folder.overwrite(damaged, [UInt8](repeating: 0, count: before.count))
    try release.write(to: out)
    #expect(folder.read(damaged) == before)
    #expect(folder.number(of: damaged) != number)
    #expect(folder.read("out/\(latest(of: object.digest))") == object.bytes)
  }

  @Test func replacesALinkInPlaceOfAnObject() throws {
    let release = try Release("roses")
    let object = try #require(release.objects.first)
    try release.write(to: out)
    folder.overwrite("precious", object.bytes)
    folder.remove("out/\(path(of: object.digest))")
    folder.link(folder.path("precious"), as: "out/\(path(of: object.digest))")
    let number = folder.number(of: "precious")
    try release.write(to: out)
    #expect(folder.number(of: "out/\(path(of: object.digest))") != number)
    #expect(folder.read("precious") == object.bytes)
    #expect(folder.files(below: "out") == release.paths)
  }

  @Test func omitsCompressedFilesThatAreNotSmaller() throws {
    let writer = try BuildWriter(folder: out)
    let digest = try sampleDigest(from: "tiny")
    try writer.add(object: digest, extension: "png", bytes: [1, 2, 3], compress: true)
    _ = try writer.commit(config: Release.configPath, bytes: [])
    #expect(
      folder.names(in: folder.path("out/objects/\(digest.hex.prefix(2))")) == ["\(digest.hex).png"])
  }

  @Test(arguments: [true, false])
  func keepsTheLastOfTwoFilesWithOnePath(isFirstBuild: Bool) throws {
    if !isFirstBuild { try Release("roses", files: [("maintenance/a", "first")]).write(to: out) }
    let files = [("maintenance/a", "first"), ("maintenance/b/c", "x"), ("maintenance/a", "second")]
    try Release("roses", files: files).write(to: out)
    #expect(folder.read("out/maintenance/a") == Array("second".utf8))
    #expect(folder.read("out/maintenance/b/c") == Array("x".utf8))
  }

  @Test func refusesAFileInPlaceOfANewFolder() throws {
    let writer = try BuildWriter(folder: out)
    try Release("roses").stage(in: writer)
    folder.overwrite("out/preview", [1])
    #expect(throws: StoreError.failed(.rename, path: "\(out)/preview", errno: EEXIST)) {
      try writer.commit(config: Release.configPath, bytes: [])
    }
    #expect(folder.names(in: out) == [".contentc-staging", "preview"])
  }

  @Test func makesNoCompressedFilesUnlessAskedFor() throws {
    let release = try Release("roses", "tulips")
    try release.write(to: out)
    let writer = try BuildWriter(folder: out, compresses: false)
    try release.stage(in: writer)
    let summary = try writer.commit(config: Release.configPath, bytes: release.config)
    #expect(summary.straysRemoved == 2 && summary.objectsKept == 2 && summary.gzipBytesTotal == 0)
    #expect(folder.files(below: "out") == release.paths.filter { !$0.hasSuffix(".gz") })
  }

  @Test func compressesEqualPartsOnce() throws {
    var random = SeededGenerator(seed: 1)
    let shared = random.bytes(20_000)
    let writer = try BuildWriter(folder: out)
    let objects = try ["roses", "tulips"].map {
      (try sampleDigest(from: $0), shared + random.bytes(5000))
    }
    for (digest, bytes) in objects {
      try writer.add(
        object: digest, extension: "plist", bytes: bytes, compress: true, seams: [20_000])
    }
    #expect(writer.compressor?.compressions == 3)
    _ = try writer.commit(config: Release.configPath, bytes: [])
    for (digest, bytes) in objects {
      let member = try #require(folder.read("out/\(path(of: digest)).gz"))
      #expect(try Gzip.decompress(member, limit: bytes.count) == bytes)
    }
  }

  @Test func addsEqualObjectsOnce() async throws {
    let writer = try BuildWriter(folder: out)
    let release = try Release("roses", "tulips", "lilies")
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 { group.addTask { try release.stage(in: writer) } }
      try await group.waitForAll()
    }
    let summary = try writer.commit(config: Release.configPath, bytes: release.config)
    #expect(summary.objectsWritten == 3)
    #expect(folder.files(below: "out") == release.paths)
  }

  @Test func removesStrayFilesButKeepsAReadme() throws {
    try Release("roses", files: [("old/deep/file", "x")]).write(to: out)
    let precious = try TemporaryFolder()
    precious.overwrite("kept", [1])
    for name in ["README.md", ".gitignore", "stray", "objects/stray", "preview/README.md"] {
      folder.overwrite("out/\(name)", [1])
    }
    folder.link(precious.path, as: "out/linked-folder")
    folder.link("nowhere", as: "out/preview/dangling")
    folder.makeFolder("out/empty")
    folder.makeFolder("out/empty/nested")
    let release = try Release("tulips")
    let summary = try release.write(to: out)
    #expect(folder.files(below: "out") == ([".gitignore", "README.md"] + release.paths).sorted())
    #expect(folder.names(in: out) == [".gitignore", "README.md", "objects", "preview"])
    #expect(precious.read("kept") == [1])
    #expect(summary.straysRemoved == 3 + 1 + 3 + 2)
  }

  @Test func removesTemporaryFilesOfKilledBuilds() throws {
    let release = try Release("roses")
    try release.write(to: out)
    folder.makeFolder("out/.contentc-staging")
    folder.overwrite("out/.contentc-staging/1", [1])
    folder.overwrite("out/preview/.config.plist.4711.tmp", [1])
    try release.write(to: out)
    #expect(folder.files(below: "out") == release.paths)
  }
}
