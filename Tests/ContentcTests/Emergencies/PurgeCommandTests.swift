import ContentModel
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Purges from the command line.
@Suite(.waiting) struct PurgeCommandTests {
  private let shop: PurgeShop

  init() throws { shop = try PurgeShop() }

  @Test func printsItsPlan() throws {
    let before = shop.sandbox.tree("site").map { "\($0.path) \($0.bytes)" }
    let dry = try shop.contentc(PurgeShop.purge + ["--dry-run"])
    #expect(dry.status == 0)
    for words in [
      "Purging 1 entry from 9 contexts of 'qa' (release 2)", "varnish", "by urls",
      "Nothing was changed",
    ] {
      #expect(dry.output.contains(words), "\(dry.output)")
    }
    let plan = try shop.run("purge", "product/tulip", "--dry-run", "--json")
    #expect(
      plan["entries"]["product/tulip"].items?.count == 9 && plan["urls"].items?.isEmpty == false)
    #expect(shop.sandbox.tree("site").map { "\($0.path) \($0.bytes)" } == before)
  }

  @Test("warns before it purges a required field, and names an alternative")
  func warnsAboutRequiredFields() throws {
    let dry = try shop.contentc([
      "purge", "product/tulip", "--field", "title", "--reason", "x", "--dry-run",
    ])
    #expect(dry.status == 0)
    for words in ["'title' is required in 'product'", "[required-field]", "--replace FILE"] {
      #expect(dry.errors.contains(words), "\(dry.errors)")
    }
    let note = try shop.contentc([
      "purge", "product/tulip", "--field", "note", "--locale", "de", "--reason", "x", "--dry-run",
    ])
    #expect(!note.errors.contains("required-field"), "\(note.errors)")
  }

  @Test func removesTheEntryFromReadersAndCachesForGood() throws {
    try shop.fillCache()
    let done = try shop.contentc(PurgeShop.purge)
    #expect(done.status == 0, "\(done.errors)")
    for words in ["release 3 is live", "readers get it", "Purge 1 is done", "online", "offline"] {
      #expect(done.output.contains(words), "\(done.output)")
    }
    try shop.expectGone()
    #expect(try shop.sandbox.purgeNote("begun", of: 1)["reason"] == "An insult")
    let history = try shop.contentc(["history"]).output.split(separator: "\n")
    #expect(history.map { $0.hasSuffix("  purged") } == [false, true, true])
    #expect(try shop.run("history", "--json")["releases"][1]["purged"] == true)
    let again = try shop.contentc(PurgeShop.purge)
    #expect(
      again.status == 0 && again.output.contains("Nothing to do: this purge is done"),
      "\(again)")
    // The purged content cannot return by itself.
    let refused = try shop.contentc(["publish", "--message", "It's fine"])
    #expect(
      refused.status == 69
        && refused.errors.contains("as it was when purge 1 removed it (An insult)")
        && refused.errors.contains(
          "or show readers what was purged again, on purpose: contentc publish --message 'It'\\''s fine' --unpurge product/tulip\n"
        ), "\(refused)")
    #expect(try shop.contentc(["rollback", "--to", "1"]).status == 69)
    #expect(try shop.contentc(["promote", "qa", "qa"]).status == 0)
    #expect(try shop.contentc(["publish", "--unpurge", "all"]).status == 0)
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
    // And the same purge can be repeated.
    #expect(try shop.contentc(PurgeShop.purge).output.contains("Purge 2 is done"))
    try shop.expectGone()
  }

  @Test func warnsAboutForeignFilesEvenIfItPurgesNothing() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.sandbox.write("site/qa/purges/notes.txt", "not ours")
    let unknown = try shop.contentc(["purge", "product/nothing", "--reason", "x"])
    #expect(unknown.status == 66 && unknown.errors.contains("unknown entry"), "\(unknown)")
    #expect(
      unknown.errors.contains("'qa/purges/notes.txt'") && unknown.errors.contains("[left-alone]"),
      "\(unknown)")
  }

  @Test func purgesEarlierFormsWithTheCommandThatAPurgePrints() throws {
    try shop.sandbox.shell(
      "sed -i 's/title: \(PurgeShop.bad)/title: \(PurgeShop.bad) again/' content/entries/product.yaml"
    )
    try shop.run("publish")
    let done = try shop.contentc(PurgeShop.purge)
    let printed = try #require(
      done.output.firstMatch(
        of: /objects? of earlier releases shows? another form of it; .*: (contentc purge qa .*)/)
    ).output.1
    #expect(
      printed == "contentc purge qa product/tulip --history --reason 'An insult'", "\(done)")
    let words = ["purge", "qa", "product/tulip", "--history", "--reason", "An insult"]
    let dry = try shop.contentc(words + ["--dry-run"])
    #expect(dry.output.contains("Purging what only earlier releases of 'qa' show"), "\(dry)")
    let earlier = try shop.contentc(words)
    #expect(
      earlier.status == 0 && earlier.output.contains("Purge 2 is done")
        && !earlier.output.contains("another form"), "\(earlier)")
    try shop.expectGone()
    let again = try shop.contentc(words)
    #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
  }

  /// The glob also matches a live entry.
  @Test func purgesEarlierFormsOfPurgedEntriesThatAGlobNames() throws {
    try shop.sandbox.shell(
      """
      sed -i 's/title: \(PurgeShop.bad)/title: \(PurgeShop.bad) again/' content/entries/product.yaml
      echo 'tulips: {title: Tulips, price: 1}' >> content/entries/product.yaml
      """)
    try shop.run("publish")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    let done = try shop.contentc(["purge", "product/tulip*", "--history", "--reason", "An insult"])
    #expect(done.status == 0, "\(done)")
    try shop.expectGone()
  }

  /// The bad title is older than the last price, so readers would keep it.
  @Test func saysWhatReadersGetFromARestoration() throws {
    try shop.sandbox.shell("sed -i 's/price: 2$/price: 77/' content/entries/product.yaml")
    try shop.run("publish")
    let restore = PurgeShop.purge + ["--restore"]
    let sentences = [
      "  changed  product/tulip  de, en, fr (9 contexts)\n", "    price  77",
      "All other fields stay as they are", "use --field FIELD --restore", "with --locale",
    ]
    let dry = try shop.contentc(restore + ["--dry-run"])
    for words in sentences { #expect(dry.output.contains(words), "\(dry)") }
    let plan = try shop.sandbox.succeed(restore + ["--dry-run", "--json"])
    #expect(plan["changes"][0]["fields"].items?.count == 1)
    #expect(plan["changes"][0]["fields"][0]["path"] == "price")
    #expect(plan["changes"][0]["fields"][0]["contexts"].items?.count == 9)
    let done = try shop.contentc(restore)
    for words in sentences { #expect(done.output.contains(words), "\(done)") }
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
  }

  /// The catalog never had the bad note.
  @Test func refusesWhatARestorationReplacedAndWarnsAboutItsParts() throws {
    func edit(_ old: String, _ new: String) throws {
      try shop.sandbox.shell("sed -i 's/\(old)$/\(new)/' content/entries/product.yaml")
    }
    try edit("title: \(PurgeShop.bad)", "title: Tulip")
    try shop.run("publish")
    try edit("title: Tulip", "title: Tulip\\n  note: A bad note")
    try shop.run("publish")
    #expect(try shop.contentc(PurgeShop.purge + ["--restore"]).status == 0)
    let refused = try shop.contentc(["publish"])
    #expect(
      refused.status == 69
        && refused.errors.contains("as it was when purge 1 removed it (An insult)"), "\(refused)")
    try edit("price: 2", "price: 77")
    let raised = try shop.contentc(["publish", "--error-on", "returned-content"])
    #expect(
      raised.status == 2 && raised.errors.contains("nothing was changed"), "\(raised)")
    let sentence =
      "warning: product/tulip returns with 'note' as when purge 1 removed it (An insult) [returned-content]"
    let dry = try shop.contentc(["publish", "--dry-run"])
    #expect(dry.status == 0 && dry.errors.contains(sentence), "\(dry)")
    let returned = try shop.contentc(["publish"])
    #expect(returned.status == 0 && returned.errors.contains(sentence), "\(returned)")
    try edit("price: 77", "price: 78")
    let next = try shop.contentc(["publish"])
    #expect(next.status == 0 && !next.errors.contains("returned-content"), "\(next)")
    // A rollback has no '--unpurge'.
    try edit("note: A bad note", "note: A good note")
    try shop.run("publish")
    let rollback = try shop.contentc(["rollback", "--error-on", "returned-content"])
    #expect(
      rollback.status == 2 && !rollback.errors.contains("--unpurge")
        && rollback.errors.contains("run the command without the flag that makes this an error"),
      "\(rollback)")
  }

  @Test func restoresReplacesAndRemovesContent() throws {
    #expect(try shop.contentc(PurgeShop.purge + ["--restore"]).status == 0)
    #expect(try shop.title("product/tulip") == "Tulip")
    // A repeated restoration does not return to an earlier release.
    #expect(try shop.contentc(PurgeShop.purge + ["--restore"]).output.contains("Nothing to do"))
    try shop.sandbox.write("better.yaml", "title: A better title\n")
    #expect(try shop.contentc(PurgeShop.purge + ["--replace", "better.yaml"]).status == 0)
    #expect(try shop.title("product/tulip") == "A better title")
    #expect(
      try shop.contentc([
        "purge", "product/lily", "--field", "note", "--locale", "de", "--reason", "x",
      ])
      .status == 0)
    #expect(
      try shop.entry("product/lily", "de")["note"] == nil
        && shop.entry("product/lily", "fr")["note"] == "White")
  }

  @Test func namesEachFieldThatRefersToAPurgedEntry() throws {
    let rose = ["purge", "product/rose", "--reason", "x"]
    let named = "warning: 'first' of screen/home still refers to a purged entry [purged-reference]"
    let dry = try shop.contentc(rose + ["--dry-run"])
    #expect(dry.status == 0 && dry.errors.contains(named), "\(dry)")
    let strict = try shop.contentc(rose + ["--warnings-as-errors"])
    #expect(strict.status == 2 && strict.errors.contains("[purged-reference]"), "\(strict)")
    #expect(try shop.entry("product/rose", "fr") != nil)
    let done = try shop.contentc(rose + ["--leave-references"])
    #expect(done.status == 0 && done.errors.contains(named), "\(done)")
    #expect(done.errors.contains("--leave-references is the default now"), "\(done)")
    #expect(try shop.entry("product/rose", "fr") == nil)
    #expect(try shop.entry("screen/home", "fr")?["first"] == "product/rose")
    #expect(try !shop.contentc(["purge", "--help"]).output.contains("leave-references"))
  }

  @Test func marksOnlyIncompleteReleasesInTheHistory() throws {
    func purged() throws -> [Bool] {
      try shop.contentc(["history"]).output.split(separator: "\n").map { $0.hasSuffix("  purged") }
    }
    try shop.sandbox.shell("cp -R content before")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(try purged() == [false, true, true])
    try shop.sandbox.shell(
      """
      sed -i 's/title: \(PurgeShop.bad)/title: A better tulip/' content/entries/product.yaml
      sed -i 's/Tulpe/Bessere Tulpe/' content/entries/product.de.yaml
      """)
    try shop.run("publish")
    #expect(try purged() == [false, false, true, true])
    try shop.sandbox.shell("rm -r content && mv before content")
    // The publication sends the purged objects again.
    try shop.run("publish", "--unpurge", "all")
    #expect(try purged().prefix(4) == [false, false, false, false])
    try shop.run("rollback", "--to", "2")
  }

  @Test func aRefusedRollbackNamesCommandsThatWork() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    for release in ["1", "2"] {
      let refused = try shop.contentc(["rollback", "qa", "--to", release])
      #expect(refused.status == 69, "\(refused)")
      for words in [
        "'contentc publish qa', with '--unpurge ID'", "'contentc purge qa ID --restore --reason",
      ] { #expect(refused.errors.contains(words), "\(refused)") }
    }
    let restored = try shop.contentc([
      "purge", "qa", "product/tulip", "--restore", "--reason", "It was good before",
    ])
    #expect(restored.status == 0, "\(restored)")
    #expect(try shop.title("product/tulip") == "Tulip")
  }

  @Test func replacesListsWithDates() throws {
    try shop.sandbox.write(
      "better.yaml",
      "badges:\n  - {id: new, label: Fine, when: {from: '2031-05-01T12:00 Europe/Paris'}}\n")
    #expect(try shop.contentc(PurgeShop.purge + ["--replace", "better.yaml"]).status == 0)
    let date = Value.date(try #require(Instant(rfc3339: "2031-05-01T10:00:00Z")))
    #expect(
      try shop.entry("product/tulip", "fr")["badges"][0] == [
        "id": "new", "label": "Fine", "when": ["from": date],
      ])
    for wrong in ["{from: 2031-02-30T00:00:00Z}", "{from: soon}", "{country: FR}", "tomorrow"] {
      try shop.sandbox.write("wrong.yaml", "badges:\n  - {id: new, label: Fine, when: \(wrong)}\n")
      let refused = try shop.contentc(PurgeShop.purge + ["--replace", "wrong.yaml"])
      #expect(refused.status == 1 && refused.errors.contains("of an item"), "\(wrong): \(refused)")
    }
  }

  @Test(arguments: [
    ("better.yaml", "title: [\n", "1:8: error: '[' must be closed by ']' [yaml-syntax]"),
    (
      "better.yaml", "- title\n",
      "1:1: error: the file must map fields to values, such as 'title: A better title' [wrong-type]"
    ),
    ("better.yaml", "# nothing yet\n", "1:1: error: the file must map fields to values"),
    ("better.yaml", "price: 3\ntitle:\n", "2:1: error: 'title' must have a value [wrong-type]"),
    (
      "better.yaml",
      "badges:\n  - {id: new, label: Fine, when: {form: 2031-05-01T12:00:00Z}}\n",
      "2:35: error: unknown key 'form' in 'when' of an item; did you mean 'from'? [unknown-key]"
    ),
    (
      "better.yaml",
      "badges:\n  - {id: new, label: Fine, when: {from: 2031-02-30T00:00:00Z}}\n",
      "2:41: error: 'from' of an item must be a day that exists; February 2031 has 28 days"
    ),
    ("better.json", #"{"title": }"#, "1:11: error: a value is expected here [bad-property-list]"),
    (
      "better.json", #"{"badges": [{"id": "new", "when": {"from": "soon"}}]}"#,
      "1:44: error: 'from' of an item must be an instant such as"
    ),
    (
      "better.yaml", "price: 3\ntitel: A better title\n",
      "2:1: error: unknown field 'titel' in product/tulip; did you mean 'title'? [unknown-field]"
    ),
    (
      "better.json", #"{"titel": "A better title"}"#,
      "1:2: error: unknown field 'titel' in product/tulip; did you mean 'title'? [unknown-field]"
    ),
    (
      "better.yaml", "title: A better title\nprice: cheap\n",
      "2:8: error: 'price' must be a number, as in product/tulip [wrong-type]"
    ),
  ])
  func pointsAtMistakesInAReplacementFile(file: String, text: String, message: String) throws {
    try shop.sandbox.write(file, text)
    let before = shop.sandbox.tree("site").map(\.path)
    for rest in [[], ["--dry-run"]] {
      let refused = try shop.contentc(PurgeShop.purge + ["--replace", file] + rest)
      #expect(refused.status == 1 && refused.errors.hasPrefix("\(file):\(message)"), "\(refused)")
      #expect(refused.errors.contains("\n1 | "), "\(refused)")
    }
    #expect(shop.sandbox.tree("site").map(\.path) == before)
  }

  @Test func pointsAtUnknownReplacementFieldsOfPreviouslyPurgedEntries() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.sandbox.write("better.yaml", "titel: A better title\nbadges: none\n")
    let refused = try shop.contentc(PurgeShop.purge + ["--replace", "better.yaml"])
    #expect(refused.status == 1, "\(refused)")
    for words in [
      "better.yaml:1:1: error: unknown field 'titel' in product/tulip; did you mean 'title'?",
      "better.yaml:2:9: error: 'badges' must be a list, as in product/tulip [wrong-type]",
    ] { #expect(refused.errors.contains(words), "\(refused)") }
  }

  @Test func restoresPreviouslyPurgedEntries() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(try shop.title("product/tulip") == nil)
    // The order in docs/reference/emergencies.md: the entry disappears, then readers get its earlier form.
    let back = try shop.contentc(PurgeShop.purge + ["--restore"])
    #expect(back.status == 0 && back.output.contains("Purge 2 is done"), "\(back)")
    #expect(try shop.title("product/tulip") == "Tulip" && shop.wholeRelease() == 4)
    #expect(try shop.contentc(PurgeShop.purge + ["--restore"]).output.contains("Nothing to do"))
    // Readers of German had the same form before, which the purge removed.
    #expect(
      back.errors.contains("product/tulip does not come back to de/any")
        && back.errors.contains("correct it and publish, with --unpurge product/tulip if"),
      "\(back)")
    #expect(try shop.entry("product/tulip", "de") == nil)
    try shop.sandbox.shell(
      "sed -i 's/title: \(PurgeShop.bad)/title: Tulip/' content/entries/product.yaml")
    try shop.run("publish", "--unpurge", "product/tulip")
    #expect(try shop.entry("product/tulip", "de")["title"] == "Tulpe")
  }

  @Test func replacesPreviouslyPurgedEntries() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(try shop.title("product/tulip") == nil)
    try shop.sandbox.write("better.yaml", "title: A better title\n")
    let back = try shop.contentc(PurgeShop.purge + ["--replace", "better.yaml"])
    #expect(back.status == 0, "\(back)")
    #expect(try shop.title("product/tulip") == "A better title")
    let files = shop.sandbox.tree("site").filter {
      String(decoding: $0.bytes, as: UTF8.self).contains(PurgeShop.bad)
    }
    #expect(files.map(\.path) == [])
  }

  @Test func purgesAReleaseOrAnAsset() throws {
    #expect(try shop.contentc(["purge", "--release", "2", "--reason", "By mistake"]).status == 0)
    try shop.expectGone()
    #expect(try shop.title("product/tulip") == "Tulip")
    #expect(
      try shop.contentc(["purge", "--release", "2", "--reason", "By mistake"]).output.contains(
        "Nothing to do"))
    let empty = try shop.contentc(["purge", "--release", "3", "--reason", "x"])
    #expect(
      empty.status == 66 && empty.errors.contains("no content before that of release 1"), "\(empty)"
    )
    let digest = Digest(of: Array("a rose".utf8)).hex
    let path = "site/objects/\(digest.prefix(2))/\(digest).bin"
    #expect(shop.sandbox.read(path) != nil)
    let asset = try shop.contentc(["purge", "--asset", digest, "--reason", "Not ours"])
    #expect(asset.status == 0, "\(asset)")
    #expect(shop.sandbox.read(path) == nil)
    #expect(try shop.entry("product/rose", "fr")["picture"] == nil)
    #expect(try shop.contentc(["purge", "--asset", digest, "--reason", "Not ours"]).status == 0)
  }

  @Test func purgesAllScalesOfAnAssetByItsPath() throws {
    let scales = [("red.bin", "a red rose"), ("red@2x.bin", "a large red rose")]
    for (name, text) in scales { try shop.sandbox.write("content/assets/roses/\(name)", text) }
    try shop.sandbox.shell(
      """
      for id in red crimson; do
        echo "$id: {title: Rose, price: 1, picture: roses/red.bin}" >> content/entries/product.yaml
      done
      """)
    try shop.run("publish")
    func objects() -> [String] {
      scales.map { Digest(of: Array($0.1.utf8)).hex }.filter {
        shop.sandbox.read("site/objects/\($0.prefix(2))/\($0).bin") != nil
      }
    }
    let entry = try shop.contentc(["purge", "product/red", "--reason", "Not ours"])
    #expect(
      entry.status == 0
        && entry.output.contains("and 1 other file stay, because product/crimson shows them, too"),
      "\(entry)")
    #expect(objects().count == 2)
    // The live release has a scale that the content folder lacks.
    try shop.sandbox.shell("rm content/assets/roses/red@2x.bin")
    let path = ["purge", "--reason", "Not ours", "--asset"]
    let asset = try shop.contentc(path + ["content/assets/roses/red.bin"])
    #expect(asset.status == 0 && objects() == [], "\(asset)")
    #expect(try shop.entry("product/crimson", "fr")["picture"] == nil)
    #expect(try shop.sandbox.purgeNote("begun", of: 2)["assets"].items?.count == 2)
    for other in ["roses/red.bin", "assets/roses/red.bin"] {
      let again = try shop.contentc(path + [other])
      #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
    }
    let unknown = try shop.contentc(path + ["roses/blue.bin"])
    #expect(
      unknown.status == 64
        && unknown.errors.contains("'roses/blue.bin' is no file below 'content/assets'")
        && unknown.errors.contains("'sha256sum FILE' prints"), "\(unknown)")
  }

  @Test func purgesAnAssetByItsAddress() throws {
    let digest = Digest(of: Array("a rose".utf8)).hex
    let path = "objects/\(digest.prefix(2))/\(digest).bin"
    let asset = try shop.contentc([
      "purge", "--asset", "\(shop.cache.address)/\(path)", "--reason", "Not ours",
    ])
    #expect(asset.status == 0 && shop.sandbox.read("site/\(path)") == nil, "\(asset)")
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
    (
      ["product/tulip", "--replace", "/dev/stdin", "--reason", "x"], 64,
      "--replace takes a file, and '/dev/stdin' can be read only once [usage]"
    ),
    (["product/tulip", "--replace", "-", "--reason", "x"], 64, "'-' can be read only once"),
    (["product/tulip", "--channel", "prod", "--reason", "x"], 64, "unknown channel 'prod'"),
  ])
  func refusesInvalidArguments(arguments: [String], status: Int32, sentence: String) throws {
    let before = shop.sandbox.tree("site").map(\.path)
    let refused = try shop.contentc(["purge"] + arguments)
    #expect(refused.status == status && refused.errors.contains(sentence), "\(refused)")
    #expect(shop.sandbox.tree("site").map(\.path) == before)
  }

  @Test func promotesPurgedContentOnPurposeOnly() throws {
    try shop.sandbox.shell("echo '  production: {target: site}' >> content/content.yaml")
    try shop.run("promote", "qa", "production")
    let both = try shop.contentc(PurgeShop.purge + ["--channel", "qa"])
    #expect(
      both.status == 0 && both.errors.contains("since the live release of 'production' shows them"),
      "\(both)")
    #expect(both.errors.contains("purge it there, too: --channel production"), "\(both)")
    #expect(both.output.hasSuffix("\n  elsewhere 'production' still shows it\n"), "\(both)")
    #expect(try shop.title("product/tulip") == nil)
    let refused = try shop.contentc(["promote", "production", "qa"])
    #expect(
      refused.status == 69 && refused.errors.contains("(An insult)")
        && refused.errors.contains(
          ": contentc promote production qa --unpurge product/tulip\n"),
      "\(refused)")
    try shop.run("promote", "production", "qa", "--unpurge", "all")
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
    try #require(try shop.contentc(PurgeShop.purge + ["--channel", "qa"]).status == 0)
    #expect(try shop.contentc(PurgeShop.purge + ["--channel", "production"]).status == 0)
    try shop.expectGone()
  }

  #if os(Linux)
    @Test func showsEachStepWithItsTimeOnATerminal() throws {
      let screen = try Screen()
      let done = try shop.sandbox.run(Sandbox.binary, PurgeShop.purge, errorsTo: screen.path)
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
}
