import ContentClient
public import ContentModel
import PropertyLists

/// A site in memory, whose releases a test writes.
///
/// ```swift
/// let site = TestSite(app: "flowershop", channel: "production")
/// site.publish(["catalog": ["product/rose": ["title": "Rose", "price": 39.5]]])
/// configuration.clock = ManualClock()
/// configuration.transport = site.transport
/// ```
///
/// Its configs and objects have the form that `contentc` publishes, for one locale and the device
/// `any`. A test that needs assets, devices, split bundles, several languages or baked content
/// compiles them with `contentc`: ``ScriptedTransport/init(folder:at:)`` serves them.
///
/// A class, since client and test share the releases.
public final class TestSite: Sendable {
  private struct Published: Sendable {
    var release = 0
    var index: Digest?
    var objects: [String: [UInt8]] = [:]
    var purge: (sequence: Int, entries: [String]) = (0, [])
    var maintenance: Members?
    var minimumApp: AppVersion?
    var isReachable = true
  }

  private let members: Members
  private let configPath: String
  private let published = Locked(Published())

  /// The transport of clients, which answers from this site and keeps all requests.
  public let transport: ScriptedTransport

  /// Creates a site without a release: config answers 404.
  ///
  /// `ttl` is the number of seconds after which clients check again.
  ///
  /// ```swift
  /// let french = TestSite(app: "flowershop", channel: "production", locale: "fr")
  /// ```
  public init(app: String, channel: String, locale: String = "en", ttl: Int = 600) {
    members = [
      "app": .string(app), "channel": .string(channel), "format": 1, "ttl": .integer(Int64(ttl)),
      "locales": [locale: [.string(locale)]], "sourceLocale": .string(locale),
    ]
    configPath = "/\(channel)/config.plist"
    let published = published
    let (members, configPath) = (members, configPath)
    transport = ScriptedTransport { request throws(TransportFailure) in
      let site = published.current
      guard site.isReachable else { throw .unreachable }
      let body: [UInt8]?
      if request.url.hasSuffix(configPath) {
        body = site.release == 0 ? nil : Self.config(of: site, members)
      } else {
        body = request.url.split(separator: "/").last.flatMap { site.objects[String($0)] }
      }
      guard let body else { return ContentResponse(status: 404) }
      return ContentResponse(tagged: body, for: request)
    }
  }

  /// Publishes the next release; returns its number.
  ///
  /// `bundles` has the fields of each entry by bundle and id. Entries are in the order of their
  /// ids. As in YAML, `when` gives an entry or an item of a list its dates `from` and `until`;
  /// other conditions need `contentc`. Entries have no lifetime.
  ///
  /// With `startup` `false`, clients load a bundle if it is in `ContentConfiguration.eager`, or
  /// when the app asks for it.
  ///
  /// ```swift
  /// let noon = Instant(rfc3339: "2027-01-15T12:00:00Z")!
  /// site.publish([
  ///   "catalog": ["product/rose": ["title": "Rose", "when": ["until": .date(noon)]]]
  /// ])
  /// ```
  @discardableResult public func publish(_ bundles: Members, startup isStartup: Bool = true) -> Int
  {
    var (rows, startup) = (Members(), Members())
    var files: [(Digest, [UInt8])] = []
    for (name, entries) in bundles {
      let bundle = Self.bundle(name, of: entries.members ?? Members())
      let file = Self.file(bundle)
      rows[name] = [
        "count": .integer(Int64(entries.members?.count ?? 0)), "object": .data(file.0.bytes),
        "size": .integer(Int64(file.1.count)),
      ]
      if isStartup { startup[name] = bundle }
      files.append(file)
    }
    let index = Self.file(
      ["bundles": .dictionary(rows), "format": 1, "startup": .dictionary(startup)])
    return published.withLock { site in
      site.release += 1
      site.index = index.0
      for (digest, bytes) in files + [index] { site.objects["\(digest.hex).plist"] = bytes }
      return site.release
    }
  }

