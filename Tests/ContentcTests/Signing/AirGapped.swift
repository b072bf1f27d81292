import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Tests of a channel whose releases are signed on other machines.
protocol AirGapped {
  var shop: SignedShop { get }
}

extension SignedShop {
  /// Creates the project, whose `release` role needs two keys that only other machines have.
  static func airGapped() throws -> SignedShop {
    let shop = try SignedShop(withKeys: false)
    for name in ["root", "ann", "bob", "job"] { _ = try shop.makeKey(name) }
    try shop.writeSettings([("qa", "keys", "root"), ("qa", "fresh", "job")])
    try shop.succeed(
      "keys", "init", "qa", "--keys", "secrets/root.pub", "--release", "Ann=secrets/ann.pub",
      "--release", "Bob=secrets/bob.pub", "--fresh", "secrets/job.pub", "--threshold", "release=2")
    return shop
  }
}

extension AirGapped {
  var sandbox: Sandbox { shop.sandbox }

  /// A hash of all files at the target, and of their names.
  var state: Digest {
    Digest(
      of: sandbox.tree("site").flatMap { Array($0.path.utf8) + Digest(of: $0.bytes).bytes })
  }

  /// The hash of a draft, which a person takes to the machines that sign.
  func hash(_ folder: String = "draft") -> String {
    Digest(of: sandbox.read("\(folder)/draft.json") ?? []).hex
  }

  /// Signs on a machine that has neither the content nor the target: an empty folder.
  func sign(
    _ folder: String = "draft", by keys: [String] = ["ann", "bob"],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for key in keys {
      let other = try Sandbox([])
      try sandbox.shell("cp -R \(folder) secrets/\(key).pem '\(other.root)/'")
      let outcome = try other.run(
        Sandbox.binary, ["sign", folder, "--expect", hash(folder), "--with", "\(key).pem"])
      #expect(outcome.status == 0, "\(outcome)", sourceLocation: location)
      try sandbox.shell("rm -r \(folder) && cp -R '\(other.root)/\(folder)' .")
    }
  }

  /// Runs a command with --draft, which leaves the target as it is.
  @discardableResult func draft(
    _ words: [String], at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    let before = state
    let result = try run(words + ["--draft", "draft", "--json"], status: 0, at: location)
    #expect(state == before, sourceLocation: location)
    return try? PropertyList.decode(Array(result.output.utf8)).value
  }

  @discardableResult func run(
    _ words: [String], status: Int32, says text: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let outcome = try sandbox.run(
      Sandbox.binary, words, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    #expect(outcome.status == status, "\(words): \(outcome)", sourceLocation: location)
    #expect(outcome.errors.contains(text), "\(words): \(outcome.errors)", sourceLocation: location)
    return outcome
  }

  /// Imports a draft, which may be refused.
  @discardableResult func importDraft(
    _ folder: String = "draft", status: Int32 = 0, says text: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    try run(["sign", "import", folder], status: status, says: text, at: location)
  }

  /// Drafts, signs and imports.
  func publish(
    _ words: [String] = ["publish", "qa"], at location: SourceLocation = #_sourceLocation
  ) throws {
    try draft(words, at: location)
    try sign(at: location)
    try importDraft(at: location)
    try sandbox.shell("rm -r draft")
  }

  func edit(_ title: String) throws {
    try sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
  }
}
