import ContentModel
import Hashing
import PropertyLists

/// The config of a channel, as it was received.
struct SiteConfig: Sendable {
  /// The bytes that arrived.
  let bytes: [UInt8]
  private let members: Members
  /// The ending of property lists without a format of their own.
  let ending: String
  /// The number of the release.
  let release: Int
  /// The state of purges.
  let purge: Purge
  /// The state of maintenance.
  let maintenance: Maintenance

  /// The reason for which a config cannot be used.
  enum Refusal: Error, Hashable {
    /// The bytes are no config: a page of a captive portal, or an answer that was cut off.
    case unreadable
    /// A newer version of the format.
    case newerFormat(Int)
  }

  /// The removed objects and entries, and the oldest release that may be shown.
  struct Purge: Hashable, Sendable {
    var sequence = 0
    var minimumRelease = 0
    var objects: [Digest] = []
    var entries: [EntryID] = []
  }

  /// The state of maintenance.
  struct Maintenance: Sendable {
    var isActive = false
    var from: Instant?
    var until: Instant?
    /// The seconds until the next look during maintenance.
    var retryAfter = 60
  }

  /// The newest `format` that this version reads.
  private static let newest = 1
  /// Numbers of releases end well before they overflow.
  private static let releases = 0...Int(1) << 53
  /// A life of a year is as good as one without end.
  private static let lifetimes = 1...31_622_400

  /// Reads a config.
  init(_ bytes: [UInt8]) throws(Refusal) {
    guard let (value, format) = try? PropertyList.decode(bytes), let members = value.members,
      let version = members["format"]?.number, members["app"]?.text != nil,
      let release = members["release"]?.number, Self.releases.contains(release)
    else { throw .unreadable }
    guard version == Self.newest else { throw .newerFormat(version) }
    (self.bytes, self.members, self.release) = (bytes, members, release)
    ending = format.fileExtension
    purge = Self.purge(of: members["purge"])
    maintenance = Self.maintenance(of: members["maintenance"])
  }

  /// Returns whether this is the config of an app's channel.
  func belongs(to app: String, channel: String) -> Bool {
    members["app"]?.text == app && members["channel"]?.text == channel
  }

  /// The hash of the bytes.
  var digest: Digest { Digest(of: bytes) }

  /// The seconds for which this config is current.
  var ttl: Int { Self.lifetime(of: members["ttl"]) ?? 600 }

  /// The oldest version of the app that may show the content.
  var minimumApp: AppVersion? { members["minimumApp"]?.text.flatMap { AppVersion($0) } }

  /// The next moment at which content changes by itself.
  var changes: Instant? { members["changes"]?.instant }

  /// The time of the release.
  var issued: Instant? { members["issued"]?.instant }

  /// The declared locales, sorted.
  var locales: [String] { (members["locales"]?.members ?? Members()).map(\.key) }

  /// The hash of the texts for maintenance in a context.
  func maintenancePayload(_ context: ServedContext) -> SiteObject? {
    let devices = members["maintenance"]?["payloads"]?[context.locale]
    let digest = (devices?[context.device] ?? devices?["any"])?.digest
    return digest.map { SiteObject($0, ending: ending) }
  }

  /// The index of a context.
  func index(_ context: ServedContext) -> SiteObject? {
    members["indexes"]?[context.locale]?[context.device]?.digest.map {
      SiteObject($0, ending: ending)
    }
  }

  /// Returns the locale and device that a reader gets.
  func served(_ reader: ReaderContext) -> ServedContext {
    let declared = (members["locales"]?.members ?? Members()).compactMap { LocaleTag($0.key) }
    let source = members["sourceLocale"]?.text ?? ""
    let locale =
      LocaleTag(source).flatMap {
        LocaleSet(declared: declared, source: $0).match(reader.locales).locale?.identifier
      } ?? source
    let devices = members["indexes"]?[locale]?.members
    let device = devices?[reader.device] == nil ? "any" : reader.device
    return ServedContext(locale: locale, device: device)
  }

  private static func purge(of value: Value?) -> Purge {
    guard let value else { return Purge() }
    return Purge(
      sequence: value["sequence"]?.number.map { min(max(0, $0), releases.upperBound) } ?? 0,
      minimumRelease: value["minimumRelease"]?.number ?? 0,
      objects: (value["objects"]?.items ?? []).compactMap(\.digest),
      entries: (value["entries"]?.items ?? []).compactMap { $0.text.flatMap { EntryID($0) } })
  }

  private static func maintenance(of value: Value?) -> Maintenance {
    Maintenance(
      isActive: value?["active"]?.flag ?? false, from: value?["from"]?.instant,
      until: value?["until"]?.instant, retryAfter: lifetime(of: value?["retryAfter"]) ?? 60)
  }

  private static func lifetime(of value: Value?) -> Int? {
    value?.number.map { min(max($0, lifetimes.lowerBound), lifetimes.upperBound) }
  }
}

extension SiteConfig.Maintenance {
  /// Returns whether maintenance is in force at an instant.
  func isInForce(at now: Instant) -> Bool {
    isActive && from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true
  }
}

/// A locale and a device of a config's indexes.
struct ServedContext: Hashable, Sendable {
  var locale: String
  var device: String

  static func == (a: ServedContext, b: ServedContext) -> Bool {
    a.locale == b.locale && a.device == b.device
  }

  func hash(into hasher: inout Hasher) {
    locale.hashBytes(into: &hasher)
    device.hashBytes(into: &hasher)
  }
}
