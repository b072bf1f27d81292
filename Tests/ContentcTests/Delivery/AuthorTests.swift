import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// The authors in release records.
@Suite struct AuthorTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      echo 'channels: {qa: {target: site}}' >> content/content.yaml
      git init -q . && git config user.name 'Ann "Q" Editor' && git config user.email ann@example.com
      git add content && git commit -qm first
      """)
  }

  @Test func recordsTheCommitAndGitsUser() throws {
    let commit = try sandbox.shell("git rev-parse HEAD").output.filter { !$0.isNewline }
    #expect(commit.count == 40)
    let release = try published()
    #expect(release["by"] == "Ann \"Q\" Editor" && release["commit"] == .string(commit))
    let line = try sandbox.run("history").output
    #expect(line.contains("by Ann \"Q\" Editor  \(commit.prefix(7))"), "\(line)")
    try sandbox.shell("git pack-refs --all")
    try edit()
    #expect(try published()["commit"] == .string(commit))
  }

  @Test(arguments: ["GITHUB_ACTOR", "GITLAB_USER_LOGIN"])
  func prefersTheUserOfTheCIServer(variable: String) throws {
    #expect(try published(environment: ["\(variable)=octocat"])["by"] == "octocat")
    try edit()
    #expect(try published("--by", "me", environment: ["\(variable)=octocat"])["by"] == "me")
  }

  @Test func namesNoAuthorOnRequest() throws {
    let release = try published("--by", "", environment: ["GITHUB_ACTOR=octocat"])
    #expect(release["by"] == nil && release["release"] == 1)
  }

  @Test func findsTheCommitOfAWorktree() throws {
    let made = try sandbox.shell("git worktree add -q tree && cd tree && git rev-parse HEAD")
    let commit = made.output.filter { !$0.isNewline }
    let outcome = try sandbox.run(
      "publish", "--content", "tree/content", "--out", "tree/out", "--json")
    #expect(
      try PropertyList.decode(Array(outcome.output.utf8), as: .json).value["commit"]
        == .string(commit))
  }

  private func edit() throws {
    try sandbox.shell("sed -i 's/title: Rose/title: Rosa/' content/entries/product/rose.yaml")
  }

  private func published(_ flags: String..., environment: [String] = []) throws -> Value {
    let outcome = try sandbox.run(
      Sandbox.binary, ["publish", "--json"] + flags, environment: environment)
    return try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
  }
}
