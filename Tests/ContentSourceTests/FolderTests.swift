import ContentModel
import Diagnostics
import SystemC
import Testing

@testable import ContentSource

@Suite struct FolderTests {
  /// A content folder on disk, removed at the end of its test.
  private final class Disk {
    let root: String

    /// Writes a valid folder `content`, beside which a test can put outside files.
    init() throws {
      var template = Array("/tmp/contentc-folder-XXXXXX".utf8CString)
      root = String(cString: try #require(mkdtemp(&template)))
      mkdir("\(root)/content", 0o755)
      for (path, text) in SmallShop.texts { write(text, to: path) }
    }

    deinit { Self.remove(root) }

    private static func remove(_ path: String) {
      if unlink(path) == 0 { return }
      if let stream = opendir(path) {
        while let entry = readdir(stream) {
          let name = withUnsafeBytes(of: &entry.pointee.d_name) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
          }
          if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(stream)
      }
      rmdir(path)
    }

    func path(_ name: String) -> String { "\(root)/content/\(name)" }

    func write(_ text: String, to name: String) {
      let parts = name.split(separator: "/")
      for end in parts.indices.dropFirst() {
        mkdir(path(parts[..<end].joined(separator: "/")), 0o755)
      }
      guard let file = fopen(path(name), "w") else { return }
      fputs(text, file)
      fclose(file)
    }

    func read() throws -> [String] {
      let folder = try ContentFolder.disk(at: "\(root)/content", name: "content")
      return ContentReader.read(folder).diagnostics.map(\.line)
    }
  }

  @Test func readsAValidFolder() throws {
    let disk = try Disk()
    disk.write("not read", to: ".hidden/a.yaml")
    disk.write("not read", to: "entries/product/.rose.yaml.swp")
    #expect(try disk.read() == [])
  }

  /// The file is sparse, so it needs no disk space.
  @Test(arguments: ["entries/product/lily.yaml", "content.yaml", "strings/app.fr.yml"])
  func refusesYAMLThatIsTooLarge(path: String) throws {
    let disk = try Disk()
    disk.write("", to: path)
    truncate(disk.path(path), 20 << 30)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(
      try disk.read().filter { $0.hasSuffix("[too-large]") } == [
        "content/\(path): error: a YAML file must have at most 64 MiB; divide it, or delete it if it is not yours [too-large]"
      ])
    #expect(start.duration(to: clock.now) < .seconds(20))
  }

  @Test(arguments: ["assets/film.mp4", "assets/prices.yaml"])
  func refusesAssetsThatAreTooLarge(path: String) throws {
    let disk = try Disk()
    disk.write("", to: path)
    truncate(disk.path(path), 1 << 30 + 1)
    let folder = try ContentFolder.disk(at: "\(disk.root)/content", name: "content")
    let problem = ContentFolder.Problem.tooLarge(limit: 1 << 30)
    #expect(throws: problem) { try folder.read(path) }
    #expect(
      problem.diagnostic(at: path).message == "an asset must have at most 1 GiB; make it smaller")
  }

  /// An asset is no content, whatever its name is.
  @Test func readsALargeAssetOfYAML() throws {
    let disk = try Disk()
    disk.write("", to: "assets/prices.yaml")
    truncate(disk.path("assets/prices.yaml"), 64 << 20 + 1)
    let folder = try ContentFolder.disk(at: "\(disk.root)/content", name: "content")
    #expect(try folder.read("assets/prices.yaml").count == 64 << 20 + 1)
  }

