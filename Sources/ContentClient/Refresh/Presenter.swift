import ContentModel
import PropertyLists

/// The content that a client shows now, and the listeners to its changes.
///
/// A class, since the client and its refreshes share it.
final class Presenter: Sendable {
  private struct Shown: Sendable {
    var release: Release?
    /// The newest acceptable config, whose maintenance and oldest app count.
    var newest: SiteConfig?
    var reader: ReaderContext
    var token: ChangeToken
    /// The fields that are shown during maintenance.
    var notice: Members?
    /// The last state that was announced.
    var announced: ContentState?
  }

  let visibility: Visibility
  private let shelf: Shelf
  private let shown: Locked<Shown>
  private let updates = Broadcaster<ContentUpdate>(capacity: 64)
  private let events = Broadcaster<ContentEvent>(capacity: 256)
  private let early = Locked<[ContentEvent]>([])
  private let refresher = Locked(WeakRefresher())

  /// The refresher has a strong reference to its presenter.
  private struct WeakRefresher: Sendable {
    weak var refresher: Refresher?
  }

  init(
    release: Release?, newest: SiteConfig?, reader: ReaderContext, token: ChangeToken, shelf: Shelf,
    visibility: Visibility
  ) {
    self.visibility = visibility
    self.shelf = shelf
    shown = Locked(
      Shown(release: release, newest: newest, reader: reader, token: token, notice: nil))
    present(newest: newest ?? release?.config)
  }

  /// Sets the actor that loads bundles which are not stored.
  func loadBundles(by new: Refresher) { refresher.withLock { $0.refresher = new } }

  // MARK: The shown content

  var snapshot: ContentSnapshot {
    let loader = refresher.current.refresher.map { OnDemand(refresher: $0, presenter: self) }
    return ContentSnapshot(content: release, visibility: visibility, loader: loader)
  }

  var release: Release? { shown.withLock { $0.release } }
  var newest: SiteConfig? { shown.withLock { $0.newest } }
  var reader: ReaderContext { shown.withLock { $0.reader } }
  var readerOfShown: ReaderContext? { release?.reader }
  var token: ChangeToken { shown.withLock { $0.token } }

  /// Returns whether a config's content is shown.
  func shows(_ config: SiteConfig) -> Bool { release?.config.bytes == config.bytes }

  var state: ContentState {
    let (release, newest, reader, notice) = shown.withLock {
      ($0.release, $0.newest ?? $0.release?.config, $0.reader, $0.notice)
    }
    if let minimum = newest?.minimumApp, let version = reader.appVersion, version < minimum {
      return .updateRequired(minimum: minimum)
    }
    if let newest, newest.maintenance.isInForce(at: visibility.clock.now) {
      return .maintenance(notice ?? Members())
    }
    guard let release else { return .empty }
    return release.number < visibility.current.minimumRelease ? .withdrawn : .content
  }

  // MARK: Changes

  /// Shows a release.
  func present(
    _ release: Release, changes: ContentChanges, reason: ContentUpdate.Reason
  ) -> ContentUpdate {
    shown.withLock {
      $0.release = release
      $0.token = changes.token
      if ($0.newest?.release ?? 0) <= release.number { $0.newest = release.config }
    }
    report(.switched(release: release.number))
    return announce(reason, changes: changes)
  }

  /// Takes over maintenance and the oldest app of a config whose content may still be missing.
  func present(newest config: SiteConfig?) {
    guard let config else { return }
    let texts = config.maintenancePayload(config.served(reader)).flatMap { shelf.bytes(of: $0) }
    let notice = texts.flatMap { try? PropertyList.decode($0).value.members }
    shown.withLock {
      $0.newest = config
      if let notice { $0.notice = notice }
    }
  }

  func select(_ reader: ReaderContext) { shown.withLock { $0.reader = reader } }

  /// Applies a purge, or the time of a look.
  func apply(_ rules: Visibility.Rules) { visibility.replace(rules) }

  /// Tells all listeners that the shown content changed.
  @discardableResult func announce(
    _ reason: ContentUpdate.Reason, changes: ContentChanges?
  ) -> ContentUpdate {
    let update = ContentUpdate(
      snapshot: snapshot, state: state,
      changes: changes ?? ContentChanges(token: token, bundles: [:]), reason: reason)
    updates.send(update)
    announceState()
    return update
  }

  /// Tells all listeners if the state differs from the last one.
  func announceState() {
    let new = state
    let isNew = shown.withLock { shown in
      defer { shown.announced = new }
      return shown.announced.map { $0 != new } ?? false
    }
    if isNew {
      updates.send(
        ContentUpdate(
          snapshot: snapshot, state: new,
          changes: ContentChanges(token: token, bundles: [:]), reason: .state))
    }
  }

  /// Keeps the events of the opening for the first listener.
  func keep(_ events: [ContentEvent]) { early.withLock { $0 = events } }

  func report(_ event: ContentEvent) { events.send(event) }

  var updateStream: AsyncStream<ContentUpdate> { updates.stream() }

  var eventStream: AsyncStream<ContentEvent> {
    let stream = events.stream()
    let kept = early.withLock { early in
      defer { early = [] }
      return early
    }
    for event in kept { events.send(event) }
    return stream
  }

  // MARK: Time

  /// Returns the next moment after a look at which content changes, as its publisher said.
  func changes(after look: Instant) -> Instant? {
    guard let release else { return newest?.changes }
    let rows = release.index.rows.values.compactMap(\.changes)
    return ([newest?.changes].compactMap(\.self) + rows).filter { $0 > look }.min()
  }

  /// Returns the seconds until an entry of an open bundle appears or disappears by its dates or
  /// lifetime, or maintenance begins or ends; `nil` if none does.
  func nextChange(after moment: Moment) -> Double? {
    let now = moment.now
    var next = [newest?.maintenance.from, newest?.maintenance.until].compactMap(\.self)
    for bundle in release?.openBundles ?? [] {
      if let date = bundle.dates.first(where: { $0 > now }) { next.append(date) }
      if let look = visibility.current.look, let age = moment.seconds(since: look) {
        next += bundle.lifetimes.compactMap { Double($0) > age ? Double($0) - age : nil }.prefix(1)
          .map { moment.advanced(by: $0).now }
      }
    }
    return next.filter { $0 > now }.min().map {
      $0.secondsSinceReferenceDate - now.secondsSinceReferenceDate
    }
  }
}
