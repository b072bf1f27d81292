import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import SiteFormat
import TestReaders

@testable import ContentClient
@testable import TestDelivery

/// The server of a fleet: what it answers at each moment is decided before the first client starts.
struct FleetSite: Sendable {
  /// A release, from the moment at which it is published.
  struct Era: Sendable {
    var start: Double
    var release: Int
    /// The title of all products.
    var title: String
    var files: [String: [UInt8]]
    var entityTag: String
  }

  /// A time in which no request succeeds.
  struct Outage: Sendable {
    var times: Range<Double>
    /// `true` if the server answers with 503.
    var isAnswered: Bool
    /// The value of `Retry-After` in its answers.
    var retryAfter: Int?
  }

  /// The event of a moment that all clients share.
  struct Event: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case push, changes, end, maintenance }

    var time: Double
    var kind: Kind
    var release: Int
  }

  private(set) var eras: [Era] = []
  private(set) var outages: [Outage] = []
  private(set) var events: [Event] = []
  /// The times in which the publisher asks for more checks.
  private(set) var maintenance: [Range<Double>] = []
  /// The purged entries with the release that brought the purge.
  private(set) var purges: [(entry: String, release: Int)] = []
  let seconds: Double

  static let prefix = "https://shop.example/"
  private static let config = "production/config.plist"
  /// The seconds between checks during maintenance.
  private static let retryAfter = 120.0

  /// Publishes the releases of some days.
  init(days: Int) throws {
    seconds = Double(days) * 86_400
    let publisher = Publisher(days: days)
    try publish(0, by: publisher)
    for day in 0..<days { try publish(day: day, by: publisher) }
    outages.sort { $0.times.lowerBound < $1.times.lowerBound }
  }

  /// The target, and the content that is published next.
  private final class Publisher {
    let place = ChannelPlace(MemoryTarget())
    var title = ""
    var products: Set<String>
    /// The date at which another product appears.
    var embargo: String?

    init(days: Int) { products = Set((0..<days).map { "purged\($0)" }) }
  }

  // MARK: Publishing

  /// A day with everything that may happen.
  private mutating func publish(day: Int, by publisher: Publisher) throws {
    func at(_ hour: Double) -> Double { (Double(day) * 24 + hour) * 3600 }
    try publish(at(2), by: publisher)
    try publish(at(6), by: publisher, kind: .push)
    // Clients learn of the end by their next check.
    maintenance.append(at(9)..<(at(9.5) + 1.2 * Self.retryAfter))
    try change(at(9), by: publisher, kind: .maintenance) {
      try $0.switchMaintenance(
        to: MaintenanceSwitch(isActive: true, retryAfter: Int(Self.retryAfter)))
    }
    try change(at(9.5), by: publisher, kind: .maintenance) { try $0.switchMaintenance(to: .off) }
    try purge("purged\(day)", at: at(12), by: publisher)
    outages.append(Outage(times: at(14)..<at(14.5), isAnswered: false))
    let appearance = Instant(
      secondsSinceReferenceDate: FleetClock.start.secondsSinceReferenceDate + at(18))
    publisher.embargo = appearance.rfc3339
    try publish(at(16), by: publisher)
    publisher.embargo = nil
    try publish(at(18), by: publisher, kind: .changes)
    outages.append(Outage(times: at(20)..<at(20.75), isAnswered: true))
    try publish(at(20.25), by: publisher)
    outages.append(Outage(times: at(22)..<at(22.25), isAnswered: true, retryAfter: 300))
    for outage in outages.suffix(3) {
      events.append(Event(time: outage.times.upperBound, kind: .end, release: 0))
    }
  }

  private mutating func publish(
    _ time: Double, by publisher: Publisher, kind: Event.Kind? = nil
  ) throws {
    publisher.title = "Title \(Int(time))"
    try change(time, by: publisher, kind: kind) {
      try Shop(Self.texts(publisher)).publish(to: $0)
    }
  }

  private mutating func purge(_ name: String, at time: Double, by publisher: Publisher) throws {
    try change(time, by: publisher, kind: .push) {
      try $0.purge(PurgeOrder(.entries(["product/\(name)"]), reason: "A swear word"))
    }
    publisher.products.remove(name)
    purges.append((entry: "product/\(name)", release: eras[eras.count - 1].release))
  }

  /// Makes a change, and keeps what the target has afterwards.
  private mutating func change(
    _ time: Double, by publisher: Publisher, kind: Event.Kind?,
    _ work: (ChannelPlace) throws -> Void
  ) throws {
    let place = publisher.place
    try work(place)
    var files: [String: [UInt8]] = [:]
    for file in try place.target.list(below: "objects/") {
      files[file.key] = try place.target.read(file.key)?.bytes
    }
    files[Self.config] = try place.target.read(Self.config)?.bytes
    let config = try SiteConfig(files[Self.config] ?? [])
    eras.append(
      Era(
        start: time, release: config.release, title: publisher.title, files: files,
        entityTag: "\"\(Digest(of: config.bytes).hex.prefix(16))\""))
    if let kind { events.append(Event(time: time, kind: kind, release: config.release)) }
  }

  private static func texts(_ publisher: Publisher) -> [String: String] {
    let title = publisher.title
    var texts = [
      "content.yaml": """
      app: shop
      sourceLocale: en
      locales: [en, fr]
      bundles:
        catalog: {include: product/*, startup: true}
      """
    ]
    for name in ["rose", "iris"] + publisher.products.sorted() {
      texts["entries/product/\(name).yaml"] = "title: \(title)\n"
    }
    if let embargo = publisher.embargo {
      texts["entries/product/tulip.yaml"] =
        "title: \(title)\nwhen: {from: \(embargo), embargo: true}\n"
    }
    return texts
  }

  // MARK: Answers

  /// Returns the release that is published at a moment.
  func era(at time: Double) -> Era {
    eras.last { $0.start <= time } ?? eras[0]
  }

  /// Returns the moment at which a newer release was published; `nil` if there is none.
  func end(of release: Int) -> Double? { eras.first { $0.release > release }?.start }

  /// Returns the outage of a moment.
  func outage(at time: Double) -> Outage? { outages.first { $0.times.contains(time) } }

  /// Answers as a server does at a moment.
  func answer(
    _ request: ContentRequest, at time: Double
  ) throws(TransportFailure) -> ContentResponse {
    if let outage = outage(at: time) {
      guard outage.isAnswered else { throw .unreachable }
      let headers = outage.retryAfter.map { [(name: "Retry-After", value: "\($0)")] }
      return ContentResponse(status: 503, headers: headers ?? [])
    }
    let era = era(at: time)
    let key = String(request.url.dropFirst(Self.prefix.count))
    guard let bytes = era.files[key] else { return ContentResponse(status: 404) }
    if key != Self.config { return ContentResponse(status: 200, body: bytes) }
    if request.entityTag == era.entityTag { return ContentResponse(status: 304) }
    return ContentResponse(status: 200, headers: [("ETag", era.entityTag)], body: bytes)
  }
}
