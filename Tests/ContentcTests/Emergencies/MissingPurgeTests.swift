import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Commands about a channel, signed or not, whose target lacks the file that says what a purge removed.
@Suite struct MissingPurgeTests {
  private let shop: SignedShop
  private var sandbox: Sandbox { shop.sandbox }

  init() throws {
    shop = try SignedShop()
    try sandbox.shell("sed -i '/^  live:/d' content/content.yaml")
    try sandbox.write("content/entries/product/lily.yaml", "title: Lily\n")
    try shop.succeed("publish", "qa")
  }

  /// Purges two entries of a channel, corrects them, and takes the file of one of the purges away.
  private func lose(_ purge: Int, of channel: String) throws {
    if channel != "qa" { try shop.succeed("publish", channel) }
    for id in ["product/rose", "product/iris"] {
      try shop.succeed("purge", "--channel", channel, id, "--reason", "A swear word")
    }
    for (name, title) in [("rose", "Red rose"), ("iris", "Blue iris"), ("lily", "Lilly")] {
      try sandbox.write("content/entries/product/\(name).yaml", "title: \(title)\n")
    }
    try sandbox.shell("mv site/\(channel)/purges/\(purge)-*/begun kept")
    try #require(sandbox.read("kept") != nil)
  }

  private func run(_ command: String) throws -> Outcome {
    try shop.run(command.split(separator: " ").map(String.init))
  }

  private func sentence(_ purge: Int) -> String {
    "/begun' at site is missing or damaged, so nothing refuses what purge \(purge) removed"
  }

  private func missing(in channel: String) throws -> Value? {
    try shop.succeed("status", "--json")?["channels"]?[channel]?["missingPurges"]
  }

  @Test(arguments: ["qa", "open"], [1, 2])
  func everyCommandThatPublishesOrPrunesRefuses(channel: String, purge: Int) throws {
    try lose(purge, of: channel)
    let config = sandbox.read("site/\(channel)/config.plist")
    var commands = [
      "publish \(channel)", "publish \(channel) --unpurge all",
      "publish \(channel) --unpurge purge-9", "rollback \(channel) --to 1",
    ]
    if channel == "open" { commands.append("promote qa open") }
    for command in commands.flatMap({ [$0, "\($0) --dry-run"] })
      + ["prune \(channel)", "prune \(channel) --dry-run"]
    {
      let refused = try run(command)
      #expect(refused.status == 69, "\(command): \(refused)")
      for words in [
        "error: '\(channel)/purges/\(purge)-", sentence(purge),
        "nothing was changed; put the file of a backup back",
        "if there is none, remove that content from the content folder, and accept the loss: contentc publish \(channel) --unpurge purge-\(purge)\n",
      ] { #expect(refused.errors.contains(words), "\(command): \(refused.errors)") }
      #expect(!refused.errors.contains("seldom returns"), "\(refused.errors)")
    }
    #expect(sandbox.read("site/\(channel)/config.plist") == config)
    try sandbox.shell("mv kept $(dirname site/\(channel)/purges/\(purge)-*/live)/begun")
    #expect(try missing(in: channel) == [])
    try shop.succeed("publish", channel)
    try shop.succeed("prune", channel)
  }

  @Test(arguments: ["qa", "open"], [1, 2])
  func statusNamesTheFile(channel: String, purge: Int) throws {
    try lose(purge, of: channel)
    let status = try run("status")
    #expect(status.status == 0, "\(status)")
    #expect(status.errors.contains("warning: '\(channel)/purges/\(purge)-"), "\(status.errors)")
    #expect(status.errors.contains(sentence(purge)), "\(status.errors)")
    #expect(
      status.errors.contains("'publish', 'promote', 'rollback' and 'prune' refuse until then"))
    #expect(try missing(in: channel) == [.integer(Int64(purge))])
  }

  /// They look only for the file that config names.
  @Test(arguments: ["qa", "open"], [1, 2])
  func emergenciesWarnAndGoOn(channel: String, purge: Int) throws {
    try lose(purge, of: channel)
    for command in [
      "maintenance on \(channel)", "maintenance off \(channel)",
      "purge --channel \(channel) product/lily --reason x --dry-run",
      "purge --channel \(channel) product/lily --reason x",
    ] {
      let done = try run(command)
      #expect(done.status == 0, "\(command): \(done)")
      let warns = done.errors.contains(sentence(2)) && done.errors.contains("[missing-purge]")
      #expect(warns == (purge == 2), "\(command): \(done.errors)")
    }
    #expect(try missing(in: channel) == [.integer(Int64(purge))])
  }

