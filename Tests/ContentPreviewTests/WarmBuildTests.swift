import ContentBuild
import ContentModel
import System
import TestServers
import Testing

/// The edits that the preview builds in memory and writes later.
@Suite struct WarmBuildTests {
  private let folder: ScratchFolder
  private let request: BuildRequest

  init() throws {
    folder = try ScratchFolder()
    for name in ["content", "content/datatypes", "content/entries"] { folder.makeFolder(name) }
    for (path, text) in [
      (
        "content.yaml",
        "app: shop\nsourceLocale: en\nlocales: [en]\nbundles: {all: {include: '**'}}\n"
      ),
      ("datatypes/product.yaml", "fields: {title: string}\n"),
      ("entries/product.yaml", "rose: {title: Rose}\n"),
    ] {
      try folder.write("content/\(path)", text)
    }
    request = BuildRequest(content: folder.path("content"), out: folder.path("out"))
    _ = try build(request, progress: NoProgress())
  }

  @Test func locksTheFolderOnlyDuringABuild() throws {
    #expect(try !BuildWriter.isBusy(folder: folder.path("out")))
    _ = try build(request, progress: NoProgress())
    #expect(try !BuildWriter.isBusy(folder: folder.path("out")))
  }

  @Test func writesAnEdit() throws {
    var warm = try #require(WarmBuild(of: request, into: FreshFiles()))
    let before = try folder.read("out/preview/config.plist")
    try folder.write("content/entries/product.yaml", "rose: {title: Red rose}\n")
    #expect(try warm.rebuild(after: Set(names: ["entries/product.yaml"])) != nil)
    #expect(try warm.flush())
    #expect(try folder.read("out/preview/config.plist") != before)
  }

  /// The other process ends its build at the last moment before this one takes the lock.
  @Test func keepsABuildOfAnotherProcess() throws {
    let (root, foreign) = (folder, "the config of another build, which is longer than this one")
    let steps = StoreSteps { _ throws(StoreError) in
      try? root.write("out/preview/config.plist", foreign)
    }
    var warm = try #require(WarmBuild(of: request, into: FreshFiles(), steps: steps))
    try folder.write("content/entries/product.yaml", "rose: {title: Red rose}\n")
    #expect(try warm.rebuild(after: Set(names: ["entries/product.yaml"])) != nil)
    #expect(try !warm.flush())
    #expect(try folder.read("out/preview/config.plist") == foreign)
  }
}
