import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Commands refuse files of a later version with one sentence, and change nothing.
@Suite struct NewerFormatTests {
  /// A file of a project whose `format` a test raises.
  struct Written: CustomTestStringConvertible, Sendable {
    var testDescription: String { path }

    let project: Exhibit.Project
    let path: String
    /// The highest format that this version reads.
    let known: Int
    let status: Int32
    let commands: [String]
    var encoding = PropertyListFormat.binary
    /// `true` if the member `format` is in the signed text `body`.
    var isInBody = false
  }

  private static let anyCommand = [
    "status qa", "history qa", "diff qa", "publish qa", "rollback qa", "prune qa",
    "purge qa product/rose --reason Test", "maintenance on qa", "bake qa --to other",
  ]

  static let all = [
    Written(
      project: .open, path: "site/qa/config.plist", known: 2, status: 69,
      commands: anyCommand + ["promote qa production", "promote production qa"]),
    Written(
      project: .signed, path: "site/qa/config.plist", known: 2, status: 69,
      commands: anyCommand + ["resign qa"]),
    Written(
      project: .signed, path: "site/qa/config.plist", known: 2, status: 1,
      commands: ["verify site/qa/config.plist --channel qa"]),
    Written(
      project: .open, path: "site/prune/marks.plist", known: 1, status: 69, commands: ["prune qa"]),
    Written(
      project: .open, path: "out/preview/config.plist", known: 1, status: 69,
      commands: ["publish qa --built"]),
    Written(
      project: .open, path: "baked/config.plist", known: 2, status: 1,
      commands: ["bake production --to baked --check"]),
    Written(
      project: .signed, path: "content/keys/qa/2.json", known: 1, status: 1,
      commands: anyCommand + ["keys show qa"], encoding: .json, isInBody: true),
    Written(
      project: .signed, path: "draft/draft.json", known: 1, status: 1,
      commands: ["sign import draft"], encoding: .json),
    Written(
      project: .signed, path: "memory.plist", known: 1, status: 74,
      commands: ["verify site/qa/config.plist --channel qa --memory memory.plist"]),
  ]

  /// Returns a copy of the newest exhibit with a value as the `format` of a file.
  private func copy(_ written: Written, format: Value) throws -> ExhibitCopy {
    let shop = try Exhibit.newest.copy(of: written.project)
    var members = try #require(try shop.sandbox.value(written.path).members)
    if written.isInBody {
      let text = try #require(members["body"]?.text)
      var body = try #require(try PropertyList.decode(Array(text.utf8), as: .json).value.members)
      body["format"] = format
      let encoded = try PropertyList.encode(.dictionary(body), as: .json)
      members["body"] = .string(String(decoding: encoded, as: UTF8.self))
    } else {
      members["format"] = format
    }
    let bytes = try PropertyList.encode(.dictionary(members), as: written.encoding)
    try shop.sandbox.write("new", bytes: bytes)
    try shop.sandbox.shell("cat new > '\(written.path)' && rm new")
    return shop
  }

  @Test(arguments: all, [1, 1 << 40])
  func refusesAFileOfALaterVersion(_ written: Written, step: Int) throws {
    let format = written.known + step
    let shop = try copy(written, format: .integer(Int64(format)))
    let before = shop.target
    for command in step == 1 ? written.commands : Array(written.commands.prefix(1)) {
      let outcome = try shop.run(command.split(separator: " ").map(String.init))
      #expect(outcome.status == written.status, "\(command): \(outcome)")
      let sentence =
        "was written by a newer contentc (format \(format)), and this program reads formats up to "
        + "\(written.known): update the program"
      #expect(outcome.errors.contains(sentence), "\(command): \(outcome.errors)")
      #expect(!outcome.errors.contains("keys replace"), "\(command): \(outcome.errors)")
      #expect(shop.target == before, "\(command)")
    }
  }

  /// Such a file is damaged: no version writes it.
  @Test(arguments: all, [0, -1, "x", 1.5] as [Value])
  func refusesAFormatThatNoVersionWrites(_ written: Written, format: Value) throws {
    // 'prune' and 'verify' read their own notes without such a check, and 'publish --built' compares
    // the whole folder with the content.
    if ["site/prune/marks.plist", "out/preview/config.plist", "memory.plist"].contains(written.path)
    {
      return
    }
    let command = try #require(written.commands.first)
    let shop = try copy(written, format: format)
    let before = shop.target
    let outcome = try shop.run(command.split(separator: " ").map(String.init))
    #expect(outcome.status == written.status, "\(outcome)")
    #expect(!outcome.errors.contains("newer contentc"), "\(outcome.errors)")
    #expect(shop.target == before)
  }

