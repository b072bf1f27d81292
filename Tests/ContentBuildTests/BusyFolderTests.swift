import Synchronization
import System
import Testing

@testable import ContentBuild

/// Builds into a folder to which another process is writing.
@Suite struct BusyFolderTests {
  private let folder: TemporaryFolder
  private let request: BuildRequest

  init() throws {
    folder = try TemporaryFolder()
    for name in ["content", "content/datatypes", "content/entries"] { folder.makeFolder(name) }
    for (path, text) in [
      (
        "content.yaml",
        "app: shop\nsourceLocale: en\nlocales: [en]\nbundles: {all: {include: '**'}}\n"
      ),
      ("datatypes/product.yaml", "fields: {title: string}\n"),
      ("entries/product.yaml", "rose: {title: Rose}\n"),
    ] {
      folder.overwrite("content/\(path)", Array(text.utf8))
    }
    request = BuildRequest(content: folder.path("content"), out: folder.path("out"))
  }

  /// The second build finds nothing to do, and the third one compiles an edit.
  @Test func waitsForTheEndOfTheOtherBuild() throws {
    for title in ["Rose", "Rose", "Red rose"] {
      folder.overwrite("content/entries/product.yaml", Array("rose: {title: \(title)}\n".utf8))
      let other = OtherBuild(try BuildWriter(folder: request.out))
      let outcome = try build(request, progress: other, patience: .seconds(60))
      #expect(outcome.product != nil)
      #expect(other.waits == 1)
    }
  }

  @Test(arguments: [Duration.zero, .milliseconds(20)])
  func refusesIfTheOtherBuildGoesOn(patience: Duration) throws {
    let other = try BuildWriter(folder: request.out)
    #expect(throws: StoreError.busy(folder: request.out)) {
      try build(request, progress: NoProgress(), patience: patience)
    }
    other.discard()
  }
}

/// Another build, which ends as soon as the observed one waits.
///
/// A class, since the observed build and the test share it.
private final class OtherBuild: BuildProgress {
  private let writer: Mutex<BuildWriter?>
  private let count = Mutex(0)

  init(_ writer: BuildWriter) { self.writer = Mutex(writer) }

  /// The number of waits so far.
  var waits: Int { count.withLock { $0 } }

  func begin(_ stage: BuildStage) {
    guard stage == .waiting else { return }
    count.withLock { $0 += 1 }
    writer.withLock { $0 = nil }
  }

  func advance() {}
}
