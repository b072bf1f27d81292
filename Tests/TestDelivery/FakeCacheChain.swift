import ContentModel
import ContentSource
import HTTPTransport
import PropertyLists
import SiteFormat
import Synchronization

@testable import ContentCaches
@testable import ContentTargets

/// Varnish before a target, nginx before Varnish, and a separate CDN, reduced to their purge
/// behavior.
///
/// Each cache keeps its copies until it is purged.
///
/// A class because the command and the readers share it.
final class FakeCacheChain: Sendable {
  /// A defect of one or two caches.
  enum Fault: String, CaseIterable, Sendable {
    case none, shieldDown, edgeDown, bothDown, otherDown
    /// The edge confirms the purge but keeps its copies.
    case keepsConfig, keepsObjects
  }

  /// An observed step of a purge.
  enum Event: Hashable, Sendable {
    case forgot(cache: String, key: String)
    /// The command read config and saw a release.
    case saw(release: Int)
    case removed(key: String)
  }

  private struct State {
    var fault = Fault.none
    var shield: [String: [UInt8]] = [:]
    var edge: [String: [String: [UInt8]]] = [:]
    var other: [String: [UInt8]] = [:]
    var events: [Event] = []
  }

  static let site = "https://cdn.example.com/v1"
  private let target: any Target
  private let state = Mutex(State())

  init(before target: any Target) { self.target = target }

  static var caches: [any CDN] {
    [
      VarnishCDN(CacheNodes(["http://shield"])), PerVariantCDN.nginx(CacheNodes(["http://edge"])),
      PerVariantCDN.squid(CacheNodes(["http://other"])),
    ]
  }

  /// The items of `caches` in content.yaml.
  static var layers: [CacheLayer] {
    [
      CacheLayer(.varnish, settings: ["nodes": ["http://shield"]]),
      CacheLayer(.nginx, settings: ["nodes": ["http://edge"]]),
      CacheLayer(.squid, settings: ["nodes": ["http://other"]]),
    ]
  }

  var events: [Event] { state.withLock { $0.events } }

  func set(_ fault: Fault) { state.withLock { $0.fault = fault } }

  func note(_ event: Event) { state.withLock { $0.events.append(event) } }

  /// Returns the keys whose cached copies contain a text.
  func copies(holding text: String) -> Set<String> {
    let all = state.withLock { state in
      Array(state.shield) + Array(state.other)
        + state.edge.flatMap { key, forms in forms.values.map { (key: key, value: $0) } }
    }
    return Set(all.filter { String(decoding: $0.value, as: UTF8.self).contains(text) }.map(\.key))
  }

  /// Returns the bytes that a reader gets through the edge.
  func read(_ key: String, form: String = "identity") throws -> [UInt8]? {
    if let copy = state.withLock({ $0.edge[key]?[form] ?? $0.shield[key] }) {
      state.withLock { $0.edge[key, default: [:]][form] = copy }
      return copy
    }
    guard let bytes = try target.read(key)?.bytes else { return nil }
    state.withLock { state in
      state.shield[key] = bytes
      state.edge[key, default: [:]][form] = bytes
    }
    return bytes
  }

  /// Returns the bytes that a reader gets from the other CDN.
  func readOther(_ key: String) throws -> [UInt8]? {
    if let copy = state.withLock({ $0.other[key] }) { return copy }
    guard let bytes = try target.read(key)?.bytes else { return nil }
    state.withLock { $0.other[key] = bytes }
    return bytes
  }

  /// Caches an earlier answer of the origin again.
  func bringBack(_ key: String, _ bytes: [UInt8]) {
    state.withLock { state in
      state.shield[key] = bytes
      state.edge[key, default: [:]]["identity"] = bytes
    }
  }

  /// Evicts every second object from the other CDN, as caches do when they are full.
  func evict() {
    state.withLock { state in
      for key in state.other.keys.sorted().enumerated().filter({ $0.offset % 2 == 0 }).map(
        \.element)
      {
        if key.hasPrefix("objects/") { state.other[key] = nil }
      }
    }
  }