  /// `publish` with only one of the two options is refused.
  @Test(arguments: ["qa", "open"], [true, false])
  func acceptingTheLossEndsTheStateOfARestoredConfig(
    channel: String, isFinished: Bool
  ) throws {
    if channel != "qa" { try shop.succeed("publish", channel) }
    let purge = ["purge", "--channel", channel, "--reason", "A swear word"]
    for id in ["product/rose", "product/iris"] {
      let done = try shop.run(purge + [id])
      #expect(done.status == 0, "\(done)")
      if id == "product/rose" { try sandbox.shell("cp site/\(channel)/config.plist backup") }
    }
    try sandbox.shell(
      "cp backup site/\(channel)/config.plist; rm site/\(channel)/purges/1-*/begun")
    if !isFinished { try sandbox.shell("rm site/\(channel)/purges/1-*/done-*") }
    let status = try run("status --json")
    let value = try PropertyList.decode(Array(status.output.utf8), as: .json).value
    let restored = try #require(value["channels"]?[channel]?["restoredConfig"], "\(status)")
    let command = "publish \(channel) --above \(restored["above"]?.number ?? 0) --unpurge purge-1"
    for emergency in ["status", "purge --channel \(channel) product/lily --reason x --dry-run"] {
      let warned = try run(emergency)
      #expect(
        warned.errors.contains("and accept the loss: contentc \(command)\n"),
        "\(emergency): \(warned)")
      #expect(
        warned.errors.contains("the remaining steps of purge 1 are unknown") == !isFinished,
        "\(emergency): \(warned)")
      #expect(
        !warned.errors.contains("publish \(channel) --unpurge"), "\(emergency): \(warned)")
    }
    for (name, title) in [("rose", "Red rose"), ("iris", "Blue iris")] {
      try sandbox.write("content/entries/product/\(name).yaml", "title: \(title)\n")
    }
    let done = try run(command)
    #expect(done.status == 0, "\(done)")
    #expect(try missing(in: channel) == [])
  }

  @Test(arguments: ["qa", "open"], [1, 2])
  func aPublisherAcceptsTheLoss(channel: String, purge: Int) throws {
    try lose(purge, of: channel)
    let done = try run("publish \(channel) --unpurge purge-\(purge) --by Ada")
    #expect(
      done.status == 0
        && done.output.contains("  purges  the loss of purge \(purge) is accepted, and noted\n"),
      "\(done)")
    let note = try #require(
      sandbox.files(below: "site/\(channel)/purges").first { $0.hasSuffix("/lost") })
    #expect(try note.contains("/\(purge)-") && sandbox.value(note)["by"] == "Ada")
    #expect(try missing(in: channel) == [])
    try sandbox.write("content/entries/product/lily.yaml", "title: Another lily\n")
    for command in ["publish", "prune"] { try shop.succeed(command, channel) }
    for command in ["status", "purge --channel \(channel) product/lily --reason x"] {
      let outcome = try run(command)
      #expect(
        outcome.status == 0 && !outcome.errors.contains("begun' at site"), "\(command): \(outcome)")
    }
  }
}

/// A loss that a draft accepts, which other machines sign.
@Suite struct ImportedLossTests: AirGapped {
  let shop: SignedShop

  init() throws { shop = try SignedShop.airGapped() }

  @Test func anImportNotesTheLossThatItsConfigAccepts() throws {
    try publish()
    try publish(["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"])
    try edit("Red rose")
    try sandbox.shell("rm site/qa/purges/1-*/begun")
    try run(["publish", "qa", "--draft", "draft"], status: 69, says: "--unpurge purge-1")
    try publish(["publish", "qa", "--unpurge", "purge-1"])
    #expect(try sandbox.purgeNote("lost", of: 1)["release"] == 3)
    try edit("Another rose")
    try publish()
    try shop.expectVerified()
  }
}
