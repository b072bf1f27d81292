import ContentModel
import SiteFormat

/// The settings of a client.
///
/// ```swift
/// var configuration = ContentConfiguration(
///   url: "https://content.example.com", app: "flowershop", channel: "production")
/// configuration.storage = .folder(path: supportFolder + "/content")
/// configuration.baked = bundleFolder + "/Content"
/// let client = try ContentClient(configuration)
/// ```
public struct ContentConfiguration: Sendable {
  /// The place in which a client keeps what it loaded.
  ///
  /// ```swift
  /// configuration.storage = .folder(path: supportFolder + "/content")
  /// ```
  public enum Storage: Hashable, Sendable {
    /// A folder for one channel, which is created if it is missing. Several processes may use it
    /// at the same time. It can be deleted while no client is open.
    case folder(path: String)
    /// Memory: each start loads everything again.
    case memory
  }

  /// The moment at which a new release is shown; a purge never waits.
  ///
  /// ```swift
  /// configuration.activation = .manual
  /// ```
  public enum Activation: Hashable, Sendable {
    /// The moment at which it is whole.
    case immediate
    /// The next start of the app.
    case nextLaunch
    /// The call of ``ContentClient/activate()``.
    case manual
  }

  /// The signatures that content must have.
  ///
  /// ```swift
  /// configuration.trust = .pinned(path: bundleFolder + "/keys.json")
  /// ```
  public enum Trust: Hashable, Sendable {
    /// None: the server, and everything between it and the app, decide what the app shows.
    case unsigned
    /// Signatures of the channel's keys. The file has the key document with which the client
    /// begins: one of `1.json`, `2.json` and so on that `contentc keys` wrote. The client learns of
    /// later documents by itself.
    case pinned(path: String)
  }

  /// The limits of a client's resources.
  ///
  /// ```swift
  /// configuration.limits.storage = 20_000_000
  /// ```
  public struct Limits: Hashable, Sendable {
    /// The most bytes in the storage; beyond them, bundles and assets that a refresh does not need
    /// are removed, the least recently used first.
    public var storage = 50_000_000

    /// Creates the default limits.
    public init() {}
  }

  /// The address of the site, without a `/` at its end: `https`, or `http` on this machine.
  public var url: String
  /// The name of the app, as `app` in `content.yaml` has it.
  public var app: String
  /// The name of the channel.
  public var channel: String
  /// The ending of the file names of config: `json` if `format` in `content.yaml` is `json`.
  ///
  /// Default: `plist`.
  ///
  /// ```swift
  /// configuration.configEnding = "json"
  /// ```
  public var configEnding = "plist"
  /// Headers that each request has, also those for config and objects after a redirection within
  /// the site.
  ///
  /// They may carry what a server asks for, such as a token of a closed test: a CDN then must not
  /// answer from its cache to readers without it. The client sets `If-None-Match` and
  /// `Cache-Control`, and the transport those of the connection: these are refused here.
  ///
  /// Default: none.
  ///
  /// ```swift
  /// configuration.headers = [(name: "Authorization", value: "Bearer \(token)")]
  /// ```
  public var headers: [(name: String, value: String)] = []
  /// The signatures that content must have.
  ///
  /// All processes that share a folder must pin a key document of the same channel, or none: a
  /// process without one begins with an empty storage, and replaces the floors of the others. The
  /// same holds for an update of the app that begins to pin, or stops.
  ///
  /// Default: none.
  ///
  /// ```swift
  /// configuration.trust = .pinned(path: bundleFolder + "/keys.json")
  /// ```
  public var trust = Trust.unsigned
  /// The reader.
  ///
  /// Default: that of the system, with device `any`.
  ///
  /// ```swift
  /// configuration.context.country = "CA"
  /// ```
  public var context = ReaderContext.system
  /// The folder that `contentc bake` wrote; `nil` without baked content.
  ///
  /// ```swift
  /// configuration.baked = bundleFolder + "/Content"
  /// ```
  public var baked: String?
  /// The place of loaded content.
  ///
  /// Default: memory, so that each start loads everything. Apps set a folder.
  public var storage = Storage.memory
  /// The app's own name for this reader or device, which decides which releases in steps the reader
  /// gets: 1 to 64 of `A-Z`, `a-z`, `0-9`, `.`, `_` and `-`.
  ///
  /// The client does not send or store it. All processes that share a folder must set the same one.
  ///
  /// Default: none. Then the client draws a random unit once, and stores it in the folder.
  ///
  /// ```swift
  /// configuration.unit = accountID
  /// ```
  public var unit: String?
  /// The bundles that each refresh completes, beside the startup bundles; their order does not
  /// matter, and a name that the release lacks is ignored.
  ///
  /// The name of a split bundle means all its parts.
  ///
  /// ```swift
  /// configuration.eager = ["catalog", "strings/app"]
  /// ```
  public var eager: [BundleName] = []
  /// The moment at which a new release is shown.
  ///
  /// Default: immediately.
  ///
  /// ```swift
  /// configuration.activation = .nextLaunch
  /// ```
  public var activation = Activation.immediate
  /// The limits.
  ///
  /// ```swift
  /// configuration.limits.storage = 100_000_000
  /// ```
  public var limits = Limits()
  /// Another channel, reader or time of day, for debug builds.
  ///
  /// Default: none.
  public var override: ContentOverride?
  /// The way to the server.
  ///
  /// Default: `URLSession`, or libcurl on Linux.
  ///
  /// ```swift
  /// configuration.transport = ScriptedTransport(folder: published, at: configuration.url)
  /// ```
  public var transport: any ContentTransport = SystemTransport()
  /// The clock.
  ///
  /// ```swift
  /// configuration.clock = ManualClock()
  /// ```
  public var clock: any ContentClock = SystemClock()
  /// The source of random numbers.
  ///
  /// ```swift
  /// configuration.random = SeededRandom(seed: 7)
  /// ```
  public var random: any ContentRandom = SystemRandom()