  /// Answers a purge, or a read that checks its effect.
  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    let (host, path) = WebAddress(request.url).map { ($0.host, $0.target) } ?? ("", "")
    let form = request.headers.first { $0.name == "Accept-Encoding" }?.value ?? "identity"
    switch host {
    case "shield", "edge", "other":
      let key = String(path.dropFirst(host == "edge" ? "/_purge/v1/".count : "/v1/".count))
      return try state.withLock { state throws(HTTPFailure) in
        try Self.forget(key, form, at: host, &state)
      }
    default:
      let key = String(path.dropFirst("/v1/".count))
      guard let bytes = try? read(key, form: form) else { return HTTPAnswer(status: 404) }
      let release =
        key.hasSuffix("config.plist")
        ? try? PropertyList.decode(Envelope.config(in: bytes)).value["release"]?.number : nil
      if let release { note(.saw(release: release)) }
      return HTTPAnswer(status: 200, body: request.method == .head ? [] : bytes)
    }
  }

  private static func forget(
    _ key: String, _ form: String, at host: String, _ state: inout State
  ) throws(HTTPFailure) -> HTTPAnswer {
    let down: [String: [Fault]] = [
      "shield": [.shieldDown, .bothDown], "edge": [.edgeDown, .bothDown], "other": [.otherDown],
    ]
    let isDown = down[host]?.contains(state.fault) ?? false
    if isDown {
      throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "nobody listens")
    }
    state.events.append(.forgot(cache: host, key: key))
    guard host == "edge" else {
      if host == "other" { state.other[key] = nil } else { state.shield[key] = nil }
      return HTTPAnswer(status: 200)
    }
    let isConfig = key.hasSuffix("config.plist")
    if state.fault == .keepsConfig, isConfig { return HTTPAnswer(status: 200) }
    if state.fault == .keepsObjects, !isConfig { return HTTPAnswer(status: 200) }
    let hadIt = state.edge[key]?.removeValue(forKey: form) != nil
    return HTTPAnswer(status: hadIt ? 200 : 404)
  }
}

/// A target whose command can be killed between any two calls.
///
/// A class because it counts calls.
final class KillableTarget: Target {
  private let target: any Target
  private let chain: FakeCacheChain
  private let last: Int
  private let lastRead: Int
  private let count = Mutex((calls: 0, reads: 0, changes: [Int]()))
  private let keys = Mutex<[String]>([])

  /// Lets `last` calls succeed, calls to caches included, and `lastRead` reads of the target.
  init(_ target: any Target, _ chain: FakeCacheChain, last: Int = .max, lastRead: Int = .max) {
    (self.target, self.chain, self.last, self.lastRead) = (target, chain, last, lastRead)
  }

  var name: String { target.name }
  var calls: Int { count.withLock { $0.calls } }
  /// The calls that changed something, numbered from 1.
  ///
  /// A process that is killed after another call leaves the same behind as after the last of these.
  var changes: [Int] { count.withLock { $0.changes } }
  /// The keys of the files that were written, in order.
  var written: [String] { keys.withLock { $0 } }

  func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }

  var hasLock: Bool { target.hasLock }

  func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    try target.exclusively(work)
  }

  func read(_ key: String) throws(TargetError) -> StoredFile? {
    try live(reading: true)
    return try target.read(key)
  }

  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try live()
    return try note(key, ifWritten: target.create(key, as: file))
  }

  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool
  {
    try live()
    return try note(key, ifWritten: target.replace(key, with: file, tagged: tagged))
  }

  private func note(_ key: String, ifWritten isWritten: Bool) -> Bool {
    if isWritten { keys.withLock { $0.append(key) } }
    return isWritten
  }

  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try live(reading: true)
    return try target.holds(key, as: file)
  }

  func remove(_ key: String) throws(TargetError) {
    try live()
    chain.note(.removed(key: key))
    try target.remove(key)
  }

  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try live(reading: true)
    return try target.list(below: prefix)
  }

  func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    guard isAlive(changing: request.method != .get) else {
      throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "killed")
    }
    return try chain.send(request)
  }

  private func live(reading: Bool = false) throws(TargetError) {
    if !isAlive(reading: reading, changing: !reading) { throw TargetError(.failed, "killed") }
  }

  private func isAlive(reading isReading: Bool = false, changing: Bool) -> Bool {
    count.withLock { count in
      count.calls += 1
      if isReading { count.reads += 1 }
      if changing { count.changes.append(count.calls) }
      return count.calls <= last && (!isReading || count.reads <= lastRead)
    }
  }
}
