import ContentReleases
import TestServers
import Testing

/// What is read from a folder of git.
@Suite struct RepositoryTests {
  private static let commits = (
    String(repeating: "a", count: 40), String(repeating: "b", count: 40)
  )

  private func repository(head: String, _ folder: ScratchFolder) throws -> Repository? {
    for name in [".git", ".git/refs", ".git/refs/heads"] { folder.makeFolder(name) }
    try folder.write(".git/HEAD", "ref: refs/heads/\(head)\n")
    try folder.write(
      ".git/packed-refs",
      "\(Self.commits.0) refs/heads/caf\u{E9}\n\(Self.commits.1) refs/heads/cafe\u{301}\n")
    return Repository(around: folder.path)
  }

  @Test func distinguishesBranchesByTheBytesOfTheirNames() throws {
    let folder = try ScratchFolder()
    #expect(try repository(head: "caf\u{E9}", folder)?.commit == Self.commits.0)
    #expect(try repository(head: "cafe\u{301}", folder)?.commit == Self.commits.1)
  }

  /// A slash and a combining mark behind it are one character.
  @Test func isFoundDirectlyAboveAFolder() throws {
    let folder = try ScratchFolder()
    #expect(try repository(head: "caf\u{E9}", folder) != nil)
    let found = Repository(around: folder.path("\u{301}a"))
    #expect(found?.commit == Self.commits.0)
  }

  /// A slash and a combining mark behind it are one character.
  @Test func followsNoBranchToAParentFolder() throws {
    let folder = try ScratchFolder()
    let repository = try repository(head: "../\u{301}a", folder)
    try folder.write(".git/refs/\u{301}a", Self.commits.0)
    #expect(repository != nil && repository?.commit == nil)
  }
}
