import ContentModel
import ContentSource
import PropertyLists
import TestInputs
import TestServers
import Testing

@testable import TestCommands

/// A purge must neither change another app's files nor reveal a secret.
@Suite(.waiting) struct PurgeSafetyTests {
  static let secret = "geheim-4711-s3cr3t"
  static let purge = ["purge", "product/tulip", "--reason", "An insult"]
  let sandbox: Sandbox
  let cache: ScriptedCache

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    cache = try ScriptedCache(before: "site", of: sandbox)
    try channels("{qa: {target: site}}")
    try #require(try contentc(["publish"]).status == 0)
  }

  @Test(arguments: [
    purge, purge + ["--restore"], ["purge", "--release", "1", "--reason", "x"], ["purge"],
  ])
  func refusesTheTargetOfAnotherApp(arguments: [String]) throws {
    try channels(
      "{qa: {target: site, url: \"\(cache.address)\", cdn: [{varnish: {nodes: [\"\(cache.address)\"]}}]}}"
    )
    try sandbox.shell("sed -i 's/^app: shop/app: bakery/' content/content.yaml")
    let before = sandbox.tree("site").map { "\($0.path) \($0.bytes)" }
    for flags in [[], ["--single-writer"], ["--dry-run"]] {
      let refused = try contentc(arguments + flags)
      #expect(
        refused.status == 69 && refused.errors.contains("belongs to the app 'shop'"), "\(refused)")
    }
    #expect(sandbox.tree("site").map { "\($0.path) \($0.bytes)" } == before)
    #expect(cache.requests == [])
  }

  @Test func refusesTheSiteOfAnotherApp() throws {
    // Another app's channel has the same name and a higher release.
    try sandbox.shell("sed -i 's/^app: .*/app: bakery/' content/content.yaml")
    try channels("{qa: {target: other}}")
    for _ in 0..<3 {
      try sandbox.shell("sed -i 's/Lily/Lilly/' content/entries/product.yaml")
      try #require(try contentc(["publish"]).status == 0)
    }
    let other = try ScriptedCache(before: "other", of: sandbox)
    try sandbox.shell("sed -i 's/^app: .*/app: shop/' content/content.yaml")
    try channels("{qa: {target: site, url: \"\(other.address)\", originTimeout: 1s}}")
    let half = try contentc(Self.purge + ["--json"])
    #expect(half.status == 69 && half.errors.contains("is not the config of 'shop'"), "\(half)")
    let purge = try PropertyList.decode(Array(half.output.utf8), as: .json).value["purges"][0]
    #expect(purge["removed"] == nil)
  }

  @Test func usesKeysThatEveryCacheAccepts() throws {
    try channels(
      "{qa: {target: site, url: \"\(cache.address)\", originTimeout: 1s, cdn: [{varnish: {nodes: [\"\(cache.address)\"], keys: origin}}]}}"
    )
    #expect(try contentc(Self.purge).status == 0)
    let keys = try sandbox.purgeNote("done-", of: 1)["keys"]
    #expect(keys == ["shop-qa-config", "shop-objects"])
    for name in ["Flower Shop", "flower_shop", "blumenläden", "Shop"] {
      try sandbox.shell("sed -i 's/^app: .*/app: \(name)/' content/content.yaml")
      #expect(try contentc(["publish"]).status != 0 && contentc(Self.purge).status != 0, "\(name)")
    }
  }

  // MARK: Secrets

  @Test(arguments: [401, 403, 500, nil])
  func revealsNoSecret(status: Int?) throws {
    // The server echoes the whole request, like a careless one.
    let echo = try ScriptedServer { request in
      guard let status else { return .death }
      let said = ([request.method, request.path] + request.headers).joined(separator: "\n")
      return .answer(
        status: status, headers: ["X-Said: \(Self.secret)"], body: Array(said.utf8) + request.body)
    }
    defer { echo.stop() }
    cache.set(.forgetful)
    // Repeated attempts take time.
    let isFinal = status == 401 || status == 403
    let caches = isFinal ? Self.caches(echo.address) : [Self.caches(echo.address)[0]]
    try channels(
      "{qa: {target: site, url: \"\(cache.address)\", originTimeout: 1s, cdn: [\(caches.joined(separator: ", "))]}}"
    )
    try sandbox.shell("sed -i 's/Lily/Lilly/' content/entries/product.yaml")
    var outcomes: [Outcome] = []
    let more = isFinal ? [["purge", "--json"], ["purge", "--diagnostics", "json"]] : []
    for arguments in [["publish"], Self.purge] + more { outcomes.append(try contentc(arguments)) }
    #expect(outcomes[0].status == 0 && outcomes[1].status == 69, "\(outcomes)")
    #expect(outcomes[1].errors.contains("error: fastly"), "\(outcomes[1])")
    for name in CacheName.allCases { outcomes.append(try contentc(["server", name.rawValue])) }
    for arguments in Self.questions { outcomes.append(try contentc(arguments)) }
    #expect(echo.requests.contains { $0.headers.contains { $0.contains(Self.secret) } })
    expectNoSecret(outcomes)
  }

  @Test func revealsNoSecretOfABucket() throws {
    let echo = try ScriptedServer { request in
      let said = ([request.method, request.path] + request.headers).joined(separator: "\n")
      return .answer(
        status: 403,
        body: Array(
          "<Error><Code>AccessDenied</Code><Message>\(Self.secret) \(said)</Message></Error>".utf8))
    }
    defer { echo.stop() }
    try channels("{qa: {target: 's3://flowers/v1?endpoint=\(echo.address)'}}")
    var outcomes = try [["publish"], Self.purge].map(contentc)
    for arguments in Self.questions { outcomes.append(try contentc(arguments)) }
    #expect(outcomes[0].status == 69 && outcomes[1].status == 69)
    expectNoSecret(outcomes)
  }

  /// The examples of commands that read a folder or a target, each with and without `--json`.
  ///
  /// The examples change no channel: commands that can change one get `--dry-run`.
  private static let questions =
    ListedCommand.all.filter {
      !$0.reads.isEmpty && !$0.listens
        && (!$0.changesChannel || $0.options.contains("--dry-run"))
    }.flatMap { command in
      let places = [
        ("country-charm", "tulip"), ("production", "qa"), ("bake qa", "bake qa --from-target"),
      ]
      return command.lines(replacing: ListedCommand.places + places, isDry: true)
    }.flatMap { [$0, $0 + ["--json"]] }

  /// The variables that the settings of caches name, and those of a bucket.
  private static let variables =
    CacheName.allCases.flatMap(\.settings).filter(\.kind.isVariable).map { variable($0) }
    + ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]

  private static func variable(_ setting: CacheName.Setting) -> String {
    "A_\(setting.name.uppercased())"
  }

  /// Returns one cache of each kind with all its settings, a vendor's first.
  private static func caches(_ address: String) -> [String] {
    ([.fastly] + CacheName.allCases.filter { $0 != .fastly }).map { cache in
      let settings = cache.settings.map { setting in
        let value =
          switch setting.kind {
          case .name, .secret: variable(setting)
          case .addresses: "[\"\(address)\"]"
          case .vendorAddress: "\"\(address)\""
          case .choice(let words): words[0]
          }
        return "\(setting.name): \(value)"
      }
      return "{\(cache.rawValue): {\(settings.joined(separator: ", "))}}"
    }
  }

  private func expectNoSecret(_ outcomes: [Outcome], at location: SourceLocation = #_sourceLocation)
  {
    for outcome in outcomes {
      let isTold = (outcome.output + outcome.errors).discloses(Self.secret)
      #expect(!isTold, "\(outcome)", sourceLocation: location)
    }
    let files = sandbox.tree().filter {
      String(decoding: $0.bytes, as: UTF8.self).discloses(Self.secret)
    }
    #expect(files.map(\.path) == [], sourceLocation: location)
  }

  // MARK: Commands

  private func contentc(_ arguments: [String]) throws -> Outcome {
    try sandbox.run(
      Sandbox.binary, arguments, environment: Self.variables.map { "\($0)=\(Self.secret)" })
  }

  private func channels(_ channels: String) throws {
    try sandbox.shell("sed -i '/^stalenessLimit:/,$d' content/content.yaml")
    try sandbox.shell(
      "cat >> content/content.yaml <<'E'\nstalenessLimit: 30d\nchannels: \(channels)\nE")
  }
}
