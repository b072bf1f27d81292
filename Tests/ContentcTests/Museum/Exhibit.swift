import ContentModel
import Foundation
import TestInputs
import Testing

@testable import TestCommands

/// What one version of contentc wrote: a folder of `Tests/Exhibits`, which
/// `Scripts/make-exhibit.py` recorded.
struct Exhibit: CustomTestStringConvertible, Sendable {
  /// The commit, or the number, of the version.
  let name: String

  var testDescription: String { name }

  static let folder = "Tests/Exhibits"
  static let all: [Exhibit] = {
    let path = CheckedOutFiles.path(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().filter { !$0.hasSuffix(".txt") }.map(Exhibit.init)
  }()

  /// The exhibit of the present formats.
  static var newest: Exhibit { Exhibit(name: "46b34e90") }

  /// A project of the exhibits.
  enum Project: String, CaseIterable {
    /// Two channels without signatures.
    case open
    /// A channel whose keys were rotated.
    case signed
  }

  /// Returns a copy of a project, in which commands run.
  func copy(of project: Project) throws -> ExhibitCopy {
    let sandbox = try Sandbox()
    let path = CheckedOutFiles.path("\(Self.folder)/\(name)/\(project.rawValue)")
    // Git does not keep that only the owner may read settings and secret keys.
    let done = try sandbox.shell(
      "cp -R '\(path)/.' . && chmod 600 settings.yaml && find . -name '*.pem' -exec chmod 600 {} +")
    try #require(done.status == 0, "\(done.errors)")
    return ExhibitCopy(sandbox: sandbox)
  }
}

/// A copy of a project of an exhibit.
struct ExhibitCopy {
  let sandbox: Sandbox

  func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  func run(_ arguments: [String]) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments, environment: environment)
  }

  /// Runs `contentc`, which must succeed; returns its JSON if an argument asks for it.
  @discardableResult func succeed(
    _ arguments: String..., at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    try sandbox.succeed(arguments, environment: environment, at: location)
  }

  private var environment: [String] {
    ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml", "HOME=\(sandbox.root)"]
  }

  /// Every file of the target with its bytes.
  var target: [String: [UInt8]] {
    Dictionary(sandbox.tree("site").map { ($0.path, $0.bytes) }) { first, _ in first }
  }
}
