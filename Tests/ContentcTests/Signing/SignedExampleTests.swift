import ContentModel
import Testing

@testable import TestCommands

/// The examples in the help of commands about signed channels, which need keys.
@Suite struct SignedExampleTests {
  /// The places that examples name, and those of this test.
  private static let places = [
    ("https://content.example.com/v1/", "site/"), ("https://content.example.com/", "site/"),
    ("/media/stick/keys.pem", "secrets/keys.pem"),
    ("/media/stick/ann.pem", "secrets/release.pem"),
    ("~/keys", "made"),
    ("config.plist --keys 1.json", "site/production/config.plist --keys 1.json"),
    ("verify config.plist", "verify site/production/config.plist"),
    ("accept production config.plist", "accept production site/production/config.plist"),
    ("/tmp/proof", "proof"),
  ]

  /// A project with the signed channel of the examples, and the public keys that they name.
  private static func prepared(hasKeys: Bool, withCI: Bool = true) throws -> Sandbox {
    let shop = try SignedShop(withKeys: false)
    let sandbox = shop.sandbox
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("qa", with: "production"))
    for name in ["ann", "bob", "ci"] {
      _ = try shop.makeKey(name)
      try sandbox.shell("cp secrets/\(name).pub .")
    }
    guard hasKeys else {
      try shop.writeSettings([])
      return sandbox
    }
    let more = withCI ? ["--release", "ci=ci.pub"] : []
    _ = try sandbox.succeed(["keys", "init", "production", "--new", "own"] + more)
    try sandbox.shell("cp own/*.pem secrets/ && cp content/keys/production/1.json .")
    try shop.writeSettings([
      ("production", "release", "release"), ("production", "fresh", "release"),
      ("production", "keys", "keys"),
    ])
    try shop.succeed("publish", "production")
    try shop.writeSettings([])
    try shop.succeed("resign", "production", "--draft", "draft")
    try shop.writeSettings([
      ("production", "release", "release"), ("production", "fresh", "release"),
      ("production", "keys", "keys"),
    ])
    return sandbox
  }

  @Test func work() throws {
    let commands = ListedCommand.all.filter(\.needsSigners)
    #expect(commands.count > 8)
    for (command, lines) in commands.map({ ($0.name, $0.examples) }) {
      func sandbox() throws -> Sandbox {
        try Self.prepared(hasKeys: command != "keys init", withCI: command != "keys add")
      }
      var place = try sandbox()
      for line in lines {
        // The lines of a recovery follow one another.
        if command != "keys recover" { place = try sandbox() }
        let shown = try place.run("keys", "show", "production").output
        let id = shown.firstMatch(of: /([0-9a-f]{16}) release/).map { String($0.output.1) }
        var hash = shown.matches(of: /SHA-256   ([0-9a-f]{64})/).last.map { String($0.output.1) }
        var words = line.replacing("3fa9c61d20b7e458", with: id ?? "none")
        if command.hasPrefix("sign ") { hash = try Self.signDraft(in: place, for: command) }
        words = words.replacing("HASH", with: hash ?? "none")
        // Nobody is at the terminal.
        if command == "keys sign", !words.contains("--expect") {
          words += " --expect \(hash ?? "none")"
        }
        if command == "keys drop" {
          for _ in 2...3 {
            _ = try place.tour("CONTENTC_SETTINGS=settings.yaml contentc keys renew production")
          }
          words = words.replacing("--below 20", with: "--below 3 --yes")
        }
        try Self.prepare(place, for: command)
        for (example, own) in Self.places { words = words.replacing(example, with: own) }
        let outcome = try place.tour("CONTENTC_SETTINGS=settings.yaml \(words)")
        #expect(outcome.status == 0, "\(words): \(outcome)")
      }
    }
  }

  /// Does what precedes a command that publishes with other signatures.
  private static func prepare(_ place: Sandbox, for command: String) throws {
    let steps =
      switch command {
      case "keys off": ["sed -i 's/, signing: {keys: keys.production}//' content/content.yaml"]
      case "keys recovered":
        [
          "contentc keys remove production --key ci",
          "contentc keys recover production --release 120 --purge 4",
        ]
      default: [String]()
      }
    for step in steps {
      let done = try place.tour("CONTENTC_SETTINGS=settings.yaml \(step)")
      try #require(done.status == 0, "\(step): \(done)")
    }
  }

  /// Does what precedes a command about a draft, and returns the draft's hash.
  private static func signDraft(in place: Sandbox, for command: String) throws -> String {
    let hash = Digest(of: place.read("draft/draft.json") ?? []).hex
    let steps =
      switch command {
      case "sign add":
        "contentc sign export draft --expect \(hash) --to messages && openssl pkeyutl -sign -rawin "
          + "-inkey secrets/release.pem -in messages/fresh.message -out release.signature"
      case "sign import": "contentc sign draft --expect \(hash) --with secrets/release.pem"
      default: "true"
      }
    let done = try place.tour(steps)
    try #require(done.status == 0, "\(done)")
    return hash
  }

  /// Returns whether a line of a document is one of these commands.
  static func isAboutSigning(_ line: String) -> Bool {
    let first = ListedCommand.words(of: line).first ?? ""
    return ListedCommand.all.contains {
      $0.needsSigners && $0.name.prefix { $0 != " " } == first
    }
  }

  @Test(arguments: ["docs/reference/commands", "docs/reference/publishing"])
  func workInDocuments(page: String) throws {
    let lines = HelpTests.commands(in: try Sandbox.checkedOut("\(page).md")).filter(
      Self.isAboutSigning)
    #expect(lines.count > 1)
    for line in lines {
      let place = try Self.prepared(hasKeys: !line.contains("keys init"))
      if line.hasPrefix("contentc sign import ") {
        _ = try Self.signDraft(in: place, for: "sign import")
      }
      var words = line
      for (example, own) in Self.places { words = words.replacing(example, with: own) }
      let outcome = try place.tour("CONTENTC_SETTINGS=settings.yaml \(words)")
      #expect(outcome.status == 0, "\(words): \(outcome)")
    }
  }

  @Test func acceptTheCommonOptions() throws {
    let sandbox = try Self.prepared(hasKeys: true)
    for command in [
      ["keys", "show", "production"], ["keys", "show", "--channel", "production"],
      ["resign", "production"],
      ["verify", "site/production/config.plist", "--channel", "production"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary,
        command + ["--out", "out", "--content", "content", "--quiet", "--json"],
        environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(outcome.status == 0, "\(command): \(outcome)")
    }
  }
}