  /// Purges entries of all releases so far by their ids, and publishes the next one with other
  /// bundles; returns its number.
  ///
  /// A client first hides the entries, with an update for the reason `.purge`. Then it shows the
  /// next release, which is the outcome of its refresh, also if a bundle has no entry left.
  ///
  /// ```swift
  /// site.purge(["product/rose"], publishing: ["catalog": [:]])
  /// ```
  @discardableResult public func purge(_ entries: [String], publishing bundles: Members) -> Int {
    published.withLock { site in
      site.purge = (site.purge.sequence + 1, entries)
    }
    return publish(bundles)
  }

  /// Switches to maintenance with the fields to show, between two moments if they are given.
  ///
  /// Publishes the same entries under the next number. The client's next refresh loads the notice,
  /// and ends as an update. In maintenance, a client that was started checks every `retryAfter`
  /// seconds, or a little later; other refreshes do not wait for it.
  ///
  /// ```swift
  /// site.beginMaintenance(["title": "Back at noon"], until: noon)
  /// ```
  public func beginMaintenance(
    _ fields: Members, from: Instant? = nil, until: Instant? = nil, retryAfter: Int = 60
  ) {
    let (digest, bytes) = Self.file(.dictionary(fields))
    let locale = members["sourceLocale"]?.text ?? ""
    var maintenance: Members = [
      "active": true, "retryAfter": .integer(Int64(retryAfter)),
      "payloads": [locale: ["any": .data(digest.bytes)]],
    ]
    if let from { maintenance["from"] = .date(from) }
    if let until { maintenance["until"] = .date(until) }
    published.withLock { site in
      site.release += 1
      site.maintenance = maintenance
      site.objects["\(digest.hex).plist"] = bytes
    }
  }

  /// Ends maintenance.
  ///
  /// ```swift
  /// site.endMaintenance()
  /// ```
  public func endMaintenance() {
    published.withLock { site in
      site.release += 1
      site.maintenance = nil
    }
  }

  /// The oldest version of the app that may show the content, from the next release on.
  ///
  /// ```swift
  /// site.minimumApp = AppVersion("2.0")
  /// site.publish(["catalog": [:]])
  /// ```
  public var minimumApp: AppVersion? {
    get { published.withLock { $0.minimumApp } }
    set { published.withLock { $0.minimumApp = newValue } }
  }

  /// `false` to answer no request, as without a connection.
  ///
  /// ```swift
  /// site.isReachable = false
  /// ```
  public var isReachable: Bool {
    get { published.withLock { $0.isReachable } }
    set { published.withLock { $0.isReachable = newValue } }
  }

  private static func config(of site: Published, _ members: Members) -> [UInt8] {
    var config = members
    let locale = members["sourceLocale"]?.text ?? ""
    config["release"] = .integer(Int64(site.release))
    config["indexes"] = [locale: ["any": .data(site.index?.bytes ?? [])]]
    config["purge"] = [
      "entries": .array(site.purge.entries.map { .string($0) }), "minimumRelease": 0,
      "objects": [], "sequence": .integer(Int64(site.purge.sequence)),
    ]
    config["minimumApp"] = site.minimumApp.map { .string("\($0)") }
    config["maintenance"] = .dictionary(site.maintenance ?? ["active": false, "retryAfter": 60])
    return file(.dictionary(config)).1
  }

  private static func bundle(_ name: String, of entries: Members) -> Value {
    var shown = Members()
    for (id, fields) in entries {
      var (entry, content): (Members, Members) = (["datatype": "test"], fields.members ?? Members())
      for key in ["from", "until"] { entry[key] = content["when"]?[key] }
      content["when"] = nil
      entry["content"] = .dictionary(content)
      shown[id] = .dictionary(entry)
    }
    return [
      "bundle": .string(name), "entries": .dictionary(shown), "format": 1,
      "order": .array(entries.map { .string($0.key) }),
    ]
  }

  private static func file(_ value: Value) -> (Digest, [UInt8]) {
    let bytes = (try? PropertyList.encode(value, as: .binary)) ?? []
    return (Digest(of: bytes), bytes)
  }
}
