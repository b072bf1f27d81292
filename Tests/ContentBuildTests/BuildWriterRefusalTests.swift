import ContentBuild
import ContentModel
import System
import SystemC
import Testing

struct BuildWriterRefusalTests {
  let folder: TemporaryFolder
  let out: String

  init() throws {
    folder = try TemporaryFolder()
    out = folder.path("out")
  }

  @Test func refusesAConcurrentBuild() throws {
    let writer = try BuildWriter(folder: out)
    try withExtendedLifetime(writer) {
      #expect(throws: StoreError.busy(folder: out)) { try BuildWriter(folder: out) }
      try Release("roses").stage(in: writer)
    }
  }

  @Test func releasesTheLockOfAnUnfinishedBuild() throws {
    for _ in 0..<2 { try Release("roses").stage(in: BuildWriter(folder: out)) }
    #expect(folder.names(in: out) == [])
  }

  @Test(arguments: [["holiday.jpg"], ["objects", "thesis.tex"], ["HEAD", "objects", "refs"]])
  func refusesAForeignFolder(names: [String]) throws {
    folder.makeFolder("out")
    for name in names { folder.overwrite("out/\(name)", [1]) }
    let error = #expect(throws: StoreError.self) { try BuildWriter(folder: out) }
    #expect(error?.kind == .notOurs)
    #expect(folder.names(in: out) == names)
  }

  @Test func acceptsAFolderWithOnlyAReadme() throws {
    folder.makeFolder("out")
    folder.overwrite("out/README.md", [1])
    let release = try Release("roses")
    try release.write(to: out)
    #expect(release.isWhole(in: folder))
  }

  /// The name has more bytes than characters.
  @Test func followsALinkToAFolderBesideIt() throws {
    folder.makeFolder("site")
    folder.link("site", as: "w\u{F6}rter")
    #expect(throws: Never.self) { _ = try BuildWriter(folder: folder.path("w\u{F6}rter")) }
  }

  @Test func refusesALinkOutOfTheFolderThatHoldsIt() throws {
    folder.makeFolder("site")
    folder.makeFolder("a")
    let path = folder.path("a/\u{F6}\u{F6}")
    folder.link("../site", as: "a/\u{F6}\u{F6}")
    #expect(throws: StoreError.symbolicLink(path: path)) { _ = try BuildWriter(folder: path) }
  }

  @Test func refusesAFileInPlaceOfTheFolder() throws {
    folder.overwrite("out", [1])
    let error = #expect(throws: StoreError.self) { try BuildWriter(folder: out) }
    #expect(error?.kind == .notAFolder)
    #expect(folder.read("out") == [1])
  }

  @Test(arguments: ["objects", "preview", "preview/latest"])
  func refusesASymbolicLinkInPlaceOfAFolder(name: String) throws {
    let elsewhere = try TemporaryFolder()
    for made in ["out", "out/objects", "out/preview", "out/preview/latest"]
    where "out/\(name)" != made {
      folder.makeFolder(made)
    }
    folder.link(elsewhere.path, as: "out/\(name)")
    #expect(throws: StoreError.symbolicLink(path: "\(out)/\(name)")) {
      try Release("roses").write(to: out)
    }
    #expect(elsewhere.names(in: elsewhere.path) == [])
  }

  @Test(arguments: ["objects", "preview"])
  func refusesAFileInPlaceOfASubfolder(name: String) throws {
    folder.makeFolder("out")
    folder.overwrite("out/\(name)", [1])
    let error = #expect(throws: StoreError.self) { try Release("roses").write(to: out) }
    #expect(error == .failed(.createFolder, path: "\(out)/\(name)", errno: ENOTDIR))
    #expect(folder.files(below: "out") == [name])
  }

  @Test func refusesAFolderInPlaceOfConfig() throws {
    folder.makeFolder("out")
    folder.makeFolder("out/preview")
    folder.makeFolder("out/\(Release.configPath)")
    let release = try Release("roses")
    #expect(throws: StoreError.folderInPlaceOfFile(path: "\(out)/\(Release.configPath)")) {
      try release.write(to: out)
    }
  }

  @Test(arguments: [
    "", "/etc/x", "../x", "a//b", "a/./b", "a/..", "a/", ".contentc-staging/1", "a\0b",
  ])
  func refusesInvalidPaths(path: String) throws {
    let writer = try BuildWriter(folder: out)
    #expect(throws: StoreError.invalidPath(path)) { try writer.add(file: path, bytes: []) }
    #expect(throws: StoreError.invalidPath(path)) { try writer.commit(config: path, bytes: []) }
  }

  @Test func refusesALinkToAMissingObject() throws {
    let writer = try BuildWriter(folder: out)
    let digest = try sampleDigest(from: "roses")
    try writer.add(file: "latest.plist", linkingTo: digest, extension: "plist")
    #expect(throws: StoreError.missingObject(path: "latest.plist", object: path(of: digest))) {
      try writer.commit(config: Release.configPath, bytes: [])
    }
    #expect(folder.files(below: "out") == [])
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
  func refusesAnUnwritableFolder() throws {
    folder.makeFolder("out")
    chmod(out, 0o555)
    defer { chmod(out, 0o755) }
    let error = #expect(throws: StoreError.self) { try BuildWriter(folder: out) }
    #expect(error?.kind == .permission)
  }

  @Test(arguments: [
    (ENOSPC, StoreError.Kind.diskFull), (EDQUOT, .diskFull), (EROFS, .readOnly),
    (ENOTDIR, .notAFolder),
    (EACCES, .permission), (EPERM, .permission), (EIO, .other),
  ])
  func classifiesSystemErrors(code: Int32, kind: StoreError.Kind) {
    let error = StoreError.failed(.write, path: "out/x", errno: code)
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix("cannot write 'out/x': "))
  }
}
