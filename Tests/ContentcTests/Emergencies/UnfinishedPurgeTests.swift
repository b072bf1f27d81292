import ContentModel
import PropertyLists
import System
import TestServers
import Testing

@testable import TestCommands

/// Tests purges that a failing cache leaves unfinished.
@Suite(.waiting) struct UnfinishedPurgeTests {
  private let shop: PurgeShop

  init() throws { shop = try PurgeShop() }

  @Test func finishesWithoutAnUnavailableCache() throws {
    try shop.sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /' content/content.yaml"
    )
    let half = try shop.contentc(PurgeShop.purge)
    let next = "if fastly stays out of service: contentc purge qa --without fastly"
    #expect(half.status == 69 && half.output.contains(next), "\(half)")
    let unknown = try shop.contentc(["purge", "--without", "fastli"])
    #expect(unknown.status == 64 && unknown.errors.contains("did you mean 'fastly'?"), "\(unknown)")
    let done = try shop.contentc(["purge", "--without", "fastly"])
    #expect(
      done.status == 0
        && done.output.contains("without   fastly: readers behind it may see old content until"),
      "\(done)")
    let note = try shop.sandbox.purgeNote("done-", of: 1)
    #expect(note["without"].items == ["fastly"])
    #expect(note["bound"].items?.contains { $0["layer"] == "fastly" } == true, "\(note)")
    try shop.expectGone()
  }

  @Test func namesTheVariableThatIsNotSet() throws {
    try shop.sandbox.shell(
      "sed -i 's/varnish: {/varnish: {token: A_TOKEN, /' content/content.yaml")
    try shop.fillCache()
    let watch = Stopwatch()
    let half = try shop.contentc(PurgeShop.purge)
    // The purge must not wait for readers: they get the release only after the cache's copies expire.
    #expect(half.status == 69 && watch.seconds < 20, "\(half)")
    let advice =
      "set the environment variable A_TOKEN (the value that the cache was started with), then run the same command again"
    #expect(half.output.contains("  next      \(advice) to continue\n"), "\(half.output)")
    #expect(half.errors.contains("purge 1 is not finished; \(advice)\n"), "\(half.errors)")
    for text in [half.output, half.errors] {
      #expect(text.matches(of: /A_TOKEN is not set/).count == 1, "\(text)")
      #expect(text.matches(of: /still answers with release 2/).count == 1, "\(text)")
      #expect(!text.contains("is wrong, correct it first"), "\(text)")
    }
    let done = try shop.sandbox.run(Sandbox.binary, ["purge"], environment: ["A_TOKEN=secret"])
    #expect(done.status == 0, "\(done)")
    try shop.expectGone()
  }

  /// The path of a corrected picture names the good file, so the advice names only the channel.
  @Test func advisesToFinishThePurgeOfAnAssetByItsChannel() throws {
    try shop.sandbox.shell(
      "sed -i 's/varnish: {/varnish: {token: A_TOKEN, /' content/content.yaml")
    let hash = Digest(of: Array("a rose".utf8)).hex
    let half = try shop.contentc(["purge", "--asset", hash, "--reason", "Not ours"])
    #expect(half.status == 69, "\(half)")
    #expect(half.output.contains(", then run 'contentc purge qa' to continue\n"), "\(half)")
    #expect(!half.output.contains("the same command"), "\(half)")
    #expect(half.errors.contains(", then run 'contentc purge qa'\n"), "\(half)")
    let done = try shop.sandbox.run(
      Sandbox.binary, ["purge", "qa"], environment: ["A_TOKEN=secret"])
    #expect(done.status == 0, "\(done)")
  }

  /// With a node in `--without`, the command still purges the other nodes of the cache.
  @Test func finishesWithoutOneNodeOfACache() throws {
    let dead = try ScriptedCache(before: "site", of: shop.sandbox)
    dead.set(.refusing(403))
    let node = "varnish@\(dead.address.dropFirst("http://".count))"
    try shop.sandbox.shell(
      "sed -i 's|nodes: \\[|nodes: [\"\(dead.address)\", |' content/content.yaml")
    try shop.fillCache()
    let half = try shop.contentc(PurgeShop.purge)
    let name = node.replacing("@", with: " at ")
    let next = "if \(name) stays out of service: contentc purge qa --without \(node)\n"
    #expect(half.status == 69 && half.output.contains(next), "\(half)")
    let unknown = try shop.contentc(["purge", "--without", "varnish@127.0.0.1:1"])
    #expect(unknown.status == 64 && unknown.errors.contains("known: varnish@"), "\(unknown)")
    let done = try shop.contentc(["purge", "--without", node])
    #expect(
      done.status == 0 && done.output.contains("without   \(name): readers behind it may see"),
      "\(done)")
    #expect(try shop.sandbox.purgeNote("done-", of: 1)["without"].items?.count == 1)
    try shop.expectGone()
    let status = try shop.contentc(["status"])
    #expect(status.output.contains("varnish has not confirmed purge 1; "), "\(status)")
    // After the node is removed from content.yaml, no cache is left that has not confirmed.
    try shop.sandbox.shell("sed -i 's|\"\(dead.address)\", ||' content/content.yaml")
    let mended = try shop.contentc(["status"])
    #expect(!mended.output.contains("has not confirmed"), "\(mended)")
  }

  /// Publishes the purged entry with another title for all readers.
  private func publishAnotherForm(_ title: String) throws {
    try shop.sandbox.shell(
      """
      sed -i 's/title: \(PurgeShop.bad)/title: \(title)/' content/entries/product.yaml
      sed -i 's/Tulpe/\(title)/' content/entries/product.de.yaml
      """)
    try shop.run("publish")
  }

  /// The purged form is published again while the purge is unfinished.
  @Test func purgesTheSameFormAgainWithoutAsking() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    try shop.run("publish", "--unpurge", "all")
    shop.cache.set(.good)
    let again = try shop.contentc(PurgeShop.purge)
    #expect(
      again.status == 0 && again.output.contains("Purge 1 is done")
        && again.output.contains("Purge 2 is done: release 5"), "\(again)")
    #expect(try shop.title("product/tulip") == nil)
  }

  /// Another bad text is published while the purge is unfinished.
  @Test func purgesWhatWasPublishedSinceOnRequest() throws {
    try shop.sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /' content/content.yaml"
    )
    let half = try shop.contentc(PurgeShop.purge)
    #expect(half.status == 69, "\(half)")
    try publishAnotherForm("Another insult")
    let same = try shop.contentc(PurgeShop.purge)
    // The purge itself is still unfinished.
    #expect(
      same.status == 69 && same.output.contains("WARNING: since purge 1 began, product/tulip"))
    for text in [same.output, same.errors] {
      #expect(text.contains("run the same command with --again"), "\(text)")
    }
    #expect(try shop.title("product/tulip") == "Another insult")
    let again = try shop.contentc(PurgeShop.purge + ["--again"])
    #expect(again.status == 69 && again.output.contains("release 5 is live"), "\(again)")
    #expect(try shop.title("product/tulip") == nil)
    let unnamed = try shop.contentc(["purge", "--again"])
    #expect(unnamed.status == 64 && unnamed.errors.contains("--again needs"), "\(unnamed)")
  }

  @Test func finishesAChannelWithCachesButNoURL() throws {
    try shop.sandbox.shell("sed -i '/^    url:/d' content/content.yaml")
    let half = try shop.contentc(PurgeShop.purge)
    #expect(half.status == 69, "\(half)")
    #expect(half.errors.contains("add 'url' to 'qa' in content.yaml"), "\(half.errors)")
    #expect(
      half.errors.contains("add 'url' to 'qa' in content.yaml, then run the same command again"))
    // The text output includes the remedies. With --json, the errors include them instead.
    let json = try shop.contentc(PurgeShop.purge + ["--json"])
    for text in [half.output, json.errors] {
      for words in [
        "add 'url' to 'qa' in content.yaml, then run the same command again",
        "if varnish stays out of service: contentc purge qa --without varnish",
        "readers behind it may then see old content for up to ",
      ] { #expect(text.contains(words), "\(text)") }
    }
    let done = try shop.contentc(["purge", "qa", "--without", "varnish"])
    #expect(done.status == 0 && done.output.contains("Purge 1 is done"), "\(done)")
    let again = try shop.contentc(["purge", "qa", "--without", "varnish"])
    #expect(
      again.status == 0 && again.output.contains("Nothing to do: no purge is unfinished"),
      "\(again)")
  }

  @Test func namesAllUnavailableCachesInOneCommand() throws {
    try shop.sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /' content/content.yaml"
    )
    // Without 'url', no purge waits for readers.
    try shop.sandbox.shell("sed -i '/^    url:/d' content/content.yaml")
    let both = "if fastly and varnish stay out of service: "
    let command = "contentc purge qa --without fastly --without varnish"
    let half = try shop.contentc(PurgeShop.purge)
    #expect(half.status == 69 && half.output.contains(both + command), "\(half)")
    // The advised command repeats the caches that an earlier command left out.
    let less = try shop.contentc(["purge", "qa", "--without", "fastly"])
    #expect(
      less.status == 69 && less.output.contains("if varnish stays out of service: " + command),
      "\(less)")
  }

  @Test func tellsWhatToTypeIfNoPurgeIsUnfinished() throws {
    let advice = "a purge that ended before its release was live changed nothing"
    let first = try shop.contentc(["purge", "--channel", "qa"])
    #expect(
      first.status == 64 && first.errors.contains("error: no purge is unfinished; name")
        && first.errors.contains(advice), "\(first)")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    let again = try shop.contentc(["purge", "--channel", "qa"])
    #expect(
      again.status == 0 && again.output.contains("Nothing to do: no purge is unfinished")
        && again.output.contains(advice), "\(again)")
  }

  @Test func reportsCompletedAndRemainingStepsIfACacheRefuses() throws {
    try shop.fillCache()
    shop.cache.set(.refusing(403))
    let half = try shop.contentc(PurgeShop.purge)
    #expect(half.status == 69)
    for words in [
      "Purge 1 is NOT finished: release 3 of 'qa' is live", "did NOT get the release",
      "is removed yet",
      "varnish answers 403", "run the same command again",
      "if 'url' of 'qa' in content.yaml is wrong, correct it first",
    ] { #expect(half.output.contains(words), "\(half.output)") }
    #expect(half.errors.contains("error: varnish answers 403"), "\(half.errors)")
    // The purge never read the new config through the cache, so it kept the objects of the old one.
    #expect(
      shop.sandbox.tree("site/objects").contains {
        String(decoding: $0.bytes, as: UTF8.self).contains(PurgeShop.bad)
      })
    let status = try shop.contentc(["status"]).output
    #expect(status.contains("PURGE 1 is not finished (An insult)"), "\(status)")
    #expect(
      try shop.run("status", "--json")["channels"]["qa"]["unfinishedPurges"][0]["sequence"] == 1)
    shop.cache.set(.good)
    let again = try shop.contentc(PurgeShop.purge)
    #expect(
      again.status == 0 && again.output.contains("Finishing purge 1 (An insult), release 3"),
      "\(again)")
    try shop.expectGone()
    #expect(try shop.contentc(["status"]).output.contains("is not finished") == false)
  }

  @Test func endsWithStatusTwoIfTheEntryWasPublishedSince() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    shop.cache.set(.good)
    try publishAnotherForm("A better tulip")
    let dry = try shop.contentc(PurgeShop.purge + ["--dry-run"])
    #expect(
      dry.status == 2 && dry.output.contains("Purge 1 (An insult) would be finished"), "\(dry)")
    let again = try shop.contentc(PurgeShop.purge)
    #expect(again.status == 2 && again.output.contains("Purge 1 is done"), "\(again)")
    for text in [dry, again] {
      #expect(
        text.errors.contains(
          "error: since purge 1 began, product/tulip was published in another form")
          && text.errors.contains("run the same command with --again"), "\(text)")
    }
    #expect(try shop.title("product/tulip") == "A better tulip" && shop.wholeRelease() == 4)
    // Purge 1 is finished, so the same command starts a new purge.
    let repeated = try shop.contentc(PurgeShop.purge)
    #expect(repeated.status == 0 && repeated.output.contains("Purge 2 is done"), "\(repeated)")
  }

  @Test func reportsACacheThatStillServesTheEntry() throws {
    try shop.fillCache()
    shop.cache.set(.lying)
    let half = try shop.contentc(PurgeShop.purge + ["--json"])
    let purge = try PropertyList.decode(Array(half.output.utf8), as: .json).value["purges"][0]
    #expect(half.status == 69 && purge["done"] == false && purge["removed"] == nil)
    #expect(purge["left"][0].text?.contains("still answers with release 2") == true, "\(half)")
    shop.cache.set(.good)
    // A purge without arguments finishes the open one.
    #expect(try shop.contentc(["purge"]).status == 0)
    try shop.expectGone()
  }

  @Test func finishesAllOtherStepsWithoutACredential() throws {
    try shop.sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, squid, /' content/content.yaml"
    )
    let half = try shop.contentc(PurgeShop.purge)
    #expect(half.status == 69 && half.errors.contains("A_SERVICE is not set"), "\(half)")
    #expect(half.errors.contains("warning: squid is not purged"), "\(half)")
    // Behind the unpurged cache, readers can still get the complete earlier release.
    #expect(half.output.contains("no object is removed, because readers behind a cache"), "\(half)")
    #expect(try shop.title("product/tulip") == nil && shop.wholeRelease() == 3)
    #expect(
      shop.sandbox.tree("site/objects").contains {
        String(decoding: $0.bytes, as: UTF8.self).contains(PurgeShop.bad)
      })
  }

  @Test func startsANewPurgeBeforeFinishingAnOldOne() throws {
    try shop.sandbox.shell(
      "sed -i 's/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /' content/content.yaml"
    )
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    try shop.sandbox.shell("sed -i 's/cdn: \\[{fastly: [^}]*}}, /cdn: [/' content/content.yaml")
    let both = try shop.contentc([
      "purge", "product/lily", "--reason", "Another one",
    ])
    #expect(both.status == 0, "\(both)")
    let steps = [
      "release 4 is live", "Finishing purge 1 (An insult)", "Purge 1 is done", "Purge 2 is done",
    ]
    let lines = both.output.split(separator: "\n")
    let indices = steps.compactMap { step in lines.firstIndex { $0.contains(step) } }
    #expect(indices.count == 4 && indices == indices.sorted(), "\(both.output)")
    #expect(try shop.title("product/lily") == nil)
    try shop.expectGone()
  }
}
