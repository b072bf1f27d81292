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
    var change: Change
    /// The title of all products.
    var title: String
    /// The rollout, and the title of all products on its next side.
    var next: (rollout: Rollout, title: String)?
    var files: [String: [UInt8]]
    var entityTag: String

    /// Returns the name of the rollout whose next side a reader with a unit gets; `nil` on the stable side.
    func side(of unit: String?) -> String? {
      guard let unit, let rollout = next?.rollout, rollout.includes(unit) else { return nil }
      return rollout.name
    }

    /// Returns the title of all products on a side.
    func title(isNext: Bool) -> String { isNext ? next?.title ?? title : title }
  }

  /// What a release changes.
  enum Change: String, CaseIterable, Sendable {
    case publication, purge, maintenance
    /// A rollout begins, gets other content, reaches more readers, or ends.
    case start, replacement, step, finish, abort
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
    try publish(at: 0, by: publisher)
    for day in 0..<days { try publish(day: day, by: publisher) }
    outages.sort { $0.times.lowerBound < $1.times.lowerBound }
  }

  /// The target, and the content that is published next.
  private final class Publisher {
    let place = ChannelPlace(MemoryTarget())
    var title = ""
    /// The title on the next side of a rollout.
    var nextTitle = ""
    var products: Set<String>
    /// The date at which another product appears.
    var embargo: String?

    init(days: Int) { products = Set((0..<days).map { "purged\($0)" }) }
  }

  // MARK: Publishing

  /// A day with everything that may happen.
  private mutating func publish(day: Int, by publisher: Publisher) throws {
    func at(_ hour: Double) -> Double { (Double(day) * 24 + hour) * 3600 }
    try publish(at: at(2), by: publisher)
    let name = "day-\(day)"
    try rollOut(to: "1%", of: name, at: at(3), by: publisher)
    try step(to: "10%", at: at(4.5), by: publisher)
    // Readers on the stable side get the push, too, and keep their content.
    try rollOut(to: "10%", of: name, at: at(6), by: publisher, kind: .push)
    try step(to: "50%", at: at(7.5), by: publisher)
    // Clients learn of the end by their next check.
    maintenance.append(at(9)..<(at(9.5) + 1.2 * Self.retryAfter))
    try make(.maintenance, at: at(9), by: publisher, kind: .maintenance) {
      try $0.switchMaintenance(
        to: MaintenanceSwitch(isActive: true, retryAfter: Int(Self.retryAfter)))
    }
    try make(.maintenance, at: at(9.5), by: publisher, kind: .maintenance) {
      try $0.switchMaintenance(to: .off)
    }
    try purge("purged\(day)", at: at(12), by: publisher)
    if day.isMultiple(of: 2) {
      publisher.title = publisher.nextTitle
      try make(.finish, at: at(13), by: publisher) { try $0.change(.finish) }
    } else {
      try make(.abort, at: at(13), by: publisher) { try $0.change(.abort) }
    }
    outages.append(Outage(times: at(14)..<at(14.5), isAnswered: false))
    let appearance = Instant(
      secondsSinceReferenceDate: FleetClock.start.secondsSinceReferenceDate + at(18))
    publisher.embargo = appearance.rfc3339
    try publish(at: at(16), by: publisher)
    publisher.embargo = nil
    try publish(at: at(18), by: publisher, kind: .changes)
    outages.append(Outage(times: at(20)..<at(20.75), isAnswered: true))
    try publish(at: at(20.25), by: publisher)
    outages.append(Outage(times: at(22)..<at(22.25), isAnswered: true, retryAfter: 300))
    for outage in outages.suffix(3) {
      events.append(Event(time: outage.times.upperBound, kind: .end, release: 0))
    }
  }

  private mutating func publish(
    at time: Double, by publisher: Publisher, kind: Event.Kind? = nil
  ) throws {
    publisher.title = "Title \(Int(time))"
    try make(.publication, at: time, by: publisher, kind: kind) {
      try Shop(Self.texts(publisher, title: publisher.title)).publish(to: $0)
    }
  }

  /// Gives new content to a part of the readers; replaces it if the rollout is on.
  private mutating func rollOut(
    to percent: String, of name: String, at time: Double, by publisher: Publisher,
    kind: Event.Kind? = nil
  ) throws {
    publisher.nextTitle = "Next title \(Int(time))"
    let isOn = eras[eras.count - 1].next != nil
    let rollout = Rollout(
      name: name, below: Rollout.limit(percent: percent) ?? 0, release: Rollout.beginning)
    try make(isOn ? .replacement : .start, at: time, by: publisher, kind: kind) {
      try $0.publish(Shop(Self.texts(publisher, title: publisher.nextTitle)), as: rollout)
    }
  }

  private mutating func step(
    to percent: String, at time: Double, by publisher: Publisher
  ) throws {
    guard var rollout = eras[eras.count - 1].next?.rollout else { return }
    rollout.below = Rollout.limit(percent: percent) ?? 0
    try make(.step, at: time, by: publisher) { [rollout] in try $0.change(.step(rollout)) }
  }

  private mutating func purge(_ name: String, at time: Double, by publisher: Publisher) throws {
    try make(.purge, at: time, by: publisher, kind: .push) {
      try $0.purge(PurgeOrder(.entries(["product/\(name)"]), reason: "A swear word"))
    }
    publisher.products.remove(name)
    purges.append((entry: "product/\(name)", release: eras[eras.count - 1].release))
  }

  /// Makes a change, and keeps what the target has afterwards.
  private mutating func make(
    _ change: Change, at time: Double, by publisher: Publisher, kind: Event.Kind? = nil,
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
        start: time, release: config.release, change: change, title: publisher.title,
        next: config.rollout.map { ($0, publisher.nextTitle) }, files: files,
        entityTag: "\"\(Digest(of: config.bytes).hex.prefix(16))\""))
    if let kind { events.append(Event(time: time, kind: kind, release: config.release)) }
  }

  private static func texts(_ publisher: Publisher, title: String) -> [String: String] {
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

  /// Returns the index of the release that is published at a moment.
  func index(at time: Double) -> Int { max(0, firstIndex { $0.start > time } - 1) }

  /// Returns the index of a release; `nil` if there is none of this number.
  func index(of release: Int) -> Int? {
    let index = firstIndex { $0.release >= release }
    return eras.indices.contains(index) && eras[index].release == release ? index : nil
  }

  /// Returns the moment at which a newer release was published; `nil` if there is none.
  func end(of release: Int) -> Double? {
    let index = firstIndex { $0.release > release }
    return eras.indices.contains(index) ? eras[index].start : nil
  }

  /// Returns the index of the first release that meets a condition, which all later ones meet, too.
  private func firstIndex(where isLater: (Era) -> Bool) -> Int {
    var (low, high) = (0, eras.count)
    while low < high {
      let middle = (low + high) / 2
      if isLater(eras[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }

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
    let era = eras[index(at: time)]
    let key = String(request.url.dropFirst(Self.prefix.count))
    guard let bytes = era.files[key] else { return ContentResponse(status: 404) }
    if key != Self.config { return ContentResponse(status: 200, body: bytes) }
    if request.entityTag == era.entityTag { return ContentResponse(status: 304) }
    return ContentResponse(status: 200, headers: [("ETag", era.entityTag)], body: bytes)
  }
}
