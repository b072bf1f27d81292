import Testing

@testable import TestCommands

/// What `Scripts/dist.py` refuses before it changes anything; `Scripts/check-dist.py` tries the rest.
@Suite struct DistributionTests {
  private static let list = "usr/local/share/doc/contentc/installed-files"
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  private func dist(_ arguments: String...) throws -> Outcome {
    try sandbox.run(
      "/usr/bin/env", ["python3", "\(Sandbox.checkout)/Scripts/dist.py"] + arguments)
  }

  @Test func uninstallRemovesWhatTheListNames() throws {
    let folder = "it's a folder"
    let files = ["bin/contentc", "share/man/man1/contentc-keys-init.1"]
    for file in files + ["bin/other"] { try sandbox.write("\(folder)/usr/local/\(file)", "") }
    let lines = files.map { "usr/local/\($0)\n" } + ["\(Self.list)\n", "usr/local/share/\n"]
    try sandbox.write("\(folder)/\(Self.list)", lines.joined())
    let done = try dist("uninstall", "--destdir", folder)
    #expect(done.status == 0, "\(done)")
    #expect(sandbox.files() == ["\(folder)/usr/local/bin/other"])
  }

  /// Whoever can write the list must not choose what root removes.
  @Test(arguments: [
    "usr/local/bin/other", "usr/local/share/doc/contentc/../../../bin/other", "/etc/passwd",
    "usr/local/share/man/man1/other.1", "etc/passwd", "../bin/other", "other/",
  ])
  func uninstallRefusesAListWithFilesOfOthers(line: String) throws {
    for file in ["bin/contentc", "bin/other", "share/man/man1/other.1"] {
      try sandbox.write("folder/usr/local/\(file)", "")
    }
    try sandbox.write("folder/\(Self.list)", "usr/local/bin/contentc\n\(line)\n")
    let before = sandbox.files()
    let done = try dist("uninstall", "--destdir", "folder")
    #expect(done.status == 1 && done.errors.contains("nothing was changed"), "\(done)")
    #expect(done.errors.contains("'\(line)'"), "\(done)")
    #expect(sandbox.files() == before)
  }

  @Test func uninstallRefusesAFolderWithoutAList() throws {
    let done = try dist("uninstall", "--destdir", "folder")
    #expect(done.status == 1 && done.errors.contains("installed nothing"), "\(done)")
  }

  /// The folder of the packages is emptied, and a key in it would be lost.
  @Test(arguments: ["release.pem", "notes/text"])
  func packKeepsFilesOfOthers(name: String) throws {
    for file in [name, "SHA256SUMS"] { try sandbox.write("dist/\(file)", "") }
    let before = sandbox.files()
    let done = try dist("pack", "contentc", "--into", "dist")
    let first = name.split(separator: "/")[0]
    #expect(done.status == 1 && done.errors.contains("'\(first)'"), "\(done)")
    #expect(sandbox.files() == before)
  }
}
