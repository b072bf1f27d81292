package import ContentModel
import PropertyLists

/// The config of a channel, as it was received, with the content of one side of its rollout.
///
/// A config that is read is that of the stable side; ``nextSide`` is the other one. Bytes, release
/// and purge are those of the whole config on both sides.
package struct SiteConfig: Sendable {
  /// The bytes of the config of format 1, also of a signed one.
  package let bytes: [UInt8]
  private let members: Members
  /// The rollout of the config; `nil` if it has none.
  package let rollout: Rollout?
  /// `true` for the side that only readers in the rollout get.
  package let isNext: Bool
  /// The file name ending of property lists, unless their row in an index names another format.
  package let ending: String
  /// The number of the release.
  package let release: Int
  /// The state of purges.
  package let purge: Purge
  /// The state of maintenance.
  package let maintenance: Maintenance

  /// The side of a config, and the hash of the side's indexes for all locales and devices.
  package struct Content: Hashable, Sendable {
    package var isNext: Bool
    package var indexes: Digest

    package init(isNext: Bool, indexes: Digest) { (self.isNext, self.indexes) = (isNext, indexes) }
  }

  /// The reason for which a config cannot be used.
  package enum Refusal: Error, Hashable {
    /// The bytes are no config: a page of a captive portal, or an answer that was cut off.
    case unreadable
    /// A newer version of the format.
    case newerFormat(NewerFormat)
    /// A release with a number outside ``releases``.
    case releaseOutOfRange(Int)
  }

  /// The removed objects and entries, and the oldest release that may be shown.
  package struct Purge: Hashable, Sendable {
    package var sequence = 0
    package var minimumRelease = 0
    package var objects: [Digest] = []
    package var entries: [EntryID] = []
  }

  /// The state of maintenance.
  package struct Maintenance: Sendable {
    package var isActive = false
    package var from: Instant?
    package var until: Instant?
    /// The seconds until a client requests config again during maintenance.
    package var retryAfter = 60
  }

  /// The newest `format` that this version reads.
  private static let newest = 1
  /// The numbers of releases and purges.
  package static let releases = LimitedNumber.serials
  /// The limits of `ttl` and `retryAfter`, in seconds.
  package static let lifetimes = 1...LimitedNumber.longestConfigLifetime.seconds

  /// Reads a config; of a signed one, the config inside, without verifying it.
  package init(_ served: [UInt8]) throws(Refusal) {
    var (bytes, decoded) = (served, try? PropertyList.decode(served))
    if let inner = decoded?.value.configInside {
      (bytes, decoded) = (inner, try? PropertyList.decode(inner))
    }
    guard let (value, format) = decoded, let members = value.members,
      let version = members["format"]?.number
    else { throw .unreadable }
    if let newer = NewerFormat(members["format"], above: Self.newest) { throw .newerFormat(newer) }
    guard version == Self.newest, members["app"]?.text != nil,
      let release = members["release"]?.number
    else { throw .unreadable }
    guard Self.releases.contains(release) else { throw .releaseOutOfRange(release) }
    (self.bytes, self.members, self.release) = (bytes, members, release)
    ending = format.fileExtension
    purge = Self.purge(of: members["purge"])
    maintenance = Self.maintenance(of: members["maintenance"])
    (rollout, isNext) = (members.rollout, false)
  }

  /// Creates the next side of a config.
  private init(nextSide members: Members, of config: SiteConfig) {
    self.members = members
    (bytes, ending, release) = (config.bytes, config.ending, config.release)
    (purge, maintenance) = (config.purge, Self.maintenance(of: members["maintenance"]))
    (rollout, isNext) = (config.rollout, true)
  }

  /// The side that readers in the rollout get; `nil` without a rollout, and for that side itself.
  package var nextSide: SiteConfig? {
    members.nextSide.map { SiteConfig(nextSide: $0, of: self) }
  }

  /// Returns whether this is the same side of the same config.
  package func isSame(as other: SiteConfig) -> Bool {
    isNext == other.isNext && bytes == other.bytes
  }

  /// Returns whether this is the config of an app's channel.
  package func belongs(to app: String, channel: String) -> Bool {
    members["app"] == .string(app) && members["channel"] == .string(channel)
  }

  /// The hash of the bytes.
  package var digest: Digest { Digest(of: bytes) }

  /// The content, by which trials compare releases.
  package var content: Content {
    let rows = (members["indexes"]?.members ?? Members()).flatMap { locale, devices in
      (devices.members ?? Members()).map { "\(locale)/\($0.key) \($0.value.digest?.hex ?? "")" }
    }
    // The next side's indexes have another order than those of a config that was published.
    let text = rows.sorted { $0.precedesInBytes($1) }.joined(separator: "\n")
    return Content(isNext: isNext, indexes: Digest(of: Array(text.utf8)))
  }

  /// The seconds for which this config is current.
  package var ttl: Int { Self.lifetime(of: members["ttl"]) ?? 600 }

  /// The oldest version of the app that may show the content.
  package var minimumApp: AppVersion? { members["minimumApp"]?.text.flatMap { AppVersion($0) } }

  /// The next moment at which content changes by itself.
  package var changes: Instant? { members["changes"]?.instant }

  /// The time of the release.
  package var issued: Instant? { members["issued"]?.instant }

  /// The declared locales, sorted.
  package var locales: [String] { (members["locales"]?.members ?? Members()).map(\.key) }

  /// The object with the texts for maintenance in a context.
  package func maintenancePayload(_ context: ServedContext) -> SiteObject? {
    let devices = members["maintenance"]?["payloads"]?[context.locale.text]
    let digest = (devices?[context.device.text] ?? devices?["any"])?.digest
    return digest.map { SiteObject($0, ending: ending) }
  }

  /// The index of a context.
  package func index(_ context: ServedContext) -> SiteObject? {
    members["indexes"]?[context.locale.text]?[context.device.text]?.digest.map {
      SiteObject($0, ending: ending)
    }
  }

  /// Returns the locale and device of the index for preferred languages and a device.
  package func served(locales: [String], device: String) -> ServedContext {
    let declared = (members["locales"]?.members ?? Members()).compactMap { LocaleTag($0.key) }
    let source = members["sourceLocale"]?.text ?? ""
    let locale =
      LocaleTag(source).flatMap {
        LocaleSet(declared: declared, source: $0).match(locales).locale?.identifier
      } ?? source
    let devices = members["indexes"]?[locale]?.members
    return ServedContext(
      locale: ExactString(locale), device: devices?[device] == nil ? "any" : ExactString(device))
  }

  private static func purge(of value: Value?) -> Purge {
    guard let value else { return Purge() }
    return Purge(
      sequence: serial(value["sequence"]) ?? 0,
      minimumRelease: serial(value["minimumRelease"]) ?? 0,
      objects: (value["objects"]?.items ?? []).compactMap(\.digest),
      entries: (value["entries"]?.items ?? []).compactMap { $0.text.flatMap { EntryID($0) } })
  }

  private static func maintenance(of value: Value?) -> Maintenance {
    Maintenance(
      isActive: value?["active"]?.flag ?? false, from: value?["from"]?.instant,
      until: value?["until"]?.instant, retryAfter: lifetime(of: value?["retryAfter"]) ?? 60)
  }

  private static func lifetime(of value: Value?) -> Int? { value?.number?.clamped(to: lifetimes) }

  /// Returns the nearest number of a release or purge; `nil` for a value that is no number.
  package static func serial(_ value: Value?) -> Int? { value?.number?.clamped(to: releases) }

  /// Returns the nearest number of seconds for which an entry is shown offline; `nil` for a value
  /// that is no number.
  package static func offlineLifetime(_ value: Value?) -> Int? {
    value?.number?.clamped(to: LimitedNumber.lifetimes)
  }
}

extension Int {
  /// Returns the nearest number of a range.
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension SiteConfig.Maintenance {
  /// Returns whether maintenance is in force at an instant.
  package func isInForce(at now: Instant) -> Bool {
    isActive && from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true
  }
}

/// A locale and a device of a config's indexes.
package struct ServedContext: Hashable, Sendable {
  package var locale: ExactString
  package var device: ExactString

  package init(locale: ExactString, device: ExactString) {
    (self.locale, self.device) = (locale, device)
  }
}

extension Value {
  /// The bytes of the config in a signed one, whose format is 2; `nil` for another value.
  fileprivate var configInside: [UInt8]? {
    guard self["format"]?.number == 2 else { return nil }
    switch self["config"] {
    case .data(let bytes): return bytes
    case .string(let text): return Base64.decode(text)
    default: return nil
    }
  }
}
