import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists
import TestServers
import Testing

/// A shop in a folder behind a cache; its second release has a bad text.
struct PurgeShop {
  static let bad = "Swear word"
  /// The command that purges the entry with the bad text.
  static let purge = ["purge", "product/tulip", "--reason", "An insult"]

  let sandbox: Sandbox
  let cache: ScriptedCache

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    cache = try ScriptedCache(before: "site", of: sandbox)
    try Self.addChannel(to: sandbox, behind: cache.address)
    try run("publish")
    try sandbox.shell("sed -i 's/title: Tulip/title: \(Self.bad)/' content/entries/product.yaml")
    try run("publish")
  }

  /// Adds the channel `qa` in the folder `site`, behind a cache with an address.
  static func addChannel(to sandbox: Sandbox, behind cache: String) throws {
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels:
        qa:
          target: site
          url: \(cache)
          originTimeout: 1s
          cdn: [{varnish: {nodes: ["\(cache)"]}}]
      E
      """)
  }

  /// Runs `contentc`.
  func contentc(_ arguments: [String]) throws -> Outcome {
    try sandbox.run(Sandbox.binary, arguments)
  }

  /// Runs `contentc`, which must succeed; returns its JSON if an argument asks for it.
  @discardableResult
  func run(_ arguments: String...) throws -> Value? {
    try sandbox.succeed(arguments)
  }

  /// Fetches every public file through the cache.
  func fillCache() throws {
    for file in sandbox.tree("site") {
      try sandbox.shell(
        "curl -sf -o /dev/null \(cache.address)/\(file.path.dropFirst("site/".count))")
    }
    #expect(!cache.copies(holding: Self.bad).isEmpty)
  }

  /// Expects that no byte of the bad text is left and that every object of the release exists.
  func expectGone(at location: SourceLocation = #_sourceLocation) throws {
    let files = sandbox.tree("site").filter {
      String(decoding: $0.bytes, as: UTF8.self).contains(Self.bad)
    }
    #expect(files.map(\.path) == [], sourceLocation: location)
    #expect(cache.copies(holding: Self.bad) == [], sourceLocation: location)
    let notes = sandbox.files(below: "site/qa/purges")
    for live in notes where live.hasSuffix("/live") {
      let folder = live.dropLast("live".count)
      #expect(
        notes.contains { $0.hasPrefix("\(folder)done-") }, "\(notes)", sourceLocation: location)
    }
    _ = try wholeRelease(at: location)
  }

  /// Returns the live release, after checking that each of its objects is present and intact.
  func wholeRelease(at location: SourceLocation = #_sourceLocation) throws -> Int {
    let target = FolderTarget("\(sandbox.root)/site")
    let place = ChannelPlace(target: target, channel: "qa", app: "shop")
    let live = try #require(try place.live(), sourceLocation: location)
    let content = live.content(at: target)
    for object in content.objects { _ = try content.file(object) }
    return live.number
  }

  /// Returns an entry's content as readers get it.
  func entry(_ id: String, _ locale: String) throws -> Value? {
    try PublishedFolder(sandbox, folder: "site", config: "qa/config.plist").bundle(
      "all", locale, "any")["entries"][id][
        "content"]
  }

  /// Returns an entry's title for readers in French.
  func title(_ id: String) throws -> String? { try entry(id, "fr")["title"].text }
}

extension Sandbox {
  /// Returns a note of a purge of the channel `qa`, whose name begins with a word such as `done-`.
  func purgeNote(_ name: String, of purge: Int) throws -> Value {
    let notes = files(below: "site/qa/purges/").filter {
      $0.contains("/\(purge)-") && $0.contains("/\(name)")
    }
    return try value(#require(notes.last, "no '\(name)' of purge \(purge)"))
  }
}
