import ContentModel
import PropertyLists
import SiteFormat

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
    /// The time up to which entries that appeared or disappeared were announced.
    var timed: Instant
    /// `true` once the app read content in this process.
    var isRead = false
  }

  let visibility: Visibility
  /// The snapshots that are held.
  let holds = SnapshotHolds()
  private let shelf: Shelf
  private let shown: Locked<Shown>
  private let updates = Broadcaster<ContentUpdate>(capacity: 64)
  private let events = Broadcaster<ContentEvent>(capacity: 256)
  private let early = Locked<[ContentEvent]>([])
  /// A signal when the moments at which content changes may be others.
  private let times = Broadcaster<Void>(capacity: 1)
  /// The journal as it was read or written last; `nil` before.
  private let history = Locked<Journal?>(nil)
  private let refresher = Locked(WeakRefresher())
  /// The reaction to an object that the site lacks.
  private let missingObject = Locked<(@Sendable () -> Void)?>(nil)

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
      Shown(
        release: release, newest: newest, reader: reader, token: token,
        timed: visibility.clock.now))
    present(newest: newest ?? release?.config)
    announceState(mayRead: false)
    release?.notifyOpening { [times] in times.send {} }
  }

  /// Ends the streams of all listeners, also of those whose snapshots still load bundles.
  func end() {
    updates.end()
    events.end()
    times.end()
  }

  /// Sets the actor that loads bundles which are not stored, and what follows if one is missing.
  func loadBundles(by new: Refresher, ifMissing react: @escaping @Sendable () -> Void) {
    refresher.withLock { $0.refresher = new }
    missingObject.withLock { $0 = react }
  }

  /// Notes that the site lacks an object of the shown release.
  func noteMissingObject() { missingObject.current?() }

  // MARK: The shown content

  var snapshot: ContentSnapshot {
    let loader = refresher.current.refresher.map { OnDemand(refresher: $0, presenter: self) }
    return ContentSnapshot(
      hold: release.map { holds.hold($0) }, visibility: visibility, loader: loader)
  }

  var release: Release? { shown.withLock { $0.release } }
  var newest: SiteConfig? { shown.withLock { $0.newest } }
  var reader: ReaderContext { shown.withLock { $0.reader } }
  var readerOfShown: ReaderContext? { release?.reader }
  var token: ChangeToken { shown.withLock { $0.token } }
  var isRead: Bool { shown.withLock { $0.isRead } }

  /// Returns whether a config's content is shown.
  func shows(_ config: SiteConfig) -> Bool {
    release?.config.isSame(as: config) ?? false
  }

  var state: ContentState { state(mayRead: true) }

  /// Returns the state; without `mayRead`, no file is read for it.
  private func state(mayRead: Bool) -> ContentState {
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
    if visibility.current.withdraws(release) { return .withdrawn }
    return age(at: visibility.clock.moment).map { release.hasEnded(after: $0, mayRead: mayRead) }
      ?? false ? .expired : .content
  }

  /// The seconds since the last check; `nil` if they are not known.
  private func age(at moment: Moment) -> Double? {
    visibility.current.lastCheck.flatMap { moment.seconds(since: $0) }
  }

  // MARK: Changes

  /// Shows a release.
  func present(
    _ release: Release, changes: ContentChanges, reason: ContentUpdate.Reason
  ) -> ContentUpdate {
    shown.withLock {
      $0.release = release
      $0.token = changes.token
      $0.timed = visibility.clock.now
      if ($0.newest?.release ?? 0) < release.number { $0.newest = release.config }
    }
    release.notifyOpening { [times] in times.send {} }
    times.send {}
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
    times.send {}
  }

  /// Notes that the app reads content from now on.
  func beginReading() { shown.withLock { $0.isRead = true } }

  /// Gives the shown release its place in the journal, unless another one is shown meanwhile.
  func noteRecord(of release: Release, changes: ContentChanges) {
    let isShown = shown.withLock { shown in
      guard shown.release === release else { return false }
      shown.token = changes.token
      return true
    }
    if isShown {
      report(.switched(release: release.number))
      announce(.release, changes: changes)
    }
  }

  func select(_ reader: ReaderContext) { shown.withLock { $0.reader = reader } }

  /// Applies a purge, or the time of a check.
  func apply(_ rules: Visibility.Rules) { visibility.replace(rules) }

  /// Tells all listeners that the shown content changed.
  @discardableResult func announce(
    _ reason: ContentUpdate.Reason, changes: ContentChanges?
  ) -> ContentUpdate {
    let update = updates.send { self.update(reason, changes: changes) }
    announceState()
    return update
  }

  /// Tells all listeners that maintenance began or ended, or the app became too old, if so.
  func announceState(mayRead: Bool = true) {
    let new = state(mayRead: mayRead)
    let isNew = shown.withLock { shown in
      defer { shown.announced = new }
      guard let old = shown.announced, old != new else { return false }
      // Between content and none, the update of the content says so.
      return !old.isContent || !new.isContent
    }
    if isNew { updates.send { update(.state, changes: nil) } }
  }

  private func update(_ reason: ContentUpdate.Reason, changes: ContentChanges?) -> ContentUpdate {
    // The journal knows neither dates nor what a purge hides.
    let unknown = ContentChanges(token: token, bundles: reason == .state ? [:] : nil)
    return ContentUpdate(
      snapshot: snapshot, state: state, changes: changes ?? unknown, reason: reason)
  }

  /// Keeps the events of the opening for the first listener.
  func keep(_ events: [ContentEvent]) { early.withLock { $0 = events } }

  func report(_ event: ContentEvent) { events.send { event } }

  var updateStream: AsyncStream<ContentUpdate> { updates.stream() }

  var eventStream: AsyncStream<ContentEvent> {
    let stream = events.stream()
    let kept = early.withLock { early in
      defer { early = [] }
      return early
    }
    for event in kept { events.send { event } }
    return stream
  }

  // MARK: The journal

  /// The journal, read from the storage at its first use only.
  var journal: Journal {
    if let known = history.current { return known }
    let stored = shelf.storage.journal()
    return history.withLock { history in
      if let history { return history }
      history = stored
      return stored
    }
  }

  /// Reads the journal again, after a switch was recorded.
  func readJournal() -> Journal {
    let stored = shelf.storage.journal()
    history.withLock { $0 = stored }
    return stored
  }

  // MARK: Time

  /// A signal when a bundle was opened, or maintenance is known: ``nextChange(after:)`` may be
  /// another one.
  var timeChanges: AsyncStream<Void> { times.stream() }

  /// Notes that the lifetimes of the shown release are known.
  func noteLifetimes() { times.send {} }

  /// Returns the next moment after a check at which content changes, as its publisher said.
  func changes(after check: Instant) -> Instant? {
    let bundles = release?.changes ?? []
    return ([newest?.changes].compactMap(\.self) + bundles).filter { $0 > check }.min()
  }

  /// Returns the seconds until an entry of an open bundle appears or disappears by its dates or
  /// lifetime, or maintenance begins or ends: 0 if that was not announced yet; `nil` if none does.
  func nextChange(after moment: Moment) -> Double? {
    let now = moment.now
    // A user may have set the time of day back.
    let last = min(shown.withLock { $0.timed }, now)
    func seconds(to date: Instant) -> Double {
      date.secondsSinceReferenceDate - now.secondsSinceReferenceDate
    }
    var next = [newest?.maintenance.from, newest?.maintenance.until].compactMap(\.self)
      .filter { $0 > last }.map(seconds)
    let age = age(at: moment)
    if let age, let end = release?.longestKnownLifetime, end.isFinite,
      end > age + seconds(to: last)
    {
      next.append(end - age)
    }
    for bundle in release?.openBundles ?? [] {
      if let date = bundle.dates.first(where: { $0 > last }) { next.append(seconds(to: date)) }
      // Rounded to a time of day, the wait could be too short by a part of a microsecond.
      if let age,
        let ttl = bundle.lifetimes.first(where: { Double($0) > age + seconds(to: last) })
      {
        next.append(Double(ttl) - age)
      }
    }
    return next.min().map { max(0, $0) }
  }

  /// Tells all listeners that entries appeared or disappeared by their dates or lifetimes.
  func announceTime() {
    shown.withLock { $0.timed = visibility.clock.now }
    announce(.time, changes: nil)
  }

  /// Returns whether entries disappeared by their lifetimes, so that a check would show them again.
  func hasExpired(at moment: Moment) -> Bool {
    guard let release, let age = age(at: moment) else { return false }
    return release.hasEnded(after: age, mayRead: false)
      || release.openBundles.contains { $0.lifetimes.contains { Double($0) <= age } }
  }
}
