import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// A channel gets the pseudo-locales only with `pseudo: true`.
@Suite struct PseudoChannelTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels:
        qa: {target: site, pseudo: true, latest: true}
        live: {target: site}
      E
      """)
  }

  private func locales(of channel: String) throws -> [String] {
    try sandbox.value("site/\(channel)/config.plist")["locales"]?.members?.keys ?? []
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> Outcome {
    let done = try sandbox.run(Sandbox.binary, arguments)
    try #require(done.status == 0, "\(arguments): \(done.errors)")
    return done
  }

  private func expectRefusal(_ arguments: String..., of channel: String) throws {
    let before = sandbox.tree("site").map(\.path)
    let done = try sandbox.run(Sandbox.binary, arguments)
    #expect(done.status == 2, "\(arguments): \(done)")
    #expect(
      done.errors.contains("error: '\(channel)' must not get pseudo-locales"), "\(done.errors)")
    #expect(done.errors.contains("ar-XB, en-XA") && done.errors.contains("pseudo: true"))
    #expect(sandbox.tree("site").map(\.path) == before)
  }

  @Test func getsThemFromPublishAlone() throws {
    try run("publish", "qa")
    #expect(try locales(of: "qa") == ["ar-XB", "de", "en", "en-XA", "fr"])
    try run("publish", "live")
    #expect(try locales(of: "live") == ["de", "en", "fr"])
    try run("diff", "qa", "--fail-on", "added,removed,changed")
    try run("diff", "live", "--fail-on", "added,removed,changed")
  }

  @Test func getsThemFromABuild() throws {
    try run("build", "--pseudo")
    try expectRefusal("publish", "live", "--built", of: "live")
    try expectRefusal("publish", "live", "--built", "--dry-run", of: "live")
    try run("publish", "qa", "--built", "--warnings-as-errors")
    #expect(try locales(of: "qa").contains("en-XA"))
  }

  @Test func refusesThemFromAnotherChannel() throws {
    try run("publish", "qa")
    try expectRefusal("promote", "qa", "live", of: "live")
    try expectRefusal("promote", "qa", "live", "--dry-run", of: "live")
    let errors = try sandbox.run("promote", "qa", "live").errors
    #expect(errors.contains("publish 'qa' without 'pseudo: true'"), "\(errors)")
    #expect(!errors.contains("--pseudo"), "\(errors)")
    try run("publish", "live")
    try run("promote", "live", "qa")
    #expect(try locales(of: "qa") == ["de", "en", "fr"])
  }

  @Test func takesAPseudoLocaleThatIsDeclared() throws {
    try sandbox.shell("sed -i 's/locales: .*/locales: [en, fr, de, en-XA]/' content/content.yaml")
    try run("publish", "live")
    #expect(try locales(of: "live").contains("en-XA"))
  }

  @Test func purgesTheirTextsWithThoseOfTheSourceLocale() throws {
    func shows(_ context: String) throws -> Bool {
      try sandbox.value("site/qa/latest/\(context)/phone/all.plist")["entries"]?["product/tulip"]
        != nil
    }
    try run("publish", "qa")
    try run(
      "purge", "product/tulip", "--channel", "qa", "--locale", "en", "--reason", "a test")
    for context in ["en", "en-XA", "ar-XB"] { #expect(try !shows(context), "\(context)") }
    for context in ["fr", "de"] { #expect(try shows(context), "\(context)") }
  }

  @Test func refusesAtTheMachineReadableInterface() throws {
    try run("publish", "qa")
    let done = try sandbox.run("promote", "qa", "live", "--json")
    let answer = try PropertyList.decode(Array(done.output.utf8), as: .json).value
    #expect(answer["ok"] == false && answer["exitStatus"] == 2)
  }
}
