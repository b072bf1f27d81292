import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import Hashing
import PropertyLists
import SystemC
import TestServers
import Testing

@testable import TestCommands

/// Purges from the command line.
@Suite struct PurgeCommandTests {
  static let bad = "Swear word"
  let sandbox: Sandbox
  let cache: ScriptedCache

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    cache = try ScriptedCache(before: "site", of: sandbox)
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels:
        qa:
          target: site
          url: \(cache.address)
          originTimeout: 1s
          cdn: [{varnish: {nodes: ["\(cache.address)"]}}]
      E
      """)
    try run("publish")
    try sandbox.shell("sed -i 's/title: Tulip/title: \(Self.bad)/' content/entries/product.yaml")
    try run("publish")
  }

  private static let purge = ["purge", "product/tulip", "--reason", "An insult"]

  @Test func printsItsPlan() throws {
    let before = sandbox.tree("site").map { "\($0.path) \($0.bytes)" }
    let dry = try contentc(Self.purge + ["--dry-run"])
    #expect(dry.status == 0)
    for words in [
      "Purging 1 entry from 9 contexts of 'qa' (release 2)", "varnish", "by urls",
      "Nothing was changed",
    ] {
      #expect(dry.output.contains(words), "\(dry.output)")
    }
    let plan = try run("purge", "product/tulip", "--dry-run", "--json")
    #expect(
      plan["entries"]["product/tulip"].items?.count == 9 && plan["urls"].items?.isEmpty == false)
    #expect(sandbox.tree("site").map { "\($0.path) \($0.bytes)" } == before)
  }

  @Test("warns before it purges a required field, and names an alternative")
  func warnsAboutRequiredFields() throws {
    let dry = try contentc([
      "purge", "product/tulip", "--field", "title", "--reason", "x", "--dry-run",
    ])
    #expect(dry.status == 0)
    for words in ["'title' is required in 'product'", "[required-field]", "--replace FILE"] {
      #expect(dry.errors.contains(words), "\(dry.errors)")
    }
    let note = try contentc([
      "purge", "product/tulip", "--field", "note", "--locale", "de", "--reason", "x", "--dry-run",
    ])
    #expect(!note.errors.contains("required-field"), "\(note.errors)")
  }

  @Test func removesTheEntryFromReadersAndCachesForGood() throws {
    try fillCache()
    let done = try contentc(Self.purge)
    #expect(done.status == 0, "\(done.errors)")
    for words in ["release 3 is live", "readers get it", "Purge 1 is done", "online", "offline"] {
      #expect(done.output.contains(words), "\(done.output)")
    }
    try expectGone()
    #expect(try sandbox.value("site/qa/purges/1.plist")["reason"] == "An insult")
    let history = try contentc(["history"]).output.split(separator: "\n")
    #expect(history.map { $0.hasSuffix("  purged") } == [false, true, true])
    #expect(try run("history", "--json")["releases"][1]["purged"] == true)
    let again = try contentc(Self.purge)
    #expect(
      again.status == 0 && again.output.contains("Nothing to do: this purge is done"),
      "\(again)")
    // The purged content cannot return by itself.
    let refused = try contentc(["publish"])
    #expect(
      refused.status == 69 && refused.errors.contains("product/tulip")
        && refused.errors.contains("(An insult)"))
    #expect(try contentc(["rollback", "--to", "1"]).status == 69)
    #expect(try contentc(["promote", "qa", "qa"]).status == 0)
    #expect(try contentc(["publish", "--unpurge", "all"]).status == 0)
    #expect(try title("product/tulip") == Self.bad)
    // And the same purge can be repeated.
    #expect(try contentc(Self.purge).output.contains("Purge 2 is done"))
    try expectGone()
  }

  @Test func warnsAboutForeignFilesEvenIfItPurgesNothing() throws {
    #expect(try contentc(Self.purge).status == 0)
    try sandbox.write("site/qa/purges/notes.txt", "not ours")
    let unknown = try contentc(["purge", "product/nothing", "--reason", "x"])
    #expect(unknown.status == 66 && unknown.errors.contains("unknown entry"), "\(unknown)")
    #expect(
      unknown.errors.contains("'qa/purges/notes.txt'") && unknown.errors.contains("[left-alone]"),
      "\(unknown)")
  }

  @Test func restoresReplacesAndRemovesContent() throws {
    #expect(try contentc(Self.purge + ["--restore"]).status == 0)
    #expect(try title("product/tulip") == "Tulip")
    // A repeated restoration does not return to an earlier release.
    #expect(try contentc(Self.purge + ["--restore"]).output.contains("Nothing to do"))
    try sandbox.write("better.yaml", "title: A better title\n")
    #expect(try contentc(Self.purge + ["--replace", "better.yaml"]).status == 0)
    #expect(try title("product/tulip") == "A better title")
    #expect(
      try contentc(["purge", "product/lily", "--field", "note", "--locale", "de", "--reason", "x"])
        .status == 0)
    #expect(
      try entry("product/lily", "de")["note"] == nil
        && entry("product/lily", "fr")["note"] == "White")
    let referenced = try contentc(["purge", "product/rose", "--reason", "x"])
    #expect(
      referenced.status == 69
        && referenced.errors.contains("'first' of screen/home names what is to go"))
    #expect(
      try contentc(["purge", "product/rose", "--leave-references", "--reason", "x"]).status == 0)
    #expect(try entry("product/rose", "fr") == nil)
  }

  @Test func replacesListsWithDates() throws {
    try sandbox.write(
      "better.yaml",
      "badges:\n  - {id: new, label: Fine, when: {from: '2031-05-01T12:00 Europe/Paris'}}\n")
    #expect(try contentc(Self.purge + ["--replace", "better.yaml"]).status == 0)
    let date = Value.date(try #require(Instant(rfc3339: "2031-05-01T10:00:00Z")))
    #expect(
      try entry("product/tulip", "fr")["badges"][0] == [
        "id": "new", "label": "Fine", "when": ["from": date],
      ])
    for wrong in ["{from: 2031-02-30T00:00:00Z}", "{from: soon}", "{country: FR}", "tomorrow"] {
      try sandbox.write("wrong.yaml", "badges:\n  - {id: new, label: Fine, when: \(wrong)}\n")
      let refused = try contentc(Self.purge + ["--replace", "wrong.yaml"])
      #expect(refused.status == 1 && refused.errors.contains("of an item"), "\(wrong): \(refused)")
    }
  }

  @Test func restoresPreviouslyPurgedEntries() throws {
    #expect(try contentc(Self.purge).status == 0)
    #expect(try title("product/tulip") == nil)
    // The order in docs/emergencies.md: the entry disappears, then readers get its earlier form.
    let back = try contentc(Self.purge + ["--restore"])
    #expect(back.status == 0 && back.output.contains("Purge 2 is done"), "\(back)")
    #expect(try title("product/tulip") == "Tulip" && wholeRelease() == 4)
    #expect(try contentc(Self.purge + ["--restore"]).output.contains("Nothing to do"))
  }

  @Test func replacesPreviouslyPurgedEntries() throws {
    #expect(try contentc(Self.purge).status == 0)
    #expect(try title("product/tulip") == nil)
    try sandbox.write("better.yaml", "title: A better title\n")
    let back = try contentc(Self.purge + ["--replace", "better.yaml"])
    #expect(back.status == 0, "\(back)")
    #expect(try title("product/tulip") == "A better title")
    let files = sandbox.tree("site").filter {
      String(decoding: $0.bytes, as: UTF8.self).contains(Self.bad)
    }
    #expect(files.map(\.path) == [])
  }

  @Test func finishesWithoutAnUnavailableCache() throws {
    try sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /' content/content.yaml"
    )
    #expect(try contentc(Self.purge).status == 69)
    let unknown = try contentc(["purge", "--without", "fastli"])
    #expect(unknown.status == 64 && unknown.errors.contains("did you mean 'fastly'?"), "\(unknown)")
    let done = try contentc(["purge", "--without", "fastly"])
    #expect(
      done.status == 0
        && done.output.contains("without   fastly: readers behind it may see old content until"),
      "\(done)")
    let manifest = try sandbox.value("site/qa/purges/1.plist")
    #expect(manifest["without"].items == ["fastly"])
    #expect(manifest["bound"].items?.contains { $0["layer"] == "fastly" } == true, "\(manifest)")
    try expectGone()
  }

  @Test func purgesAReleaseOrAnAsset() throws {
    #expect(try contentc(["purge", "--release", "2", "--reason", "By mistake"]).status == 0)
    try expectGone()
    #expect(try title("product/tulip") == "Tulip")
    #expect(
      try contentc(["purge", "--release", "2", "--reason", "By mistake"]).output.contains(
        "Nothing to do"))
    let empty = try contentc(["purge", "--release", "3", "--reason", "x"])
    #expect(
      empty.status == 66 && empty.errors.contains("no content before that of release 1"), "\(empty)"
    )
    let digest = Digest(of: Array("a rose".utf8)).hex
    let path = "site/objects/\(digest.prefix(2))/\(digest).bin"
    #expect(sandbox.read(path) != nil)
    let asset = try contentc(["purge", "--asset", digest, "--reason", "Not ours"])
    #expect(asset.status == 0, "\(asset)")
    #expect(sandbox.read(path) == nil)
    #expect(try entry("product/rose", "fr")["picture"] == nil)
    #expect(try contentc(["purge", "--asset", digest, "--reason", "Not ours"]).status == 0)
  }

  @Test(arguments: [
    (["product/tulpi", "--reason", "x"], 66, "did you mean 'product/tulip'?"),
    (["product/tulip"], 64, "--reason"),
    (["product/tulip", "--reason", " "], 64, "--reason"), ([], 64, "name what to purge"),
    (["product/tulip", "--release", "1", "--reason", "x"], 64, "a --release or"),
    (["--release", "1", "--restore", "--reason", "x"], 64, "need entries"),
    (["--release", "9", "--reason", "x"], 66, "no release 9"),
    (["--asset", "xyz", "--reason", "x"], 64, "not a SHA-256"),
    (
      ["product/tulip", "--locale", "ja", "--reason", "x"], 66,
      "no reader of 'qa' has a locale of ja"
    ),
    (["product/tulip", "--field", "colour", "--reason", "x"], 66, "nothing to purge"),
    (
      ["product/tulip", "--field", "titel", "--reason", "x"], 66,
      "no field 'titel'; did you mean 'title'?"
    ),
    (
      ["product/tulip", "--field", "title", "--replace", "a.yaml", "--reason", "x"], 64,
      "cannot be combined with --field"
    ),
    (["product/tulip", "--replace", "none.yaml", "--reason", "x"], 66, "none.yaml"),
    (["product/tulip", "--channel", "prod", "--reason", "x"], 64, "unknown channel 'prod'"),
  ])
  func refusesInvalidArguments(arguments: [String], status: Int32, sentence: String) throws {
    let before = sandbox.tree("site").map(\.path)
    let refused = try contentc(["purge"] + arguments)
    #expect(refused.status == status && refused.errors.contains(sentence), "\(refused)")
    #expect(sandbox.tree("site").map(\.path) == before)
  }

  @Test func promotesPurgedContentOnPurposeOnly() throws {
    try sandbox.shell("echo '  production: {target: site}' >> content/content.yaml")
    try run("promote", "qa", "production")
    let both = try contentc(Self.purge + ["--channel", "qa"])
    #expect(
      both.status == 0 && both.errors.contains("since the live release of 'production' shows them"),
      "\(both)")
    #expect(both.errors.contains("purge it there, too: --channel production"), "\(both)")
    #expect(try title("product/tulip") == nil)
    let refused = try contentc(["promote", "production", "qa"])
    #expect(refused.status == 69 && refused.errors.contains("(An insult)"), "\(refused)")
    try run("promote", "production", "qa", "--unpurge", "all")
    #expect(try title("product/tulip") == Self.bad)
    try #require(try contentc(Self.purge + ["--channel", "qa"]).status == 0)
    #expect(try contentc(Self.purge + ["--channel", "production"]).status == 0)
    try expectGone()
  }

  #if os(Linux)
    @Test func showsEachStepWithItsTimeOnATerminal() throws {
      let screen = try Screen()
      let done = try sandbox.run(Sandbox.binary, Self.purge, errorsTo: screen.path)
      #expect(done.status == 0 && done.output.hasPrefix("Purge 1 is done"), "\(done)")
      let lines = screen.text.split(separator: "\r\n").map(String.init)
      #expect(lines.first == "Purging 1 entry from 9 contexts of 'qa' (release 2)", "\(lines)")
      let steps = [
        " s  release 3 is live", "varnish purged config", " s  readers get it",
        " s  the origin can no longer deliver",
        "varnish purged config again", " s  removed ", "recorded",
      ]
      for (line, step) in zip(lines.dropFirst(), steps.prefix(6)) {
        #expect(line.contains(step), "\(lines)")
      }
      #expect(lines.last?.contains(steps[6]) == true, "\(lines)")
    }
  #endif

  @Test func reportsCompletedAndRemainingStepsIfACacheRefuses() throws {
    try fillCache()
    cache.set(.refusing(403))
    let half = try contentc(Self.purge)
    #expect(half.status == 69)
    for words in [
      "Purge 1 is NOT finished: release 3 of 'qa' is live", "did NOT get the release",
      "is removed yet",
      "varnish answers 403", "run the same command again",
    ] { #expect(half.output.contains(words), "\(half.output)") }
    #expect(half.errors.contains("error: varnish answers 403"), "\(half.errors)")
    // The purge never read the new config through the cache, so it kept the old one's objects.
    #expect(
      sandbox.tree("site/objects").contains {
        String(decoding: $0.bytes, as: UTF8.self).contains(Self.bad)
      })
    let status = try contentc(["status"]).output
    #expect(status.contains("PURGE 1 is not finished (An insult)"), "\(status)")
    #expect(try run("status", "--json")["channels"]["qa"]["unfinishedPurges"][0]["sequence"] == 1)
    cache.set(.good)
    let again = try contentc(Self.purge)
    #expect(
      again.status == 0 && again.output.contains("Finishing purge 1 (An insult), release 3"),
      "\(again)")
    try expectGone()
    #expect(try contentc(["status"]).output.contains("is not finished") == false)
  }

  @Test func keepsALaterCorrectionWhenFinished() throws {
    cache.set(.refusing(403))
    #expect(try contentc(Self.purge).status == 69)
    cache.set(.good)
    try sandbox.shell(
      "sed -i 's/title: \(Self.bad)/title: A better tulip/' content/entries/product.yaml")
    // Readers of other locales get the old text.
    try run("publish", "--unpurge", "all")
    let again = try contentc(Self.purge)
    #expect(
      again.status == 0 && again.errors.contains("run the same command again"), "\(again)")
    #expect(try title("product/tulip") == "A better tulip" && wholeRelease() == 4)
    // The same command is now a new purge.
    let repeated = try contentc(Self.purge)
    #expect(repeated.status == 0 && repeated.output.contains("Purge 2 is done"), "\(repeated)")
  }

  @Test func reportsACacheThatStillServesTheEntry() throws {
    try fillCache()
    cache.set(.lying)
    let half = try contentc(Self.purge + ["--json"])
    let purge = try PropertyList.decode(Array(half.output.utf8), as: .json).value["purges"][0]
    #expect(half.status == 69 && purge["done"] == false && purge["removed"] == nil)
    #expect(purge["left"][0].text?.contains("still answers with release 2") == true, "\(half)")
    cache.set(.good)
    // A purge without arguments finishes the open one.
    #expect(try contentc(["purge"]).status == 0)
    try expectGone()
  }

  @Test func finishesAllOtherStepsWithoutACredential() throws {
    try sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, squid, /' content/content.yaml"
    )
    let half = try contentc(Self.purge)
    #expect(half.status == 69 && half.errors.contains("A_SERVICE is not set"), "\(half)")
    #expect(half.errors.contains("warning: squid is not purged"), "\(half)")
    // Behind the unpurged cache, readers can still get the complete earlier release.
    #expect(half.output.contains("no object is removed, because readers behind a cache"), "\(half)")
    #expect(try title("product/tulip") == nil && wholeRelease() == 3)
    #expect(
      sandbox.tree("site/objects").contains {
        String(decoding: $0.bytes, as: UTF8.self).contains(Self.bad)
      })
  }

  @Test func startsANewPurgeBeforeFinishingAnOldOne() throws {
    try sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /' content/content.yaml"
    )
    #expect(try contentc(Self.purge).status == 69)
    try sandbox.shell("sed -i 's/cdn: \\[{fastly: [^}]*}}, /cdn: [/' content/content.yaml")
    let both = try contentc([
      "purge", "product/lily", "--leave-references", "--reason", "Another one",
    ])
    #expect(both.status == 0, "\(both)")
    let steps = [
      "release 4 is live", "Finishing purge 1 (An insult)", "Purge 1 is done", "Purge 2 is done",
    ]
    let lines = both.output.split(separator: "\n")
    let places = steps.compactMap { step in lines.firstIndex { $0.contains(step) } }
    #expect(places.count == 4 && places == places.sorted(), "\(both.output)")
    #expect(try title("product/lily") == nil)
    try expectGone()
  }

  @Test func finishesAfterBeingKilled() throws {
    // Without caches, because a purge would wait for them.
    try sandbox.shell(
      "sed -i '/^channels:/,$d' content/content.yaml; echo 'channels: {qa: {target: site, latest: true}}' "
        + ">> content/content.yaml")
    try run("publish")
    try sandbox.shell("cp -R site bad")
    let watch = ContinuousClock()
    let whole = try watch.measure { try #require(try contentc(Self.purge).status == 0) }
    let step =
      Int(whole.components.attoseconds / 1_000_000_000_000 + whole.components.seconds * 1_000_000)
      / 22
    var (before, during) = (0, 0)
    for round in 0..<24 {
      try sandbox.shell("rm -r site; cp -R bad site")
      let process = try sandbox.start(Sandbox.binary, Self.purge + ["-q"])
      usleep(UInt32(step * round))
      kill(process, SIGKILL)
      _ = Sandbox.wait(for: process)
      let seen = try title("product/tulip")
      #expect(seen == Self.bad || seen == nil)
      let isBegun = try wholeRelease() == 3
      if isBegun { during += 1 } else { before += 1 }
      let again = try contentc(Self.purge)
      #expect(again.status == 0, "\(again)")
      #expect(try wholeRelease() == 3)
      try expectGone()
    }
    print("purge killed 24 times: \(before) before its release was live, \(during) after")
    #expect(before > 0 && during > 0)
  }

  // MARK: Actions and reading

  private func contentc(_ arguments: [String]) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments)
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> Value? {
    let done = try contentc(arguments)
    try #require(done.status == 0, "\(arguments): \(done.errors)")
    return arguments.contains("--json")
      ? try PropertyList.decode(Array(done.output.utf8), as: .json).value : nil
  }

  /// Fetches every public file through the cache.
  private func fillCache() throws {
    for file in sandbox.tree("site") {
      try sandbox.shell(
        "curl -sf -o /dev/null \(cache.address)/\(file.path.dropFirst("site/".count))")
    }
    #expect(!cache.copies(holding: Self.bad).isEmpty)
  }

  /// Expects that no byte of the bad text is left and that every object of the release exists.
  private func expectGone() throws {
    let files = sandbox.tree("site").filter {
      String(decoding: $0.bytes, as: UTF8.self).contains(Self.bad)
    }
    #expect(files.map(\.path) == [])
    #expect(cache.copies(holding: Self.bad) == [])
    // A killed command leaves only files that readers do not fetch.
    let purges = sandbox.tree("site/qa/purges").map(\.path).filter { !$0.hasSuffix(".tmp") }
    #expect(purges.allSatisfy { !$0.contains("-") }, "\(purges)")
    _ = try wholeRelease()
  }

  /// Returns the live release, after checking that each of its objects is present and intact.
  private func wholeRelease() throws -> Int {
    let target = FolderTarget("\(sandbox.root)/site")
    let live = try #require(try ChannelPlace(target: target, channel: "qa", app: "shop").live())
    let content = live.content(at: target)
    for object in content.objects { _ = try content.file(object) }
    return live.number
  }

  private func entry(_ id: String, _ locale: String) throws -> Value? {
    try PublishedFolder(sandbox, folder: "site", config: "qa/config.plist").bundle(
      "all", locale, "any")["entries"][id][
        "content"]
  }

  /// Returns an entry's title for readers in French.
  private func title(_ id: String) throws -> String? { try entry(id, "fr")["title"].text }
}
