import ContentModel
import Hashing
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

  /// Signs on a machine that has neither the content nor the target: an empty folder.
  func sign(
    _ folder: String = "prep", by keys: [String] = ["ann", "bob"],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for key in keys {
      let other = try Sandbox([])
      try sandbox.shell("cp -R \(folder) secrets/\(key).pem '\(other.root)/'")
      let outcome = try other.run(
        Sandbox.binary, ["keys", "sign", "--prepared", folder, "--with", "\(key).pem"])
      #expect(outcome.status == 0, "\(outcome)", sourceLocation: location)
      try sandbox.shell("rm -r \(folder) && cp -R '\(other.root)/\(folder)' .")
    }
  }

  /// Runs a command with --prepare, which leaves the target as it is.
  @discardableResult func prepare(
    _ words: [String], at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    let before = state
    let result = try run(words + ["--prepare", "prep", "--json"], status: 0, at: location)
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

  /// Prepares, signs and publishes.
  func publish(_ words: [String] = ["publish", "qa"]) throws {
    try prepare(words)
    try sign()
    try run(words + ["--signatures", "prep"], status: 0)
    try sandbox.shell("rm -r prep")
  }

  func edit(_ title: String) throws {
    try sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
  }
}