  /// The clock before an override; `nil` without one.
  var originalClock: (any ContentClock)?

  /// The name of the program, by which those that share a folder know each other.
  var program = CommandLine.arguments.first ?? ""

  /// Creates a configuration for an app's channel.
  public init(url: String, app: String, channel: String) {
    (self.url, self.app, self.channel) = (url, app, channel)
  }

  /// The clock by which signatures are judged, which an override does not change.
  var verificationClock: any ContentClock { originalClock ?? clock }

  /// Checks the values.
  ///
  /// - Throws: `ContentError` of kind `.configuration`.
  func check() throws(ContentError) {
    func refuse(_ reason: String) -> ContentError { ContentError(.configuration, because: reason) }
    guard WebURL.isPlain(url), !url.hasSuffix("/"), WebURL.isConfidential(url) else {
      throw refuse(
        "'\(url)' is no address of a site: use https://host/path, without a '/' at the end")
    }
    guard !app.isEmpty else { throw refuse("the name of the app is empty") }
    guard EntryID.isPart(channel) else { throw refuse("'\(channel)' is no name of a channel") }
    guard ["plist", "json"].contains(configEnding) else {
      throw refuse("'\(configEnding)' is no ending of config: use plist or json")
    }
    guard unit.map(Rollout.isUnit) ?? true else {
      // The unit may name a person, and is not in the message.
      throw refuse("the unit is not 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'")
    }
    guard limits.storage > 0 else { throw refuse("limits.storage must be above 0") }
    for (name, value) in headers {
      guard RequestHeader.isName(name) else { throw refuse("'\(name)' is no name of a header") }
      guard !RequestHeader.isReserved(name) else {
        throw refuse("the client sets the header '\(name)' itself")
      }
      // The value may be secret, and is not in the message.
      guard RequestHeader.isValue(value) else {
        throw refuse("the value of the header '\(name)' has a control character or is not ASCII")
      }
    }
  }
}

extension ContentConfiguration {
  /// Reads the pinned key document; `nil` for content without signatures.
  ///
  /// - Throws: `ContentError` of kind `.configuration`.
  func pinnedDocument() throws(ContentError) -> KeyDocument? {
    guard case .pinned(let path) = trust else { return nil }
    func refuse(_ reason: String) -> ContentError { ContentError(.configuration, because: reason) }
    guard let bytes = FolderFile.contents(path, limit: SignedBody.fileByteLimit) else {
      throw refuse("the key document '\(path)' cannot be read")
    }
    let document: KeyDocument
    do {
      document = try KeyDocument(try SignedBody(file: bytes))
      try document.requireSignatures(after: nil)
    } catch {
      throw refuse("'\(path)' is no key document to trust: \(error.reason)")
    }
    guard document.isFor(app: app, channel: channel) else {
      throw refuse(
        "the key document '\(path)' is not for the app '\(app)' and its channel '\(channel)'")
    }
    return document
  }
}
