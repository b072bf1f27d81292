import Testing

@testable import TestCommands

/// New secret keys, which `keys init --new` makes.
@Suite struct NewKeysTests {
  private let shop: SignedShop
  private var sandbox: Sandbox { shop.sandbox }

  init() throws { shop = try SignedShop(withKeys: false) }

  /// Runs the command, which fails, and then again after the remedy.
  private func failsAndThenSucceeds(
    _ message: String, after cause: String, remedy: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    try sandbox.shell(cause)
    let before = sandbox.files()
    let failed = try shop.run("keys", "init", "qa", "--new", "secrets")
    #expect(failed.status != 0, "\(failed)", sourceLocation: location)
    #expect(failed.errors.contains(message), "\(failed)", sourceLocation: location)
    #expect(sandbox.files() == before, sourceLocation: location)
    try sandbox.shell(remedy)
    try shop.succeed("keys", "init", "qa", "--new", "secrets")
  }

  @Test func theFirstDocumentIsComparedWithNothing() throws {
    let made = try shop.run("keys", "init", "qa", "--new", "secrets")
    let lines = made.output.split(separator: "\n").map(String.init)
    try #require(lines.count > 8, "\(made)")
    #expect(lines[0] == "Wrote content/keys/qa/1.json", "\(made)")
    #expect(lines[1].hasPrefix("  adds to 'keys': ") && lines[1].hasSuffix(" keys"), "\(made)")
    #expect(lines.contains("  is for the channel qa"), "\(made)")
    let renewed = try SignedShop().run("keys", "renew", "qa").output.split(separator: "\n")
    try #require(renewed.count > 2)
    #expect(renewed[1] == "  compared with document 1, which counts now, it", "\(renewed)")
    #expect(renewed[2].hasPrefix("    counts until "), "\(renewed)")
  }

  @Test func failureBetweenTheKeysLeavesNone() throws {
    try failsAndThenSucceeds(
      "the key cannot be written", after: "mkdir secrets && ln -s nowhere secrets/release.pem",
      remedy: "rm secrets/release.pem")
  }

  @Test func failureOfTheDocumentLeavesNoKey() throws {
    try failsAndThenSucceeds(
      "the file cannot be written", after: "mkdir content/keys && ln -s nowhere content/keys/qa",
      remedy: "rm content/keys/qa && test ! -e secrets")
  }

  @Test(arguments: ["777", "775", "757"])
  func refusesAFolderThatOthersMayWrite(mode: String) throws {
    try failsAndThenSucceeds(
      "other users may write this folder", after: "mkdir secrets && chmod \(mode) secrets",
      remedy: "chmod go-w secrets")
  }
}
