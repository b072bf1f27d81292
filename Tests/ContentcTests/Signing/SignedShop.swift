import ContentModel
import PropertyLists
import SiteFormat
import System
import TestReaders
import Testing

@testable import TestCommands

/// A small project whose channels `qa` and `live` are signed, and the keys of the machine.
struct SignedShop {
  let sandbox: Sandbox

  static let project = """
    app: shop
    sourceLocale: en
    locales: [en]
    bundles: {catalog: {include: product/*}}
    channels:
      qa: {target: site, signing: {keys: keys/qa}}
      live: {target: site, signing: {keys: keys/live, validFor: 10d}}
      open: {target: site}

    """

  /// Creates the project with the first key document of `qa`, whose keys are in `secrets/`.
  init(withKeys: Bool = true) throws {
    sandbox = try Sandbox([
      ("content/content.yaml", Self.project),
      ("content/datatypes/product.yaml", "fields: {title: {type: string, required: true}}\n"),
      ("content/entries/product/rose.yaml", "title: Rose\n"),
      ("content/entries/product/iris.yaml", "title: Iris\n"),
    ])
    guard withKeys else { return }
    _ = try sandbox.succeed(["keys", "init", "qa", "--new", "secrets"])
    try writeSettings([("qa", "release", "release"), ("qa", "fresh", "release")])
  }

  /// Writes the settings of the machine: channels, roles, and the names of keys in `secrets/`.
  func writeSettings(_ signers: [(channel: String, role: String, key: String)]) throws {
    let lines = signers.map { signer in
      "  - {channel: \(signer.channel), role: \(signer.role), file: secrets/\(signer.key).pem}\n"
    }
    try sandbox.write("settings.yaml", "signers:\n" + lines.joined())
    try sandbox.shell("chmod 600 settings.yaml")
  }

  private var environment: [String] { ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"] }

  func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  func run(_ arguments: [String]) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments, environment: environment)
  }

  @discardableResult func succeed(
    _ arguments: [String], at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    try sandbox.succeed(arguments, environment: environment, at: location)
  }

  @discardableResult func succeed(
    _ arguments: String..., at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    try succeed(arguments, at: location)
  }

  /// Makes a secret key with openssl, and returns the path of its public one.
  func makeKey(_ name: String) throws -> String {
    try sandbox.shell(
      "mkdir -p secrets && openssl genpkey -algorithm ed25519 -out secrets/\(name).pem && "
        + "chmod 600 secrets/\(name).pem && "
        + "openssl pkey -in secrets/\(name).pem -pubout -out secrets/\(name).pub")
    return "secrets/\(name).pub"
  }

  /// The SHA-256 of the newest key document of a channel.
  func documentHash(of channel: String = "qa") throws -> String {
    let shown = try succeed("keys", "show", channel, "--json")
    return try #require(shown?["documents"]?.items?.last?["sha256"]?.text)
  }

  /// Signs the newest key document of `qa` with a key in `secrets/`, having read it.
  @discardableResult func sign(
    _ key: String = "keys", at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    try succeed(
      "keys", "sign", "qa", "--with", "secrets/\(key).pem", "--expect", documentHash(),
      at: location)
  }

  static let config = "site/qa/config.plist"

  /// Publishes the live content with other numbers, as a thief of the release key can.
  func publishAsThief(release: Int? = nil, purge: Int? = nil) throws {
    guard case .data(let live)? = try served()["config"] else {
      throw Sandbox.Problem(message: "no signed config")
    }
    var config = try #require(try PropertyList.decode(live).value.members)
    if let release {
      let digest = try #require(config["record"]?.digest)
      let number = config["release"]?.number ?? 0
      let folder = "site/qa/releases"
      var record = try #require(
        try sandbox.value("\(folder)/\(number)-\(digest.hex.prefix(16)).plist").members)
      (record["release"], record["of"]) = (.integer(Int64(release)), .integer(Int64(release)))
      let bytes = try PropertyList.encode(.dictionary(record), as: .binary)
      let new = Digest(of: bytes)
      try sandbox.write("\(folder)/\(release)-\(new.hex.prefix(16)).plist", bytes: bytes)
      (config["release"], config["record"]) = (.integer(Int64(release)), .data(new.bytes))
    }
    if let purge {
      var block = config["purge"]?.members ?? Members()
      block["sequence"] = .integer(Int64(purge))
      config["purge"] = .dictionary(block)
    }
    let bytes = try PropertyList.encode(.dictionary(config), as: .binary)
    let issued = Instant(
      secondsSinceReferenceDate: Clock.now.secondsSinceReferenceDate.rounded(.down))
    let statement = ReleaseStatement(
      app: "shop", channel: "qa", release: config["release"]?.number ?? 0, issued: issued,
      config: Digest(of: bytes), size: bytes.count, keys: 1)
    let fresh = FreshStatement(
      about: statement, issued: issued,
      expires: Instant(secondsSinceReferenceDate: issued.secondsSinceReferenceDate + 86_400))
    let envelope = Envelope(
      config: bytes, release: try signed(statement.body(), as: .release),
      fresh: try signed(fresh.body(), as: .fresh), documents: [])
    try sandbox.write("x", bytes: envelope.encoded(as: .binary))
    try sandbox.shell("cp x \(Self.config)")
  }

  /// Returns a body with the signature of the release key, which openssl makes.
  private func signed(_ body: [UInt8], as type: SignedType) throws -> SignedBody {
    try sandbox.write("message", bytes: type.encoding(of: body))
    try sandbox.shell(
      "openssl pkeyutl -sign -rawin -inkey secrets/release.pem -in message -out signature")
    let shown = try succeed("keys", "show", "qa", "--json")
    let keys = shown?["documents"]?.items?.first?["roles"]?["release"]?["keys"]
    let id = try #require(keys?.items?.first?["id"]?.text.flatMap { KeyID($0) })
    let signature = KeySignature(key: id, bytes: sandbox.read("signature") ?? [])
    return SignedBody(body: body, signatures: [signature])
  }

  /// The served config.
  func served(_ path: String = config) throws -> Members {
    try #require(try sandbox.value(path).members)
  }

  /// The release inside the served config.
  func release(_ path: String = config) throws -> Int {
    guard case .data(let bytes)? = try served(path)["config"] else { return 0 }
    return try PropertyList.decode(bytes).value["release"]?.number ?? 0
  }

  /// Expects that an app that pins a key document accepts the served config.
  func expectVerified(
    pinning version: Int = 1, at location: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try run(
      "verify", Self.config, "--keys", "content/keys/qa/\(version).json", "--channel", "qa",
      "--memory", "memory.plist", "--objects")
    #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: location)
  }

  /// The titles that an app without keys shows.
  func titles() async throws -> [String: String] {
    let reader = try ClientReader(channel: "qa", locale: "en", eager: ["catalog"]) {
      [sandbox] key in sandbox.read("site/\(key)")
    }
    #expect(await reader.refresh())
    return reader.screen.compactMapValues { $0["title"]?.text }
  }
}