  @Test(arguments: ["record", "build record", "index", "list", "bundle", "tile"])
  func refusesAReleaseOfALaterVersion(_ part: String) throws {
    let purge = "purge qa product/rose --reason Test"
    let commands =
      switch part {
      case "record": Self.anyCommand
      case "build record": [purge]
      // The purge of a product reads no tile of shops.
      case "tile": ["diff qa", "bake qa --to other"]
      default: ["diff qa", purge, "bake qa --to other"]
      }
    let shop = try Exhibit.newest.copy(of: .open)
    try shop.raiseFormat(ofLive: part)
    let before = shop.target
    for command in commands {
      let outcome = try shop.run(command.split(separator: " ").map(String.init))
      #expect(outcome.status == 69, "\(command): \(outcome)")
      #expect(
        outcome.errors.contains(
          "was written by a newer contentc (format \(part == "record" ? 3 : 2))"),
        "\(command): \(outcome.errors)")
      #expect(shop.target == before, "\(command)")
    }
  }

  /// A later format may allow more bytes, and nobody may be told to replace such a config.
  @Test func refusesALargeConfigOfALaterVersion() throws {
    let shop = try Exhibit.newest.copy(of: .signed)
    let config: Value = ["format": 3, "more": .data([UInt8](repeating: 7, count: 100_000))]
    try shop.write("site/qa/config.plist", PropertyList.encode(config, as: .binary))
    let before = shop.target
    for command in ["status", "publish"] {
      let outcome = try shop.run(command, "qa")
      #expect(outcome.status == 69, "\(outcome)")
      #expect(outcome.errors.contains("newer contentc (format 3)"), "\(outcome.errors)")
      #expect(!outcome.errors.contains("keys replace"), "\(outcome.errors)")
      #expect(shop.target == before)
    }
  }

  /// Without records, nothing says which objects the other channel shows.
  @Test func pruneKeepsTheObjectsOfAnotherChannelOfALaterVersion() throws {
    let shop = try Exhibit.newest.copy(of: .open)
    let config: Value = ["format": 3, "app": "shop"]
    try shop.write("site/production/config.plist", PropertyList.encode(config, as: .binary))
    try shop.sandbox.shell("rm -r site/production/releases")
    let before = shop.target
    let outcome = try shop.run("prune", "qa")
    #expect(outcome.status == 69, "\(outcome)")
    #expect(
      outcome.errors.contains("'production/config.plist' at site was written by a newer contentc"),
      "\(outcome.errors)")
    #expect(shop.target == before)
  }

  @Test func refusesAListOfDroppedKeyDocumentsOfALaterVersion() throws {
    let shop = try Exhibit.newest.copy(of: .signed)
    try shop.sandbox.write("content/keys/qa/dropped.json", "{\"format\": 2, \"below\": 2}\n")
    let before = shop.target
    for command in ["status", "publish"] {
      let outcome = try shop.run(command, "qa")
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errors.contains("newer contentc (format 2)"), "\(outcome.errors)")
      #expect(shop.target == before)
    }
  }

  private static let memoryOfALaterVersion: Value = ["format": 2, "more": "of a later version"]

  /// A later version continues with its own memory when this one has run in between.
  @Test func leavesTheMemoryOfALaterVersionAlone() throws {
    let shop = try Exhibit.newest.copy(of: .open)
    let bytes = try PropertyList.encode(Self.memoryOfALaterVersion, as: .binary)
    try shop.write(".contentc/signed.plist", bytes)
    try shop.succeed("publish", "qa")
    #expect(try shop.sandbox.value(".contentc/signed.plist") == Self.memoryOfALaterVersion)
  }

  /// Without its memory, a machine cannot keep in mind which copy its user accepts.
  @Test func keysAcceptNamesTheMemoryOfALaterVersion() throws {
    let shop = try Exhibit.newest.copy(of: .signed)
    let bytes = try PropertyList.encode(Self.memoryOfALaterVersion, as: .binary)
    try shop.write(".contentc/signed.plist", bytes)
    try shop.sandbox.shell("cp site/qa/config.plist copy.plist")
    let outcome = try shop.run("keys", "accept", "qa", "copy.plist")
    #expect(outcome.status == 74, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "'.contentc/signed.plist' was written by a newer contentc (format 2)"), "\(outcome.errors)")
    #expect(try shop.sandbox.value(".contentc/signed.plist") == Self.memoryOfALaterVersion)
  }
}

