import ContentModel
import Testing

@testable import TestCommands

/// `--pseudo` adds locales to a build, and changes nothing else.
@Suite struct PseudoBuildTests {
  let sandbox: Sandbox

  init() throws { sandbox = try Sandbox(EditingShop.files) }

  /// The hash of each file of a build, by path.
  private func build(_ flags: String...) throws -> [String: Digest] {
    let done = try sandbox.run(Sandbox.binary, ["build", "--quiet"] + flags)
    try #require(done.status == 0, "\(done.errors)")
    return Dictionary(
      uniqueKeysWithValues: sandbox.tree("out").map { ($0.path, Digest(of: $0.bytes)) })
  }

  @Test func alternatesWithABuildWithoutThem() throws {
    let plain = try build()
    let pseudo = try build("--pseudo")
    #expect(pseudo.keys.contains("out/preview/latest/en-XA/phone/all.plist"))
    #expect(!plain.keys.contains { $0.contains("en-XA") })
    #expect(try build() == plain)
    #expect(try build("--pseudo") == pseudo)
    #expect(try build("--pseudo") == pseudo)
    #expect(try build("--pseudo", "--fresh") == pseudo)
  }

  @Test(arguments: [
    "'s/^title: Rose$/title: Rosa/' content/entries/product/rose.yaml",
    "s/Hello/Hi/ content/strings/app.en.yaml", "s/Bonjour/Salut/ content/strings/app.fr.yaml",
    "s/Lilie/Lilien/ content/entries/product.de.yaml",
  ])
  func continuesAfterAnEdit(edit: String) throws {
    let before = try build("--pseudo")
    try sandbox.shell("sed -i \(edit)")
    let edited = try build("--pseudo")
    #expect(edited != before)
    #expect(try build("--pseudo", "--fresh") == edited)
  }

  @Test func leavesTheObjectsOfOtherLocalesAsTheyAre() throws {
    let plain = try build()
    let pseudo = try build("--pseudo")
    let bundles = plain.keys.filter { $0.contains("/latest/") }
    #expect(!bundles.isEmpty)
    for path in bundles { #expect(pseudo[path] == plain[path], "\(path)") }
  }

  @Test func checksAndListsTextsThatDoNotFit() throws {
    try sandbox.shell(
      "sed -i 's/title: {type: string, localized: true, required: true}/"
        + "title: {type: string, localized: true, required: true, maxLength: 5}/' "
        + "content/datatypes/product.yaml; sed -i 's/Rose de France/Rosé/' "
        + "content/entries/product/rose.fr.yaml")
    let plain = try sandbox.run("check")
    #expect(plain.status == 0 && !plain.errors.contains("pseudo"), "\(plain)")
    let done = try sandbox.run("check", "--pseudo", "--diagnostics", "short")
    #expect(done.status == 0, "\(done)")
    #expect(
      done.errors.contains("content/entries/product/rose.yaml:1:8: warning: 'title' of")
        && done.errors.contains("[pseudo-length]"), "\(done.errors)")
    let gate = try sandbox.run("check", "--pseudo", "--error-on", "pseudo-length")
    #expect(gate.status == 1)
    // A build that has warnings reports them again, also if nothing has changed.
    for _ in 0..<2 {
      let build = try sandbox.run("build", "--pseudo", "--quiet")
      #expect(build.status == 0 && build.errors.contains("pseudo-length"), "\(build)")
    }
  }

  @Test func refusesADeclaredPseudoLocale() throws {
    try sandbox.shell("sed -i 's/locales: .*/locales: [en, fr, de, ar-XB]/' content/content.yaml")
    #expect(try sandbox.run("build", "--quiet").status == 0)
    let done = try sandbox.run("build", "--quiet", "--pseudo")
    #expect(
      done.status == 1 && done.errors.contains("content/content.yaml:3:10: error: 'locales' must"),
      "\(done)")
  }

  @Test func doesNotCountInCoverage() throws {
    let covered = try sandbox.run("coverage", "--json")
    #expect(covered.status == 0 && !covered.output.contains("en-XA"))
    _ = try build("--pseudo")
    #expect(try sandbox.run("coverage", "--json").output == covered.output)
  }
}