  /// A slash and a combining mark behind it are one character.
  @Test func refusesALinkOutOfTheFolderThatHoldsIt() throws {
    let disk = try Disk()
    mkdir("\(disk.root)/a", 0o755)
    let link = "\(disk.root)/a/\u{301}content"
    symlink("../content", link)
    #expect(throws: ContentFolder.Problem.linksOutside) {
      try ContentFolder.disk(at: link, name: "content")
    }
  }

  @Test func followsALinkInsideTheFolder() throws {
    let disk = try Disk()
    symlink("rose.yaml", disk.path("entries/product/tulip.yaml"))
    let folder = try ContentFolder.disk(at: "\(disk.root)/content", name: "content")
    let read = ContentReader.read(folder)
    #expect(read.diagnostics.isEmpty)
    #expect(read.output?.entries.map(\.id.text).contains("product/tulip") == true)
  }

  @Test(arguments: [
    (
      "../../../outside.yaml",
      "a symbolic link must not lead out of the content folder [link-outside]"
    ),
    ("/etc/passwd", "a symbolic link must not lead out of the content folder [link-outside]"),
    (
      "tulip.yaml",
      "a symbolic link must lead to a file; this one leads back to itself [cyclic-link]"
    ),
    ("nowhere.yaml", "a symbolic link must lead to a file; this one leads nowhere [dangling-link]"),
    (
      "rose.yaml/nowhere",
      "a symbolic link must lead to a file; this one leads nowhere [dangling-link]"
    ),
    ("../product", "a symbolic link must lead to a file, not to a folder [link-to-folder]"),
  ])
  func refusesALink(target: String, message: String) throws {
    let disk = try Disk()
    disk.write("title: Outside\n", to: "../outside.yaml")
    symlink(target, disk.path("entries/product/tulip.yaml"))
    #expect(try disk.read() == ["content/entries/product/tulip.yaml: error: \(message)"])
  }

  @Test func refusesALinkToASiblingWithTheSamePrefix() throws {
    let disk = try Disk()
    disk.write("title: Outside\n", to: "../content-old/tulip.yaml")
    mkdir("\(disk.root)/content-old", 0o755)
    disk.write("title: Outside\n", to: "../content-old/tulip.yaml")
    symlink("../../../content-old/tulip.yaml", disk.path("entries/product/tulip.yaml"))
    #expect(
      try disk.read() == [
        "content/entries/product/tulip.yaml: error: a symbolic link must not lead out of the content folder [link-outside]"
      ])
  }

  @Test func refusesAFolderWhereAFileBelongs() throws {
    let disk = try Disk()
    mkdir(disk.path("entries/product/tulip.yaml"), 0o755)
    #expect(
      try disk.read() == [
        "content/entries/product/tulip.yaml: error: a folder must not have the name of a file [folder-for-file]"
      ])
  }

  @Test func doesNotReportConsequencesOfADanglingLink() throws {
    let disk = try Disk()
    unlink(disk.path("entries/product/rose.yaml"))
    symlink("nowhere", disk.path("entries/product/rose.yaml"))
    unlink(disk.path("datatypes/product.yaml"))
    symlink("nowhere", disk.path("datatypes/product.yaml"))
    mkdir(disk.path("assets"), 0o755)
    symlink("nowhere", disk.path("assets/rose.png"))
    disk.write("open: false\nfields: {picture: asset}\n", to: "datatypes/note.yaml")
    disk.write("picture: rose.png\n", to: "entries/note/one.yaml")
    #expect(
      try disk.read().sorted()
        == ["assets/rose.png", "datatypes/product.yaml", "entries/product/rose.yaml"].map {
          "content/\($0): error: a symbolic link must lead to a file; this one leads nowhere [dangling-link]"
        })
  }

  @Test func refusesAFolderInPlaceOfTheProject() throws {
    let disk = try Disk()
    unlink(disk.path("content.yaml"))
    mkdir(disk.path("content.yaml"), 0o755)
    #expect(
      try disk.read() == [
        "content/content.yaml: error: a folder must not have the name of a file [folder-for-file]"
      ]
    )
  }

  @Test func refusesAFileWhereAFolderBelongs() throws {
    let disk = try Disk()
    disk.write("", to: "assets")
    #expect(
      try disk.read() == [
        "content/assets: error: a file must not have the name of a folder [file-for-folder]"
      ])
  }

  @Test(arguments: ["entries/product/tulip.yaml", "assets/tulip.png"])
  func refusesAPipeWithoutWaitingForIt(name: String) throws {
    let disk = try Disk()
    mkdir(disk.path("assets"), 0o755)
    mkfifo(disk.path(name), 0o644)
    #expect(
      try disk.read() == [
        "content/\(name): error: content must be plain files, not devices, pipes or sockets [not-a-file]"
      ])
  }

  @Test func refusesAFileThatBecomesAPipeAfterItWasListed() throws {
    let disk = try Disk()
    let folder = try ContentFolder.disk(at: "\(disk.root)/content", name: "content")
    unlink(disk.path("entries/product/rose.yaml"))
    mkfifo(disk.path("entries/product/rose.yaml"), 0o644)
    unlink(disk.path("maintenance.yaml"))
    #expect(
      ContentReader.read(folder).diagnostics.map(\.line) == [
        "content/entries/product/rose.yaml: error: content must be plain files, not devices, pipes or sockets [not-a-file]",
        "content/maintenance.yaml: error: the file must be there [missing-file]",
      ])
  }

  @Test func reportsAnUnreadableFile() {
    var folder = ContentFolder(files: SmallShop.files)
    let read = folder.read
    folder.read = { path throws(ContentFolder.Problem) in
      if path == "entries/product/rose.yaml" { throw .unreadable(reason: "Permission denied") }
      return try read(path)
    }
    #expect(
      ContentReader.read(folder).diagnostics.map(\.line) == [
        "content/entries/product/rose.yaml: error: the file must be readable: Permission denied [unreadable-file]"
      ])
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func reportsAnUnreadableFolder() throws {
    let disk = try Disk()
    chmod(disk.path("entries/product"), 0)
    defer { chmod(disk.path("entries/product"), 0o755) }
    #expect(
      try disk.read() == [
        "content/entries/product: error: the folder must be readable: Permission denied [unreadable-file]"
      ])
  }

  @Test func refusesNamesThatAreNotUTF8() throws {
    let disk = try Disk()
    var path = Array(disk.path("entries/product/").utf8CString.dropLast())
    path += [CChar(bitPattern: 0xE9)] + ".yaml".utf8CString
    fclose(fopen(path, "w"))
    #expect(
      try disk.read() == [
        "content/entries/product/\u{FFFD}.yaml: error: a file's name must be UTF-8 [file-name]"
      ])
  }

  @Test func throwsIfThereIsNoFolder() throws {
    let disk = try Disk()
    #expect(throws: ContentFolder.Problem.missing) {
      try ContentFolder.disk(at: disk.path("no"), name: "no")
    }
    #expect(throws: ContentFolder.Problem.unreadable(reason: "it is not a folder")) {
      try ContentFolder.disk(at: disk.path("content.yaml"), name: "content.yaml")
    }
  }
}