extension ExhibitCopy {
  /// Writes the live release of `qa` with a part whose `format` is 2: `record`, `build record`,
  /// `index`, `list`, `bundle` or `tile`.
  fileprivate func raiseFormat(ofLive part: String) throws {
    var config = try #require(try sandbox.value("site/qa/config.plist").members)
    let number = try #require(config["release"]?.number)
    let old = try #require(config["record"]?.digest)
    let path = "site/qa/releases/\(number)-\(old.hex.prefix(16)).plist"
    var record = try #require(try sandbox.value(path).members)
    if part == "record" {
      // The record of a rollout has format 2.
      record["format"] = 3
    } else if part == "build record" {
      record["build"] = .data(try raise(record["build"], addingTo: &record).bytes)
      config["build"] = record["build"]
    } else {
      let known = try #require(record["indexes"]?["en"]?["any"]?.digest)
      let index = try replacing(known, raising: part, in: &record)
      record["indexes"] = .dictionary(["en": ["any": .data(index.bytes)]])
      config["indexes"] = record["indexes"]
    }
    let bytes = try PropertyList.encode(.dictionary(record), as: .binary)
    let digest = Digest(of: bytes)
    try write("site/qa/releases/\(number)-\(digest.hex.prefix(16)).plist", bytes)
    try sandbox.shell("rm '\(path)'")
    config["record"] = .data(digest.bytes)
    try write("site/qa/config.plist", PropertyList.encode(.dictionary(config), as: .binary))
  }

  /// Writes a changed index, and returns its hash.
  private func replacing(
    _ known: Digest, raising part: String, in record: inout Members
  ) throws -> Digest {
    var index = try object(known)
    if part == "index" {
      index["format"] = 2
      return try add(index, to: &record)
    }
    var bundles = try #require(index["bundles"]?.members)
    if part == "bundle" {
      var row = try #require(bundles["catalog"]?.members)
      row["object"] = .data(try raise(row["object"], addingTo: &record).bytes)
      bundles["catalog"] = .dictionary(row)
      index["bundles"] = .dictionary(bundles)
      return try add(index, to: &record)
    }
    var shops = try #require(bundles["shops"]?.members)
    var list = try object(#require(shops["tiles"]?.digest))
    if part == "list" {
      list["format"] = 2
    } else {
      var tiles = try #require(list["tiles"]?.members)
      let (key, first) = try #require(tiles.first.map { ($0.key, $0.value) })
      var row = try #require(first.members)
      row["object"] = .data(try raise(row["object"], addingTo: &record).bytes)
      tiles[key] = .dictionary(row)
      list["tiles"] = .dictionary(tiles)
    }
    shops["tiles"] = .data(try add(list, to: &record).bytes)
    bundles["shops"] = .dictionary(shops)
    index["bundles"] = .dictionary(bundles)
    return try add(index, to: &record)
  }

  /// Writes an object again with `format` 2, and returns its hash.
  private func raise(_ object: Value?, addingTo record: inout Members) throws -> Digest {
    var members = try self.object(#require(object?.digest))
    members["format"] = 2
    return try add(members, to: &record)
  }

  private func object(_ digest: Digest) throws -> Members {
    let path = "site/objects/\(digest.hex.prefix(2))/\(digest.hex).plist"
    return try #require(try sandbox.value(path).members)
  }

  private func add(_ object: Members, to record: inout Members) throws -> Digest {
    let bytes = try PropertyList.encode(.dictionary(object), as: .binary)
    let digest = Digest(of: bytes)
    try write("site/objects/\(digest.hex.prefix(2))/\(digest.hex).plist", bytes)
    var objects = try #require(record["objects"]?.members)
    objects[digest.hex] = ["extension": "plist", "size": .integer(Int64(bytes.count))]
    record["objects"] = .dictionary(objects)
    return digest
  }

  fileprivate func write(_ path: String, _ bytes: [UInt8]) throws {
    try sandbox.write("new", bytes: bytes)
    try sandbox.shell("mkdir -p \"$(dirname '\(path)')\" && mv new '\(path)'")
  }
}
