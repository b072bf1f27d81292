import ContentTargets
import HTTPTransport
import System
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases

extension ChannelPlace {
  /// Purges without caches, in the same steps as the command.
  @discardableResult
  func purge(_ order: PurgeOrder) throws -> Purge.Outcome {
    let live = try #require(try live())
    let purge = Purge(withoutCachesAt: self)
    let begun = try purge.begin(order, after: live, through: publisher(run: "purge"))
    return purge.finish(begun, live: try #require(try self.live()), watch: { _ in })
  }

  /// Returns the error that refuses an order, and expects that nothing has changed.
  func refusal(of order: PurgeOrder) throws -> DeliveryError? {
    let before = try live()?.number
    let error = #expect(throws: DeliveryError.self) { try purge(order) }
    #expect(try live()?.number == before)
    return error
  }

  /// Returns whether earlier purges already fulfill the order.
  func isDone(_ order: PurgeOrder) throws -> Bool {
    let live = try #require(try live())
    return try PurgeList(self, live: live).isDone(order, live: live)
  }

  /// Returns the names of the files that purges have written, in order of their keys.
  func purgeNames() throws -> [PurgeName] {
    let path = PurgeName.folder(of: channel)
    return try target.names(below: path).compactMap {
      PurgeName($0.utf8.dropFirst(path.utf8.count))
    }
  }

  /// Returns the notes of a purge at the target.
  func notes(of folder: PurgeFolder) throws -> Set<PurgeNote> {
    var listed = ListedPurge(folder)
    try relist(&listed)
    return listed.notes
  }

  /// Returns the state of a restored config; `nil` if config follows all purges.
  func restoredConfig() throws -> RestoredConfig? {
    let live = try live()
    return try RestoredConfig(PurgeList(self, live: live))
  }

  /// Publishes a shop with a number above that of the highest known release, which ends the state of a
  /// restored config.
  @discardableResult
  func publishAboveAll(
    _ shop: Shop, unpurged: Set<String> = []
  ) throws -> Publisher.Outcome {
    var draft = Draft(content: try shop.content())
    draft.readmitted = unpurged
    draft.above = try #require(try restoredConfig()).highestRelease
    return try shop.publisher(of: self).publish { [draft] _ in draft }
  }

  /// Publishes the content of an earlier release again.
  func rollBack(to number: Int) throws {
    let earlier = try rollbackTarget(number)
    _ = try publisher().publish { _ in
      Draft(content: earlier.content(at: target), of: earlier.contentRelease)
    }
  }
}

extension Purge {
  /// Creates a purge of a channel without caches and public address, which uses no network.
  init(withoutCachesAt place: ChannelPlace, environment: RequestEnvironment = .system) {
    let send: CachePurge.Send = { _ throws(HTTPFailure) in
      throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "no network")
    }
    self.init(
      place, caches: CachePurge([], send: send, environment: environment), site: nil,
      times: Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: environment)
  }

  /// Begins a purge, and plans the same order again if another release was published meanwhile.
  ///
  /// Without a plan, the order is planned for the live release.
  func begin(
    _ order: PurgeOrder, as plan: PurgePlan? = nil, after live: LiveRelease,
    through publisher: Publisher, watch: @escaping Watch = { _ in }
  ) throws -> KnownPurge {
    let list = try PurgeList(place, live: live)
    let plan = try plan ?? PurgePlanner(place, live: live, list: list).plan(order)
    let begun = try begin(
      order, as: plan, in: list, after: live, through: publisher, watch: watch
    ) { now, list in
      (order, try PurgePlanner(place, live: now, list: list).plan(order))
    }
    return try #require(begun)
  }
}

extension Purge {
  /// Begins a purge by the rules of the command: not if an earlier purge does its work, and planned
  /// again if another release was published meanwhile.
  func beginIfNeeded(
    _ order: PurgeOrder, in list: PurgeList, after live: LiveRelease,
    through publisher: Publisher, watch: @escaping Watch = { _ in }
  ) throws -> KnownPurge? {
    let planner = PurgePlanner(place, live: live, list: list)
    guard let plan = try list.planUnlessRepeated(order, by: planner) else { return nil }
    return try begin(
      order, as: plan, in: list, after: live, through: publisher, watch: watch
    ) { now, list in
      let planner = PurgePlanner(place, live: now, list: list)
      return try list.planUnlessRepeated(order, by: planner).map { (order, $0) }
    }
  }
}

extension PurgePlanner {
  /// Creates a planner as the command does, with the purges of the channel.
  init(
    _ place: ChannelPlace, live: LiveRelease,
    localAsset: @escaping RemovedAsset.Search = { _ in nil }
  ) throws {
    try self.init(
      place, live: live, list: PurgeList(place, live: live), localAsset: localAsset)
  }
}
