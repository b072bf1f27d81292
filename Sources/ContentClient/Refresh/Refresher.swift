import ContentModel
import PropertyLists
import SiteFormat

/// The refreshes of a client, one after the other, on a thread that may wait for the disk.
actor Refresher {
  /// `nil` for storage in memory, which never waits.
  private let disk: DiskExecutor?
  private let memory = MemoryPlace()
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    disk?.asUnownedSerialExecutor() ?? memory.unownedExecutor
  }

  let configuration: ContentConfiguration
  let shelf: Shelf
  let presenter: Presenter
  let site: Site
  var state: StoredState
  /// The reader's unit; `nil` while there is none.
  private(set) var unit: String?
  /// `false` while the storage cannot be read: then nothing is written either.
  var mayStore: Bool
  /// The moment before which neither the schedule nor a push begins a check.
  ///
  /// A check without a connection sets this moment.
  var offlineUntil: Moment?
  /// `false` while the newest config has objects that did not arrive.
  var isWhole: Bool { didSet { presenter.apply(rules) } }
  /// The content for whose trial this process counted its start.
  var countedStart: Digest?
  /// The bundles that were opened, and whose unreadable entries were reported.
  var checked: Set<SiteObject> = []
  /// The missing objects of an older release that is shown while the newest one is avoided, with
  /// the failures of their requests.
  ///
  /// This process does not request these objects again.
  var lacking: [SiteObject: ContentError] = [:]
  /// The objects whose recipe the server refused, or the client could not use.
  ///
  /// This process requests these objects themselves.
  var withoutRecipe: Set<SiteObject> = []
  /// The stamp of the storage when its state was read for the last time.
  var adoptedStamp: Int?
  /// The newest config and the rules of purges as they were read from the state for the last time.
  var lastNewest: SiteConfig?
  var lastPurges: (hidden: [StoredState.Hidden], removed: [StoredState.Removed], Visibility.Rules)?
  /// The purges that apply to releases of earlier generations.
  var formerPurges = Visibility.FormerPurges()
  /// The work that stores the state once no other process has the lock; `nil` if it is stored.
  var storing: Task<Void, Never>?
  /// The next attempt to record the first reading, while another process has the lock.
  var recording: Task<Void, Never>?
  /// The bytes in the storage; `nil` before they were counted.
  var storedBytes: Int?
  /// The removal of what the last switch replaced; the outcome of a refresh does not wait for it.
  private(set) var tidying: Task<Void, Never>?
  /// The beginning of the last check, also of one that failed.
  var lastAttempt: Moment?
  /// `true` after a check without a connection: a change of the network leads to the next check.
  var lacksConnection = false

  /// The seconds before config is requested again after an object is missing.
  static let missingObjectDelays = [2.0, 8.0, 30.0]

  init(_ opening: Opening, presenter: Presenter) {
    disk = opening.configuration.storage == .memory ? nil : DiskExecutor()
    (configuration, shelf, state) = (opening.configuration, opening.shelf, opening.state)
    unit = opening.unit
    (mayStore, isWhole, self.presenter) = (opening.mayStore, opening.isWhole, presenter)
    site = Site(
      url: opening.configuration.url, channel: opening.configuration.channel,
      transport: opening.configuration.transport, headers: opening.configuration.headers)
  }

  var clock: any ContentClock { configuration.clock }

  /// Returns the reader's unit, which is drawn at the first call; `nil` if nothing can store it.
  @discardableResult func drawUnit() -> String? {
    if unit == nil, mayStore { unit = shelf.storage.unit(drawnBy: configuration.random) }
    return unit
  }

  /// Takes over the unit that another process drew.
  func noteDrawnUnit() { unit = unit ?? shelf.storage.unit }

  // MARK: A refresh

  /// Asks for a newer release, past caches if so required, and shows it.
  ///
  /// The steps have the numbers of docs/reference/client.md.
  func refresh(
    _ reason: RefreshReason, asksOrigin: Bool = false, progress: RefreshProgress
  ) async -> RefreshOutcome {
    adoptOtherProcesses()
    if let wait = postponement(of: reason) { return .postponed(seconds: wait) }
    removePurgedObjects()
    var asksOrigin = asksOrigin
    var delays = Self.missingObjectDelays[...]
    // All attempts add to this set: an earlier attempt may have loaded some of the bundles.
    var lacked: Set<BundleName> = []
    while true {
      do {
        // 1. Check for a newer config.
        let time = configuration.verificationClock.now
        let answer = try await requestConfig(asksOrigin: asksOrigin)
        // 2. Verify.
        guard let config = try await acceptedOrRenewed(answer, at: time) else {
          return .unchanged
        }
        let generation = state.generation
        // 3. Act at once.
        actAtOnce(on: config)
        guard !state.avoids(config) else {
          isWhole = true
          return await completeShown(progress: progress)
        }
        // 4. Load.
        let missing = presenter.release.map {
          Requirements.missingBundles(of: $0, eager: configuration.eager)
        }
        lacked.formUnion(missing ?? [])
        if !shows(config) || missing != [] { isWhole = false }
        var release = try await load(
          config, of: generation, for: presenter.reader, progress: progress)
        while release.reader != presenter.reader {
          // The app chose another reader meanwhile.
          release = try await load(
            config, of: generation, for: presenter.reader, progress: progress)
        }
        presenter.present(newest: newest)
        // Another process may have stored a newer config or a recovery meanwhile.
        isWhole = state.config == config.bytes
        guard state.generation == generation else { return .unchanged }
        endBackoff()
        // 5. Switch, and 6. report.
        return show(release, afterLoading: lacked)
      } catch  where error.isMissingObject && !delays.isEmpty && secondsAsked(at: clock.moment) == 0
      {
        // Config may be newer than a cache says, or an object is still on its way.
        guard await pause(delays.removeFirst()) else {
          announceArrivals(among: lacked)
          return .failed(.cancelledRefresh)
        }
        asksOrigin = true
      } catch {
        announceArrivals(among: lacked)
        let failure = failed(error)
        guard error.isMissingObject else { return failure }
        return await showStableSide(progress: progress) ?? failure
      }
    }
  }

  private func pause(_ seconds: Double) async -> Bool {
    (try? await clock.sleep(seconds: seconds)) != nil
  }

  // MARK: 1. Check for a newer config

  /// Asks for config; with `isConditional`, only for another one than the stored one.
  func requestConfig(
    asksOrigin: Bool, isConditional: Bool = true
  ) async throws(ContentError) -> ContentResponse {
    let known = newest
    let isStored =
      known.map {
        Requirements.areMet(by: $0, as: open($0, for: presenter.reader), eager: configuration.eager)
      } ?? false
    reportDamage()
    let isNewest = known.map { isNewestAccepted($0) } ?? false
    let condition = isConditional && isStored && isNewest ? state.entityTag : nil
    (lastAttempt, lacksConnection) = (clock.moment, false)
    let answer: ContentResponse
    do {
      answer = try await site.config(
        ending: configuration.configEnding,
        entityTag: condition, asksOrigin: asksOrigin)
    } catch {
      if error != .cancelled { presenter.report(.looked(status: 0)) }
      throw ContentError(unanswered: error)
    }
    presenter.report(.looked(status: answer.status))
    guard answer.status != 304 || condition != nil else {
      throw ContentError(.refused, because: "304 without a condition")
    }
    return answer
  }

  // MARK: 3. Act at once

  /// Applies purges, maintenance and the oldest app, even if no content can be loaded.
  private func actAtOnce(on config: SiteConfig) {
    let purge = config.purge
    if purge.sequence < state.purgeSequence || purge.minimumRelease < state.minimumRelease {
      presenter.report(
        .refused(
          ContentError(
            .refused,
            because: "release \(config.release) takes back a purge; the purge stays in force")))
    }
    let withdrawsReleases = purge.minimumRelease > state.minimumRelease
    let isNew = state.apply(purge, of: config.release, at: clock.moment)
    // Screens wait neither for the disk nor for another process that has its lock.
    presenter.apply(rules)
    if isNew {
      presenter.report(.purged(sequence: purge.sequence))
      presenter.announce(.purge, changes: nil)
    }
    presenter.present(newest: config)
    presenter.announceState()
    store(isDurable: isNew)
    removePurgedObjects()
    // A purge of everything names no objects, so `tidy` finds the objects to remove.
    if withdrawsReleases { tidying = Task { tidy(afterPurge: true) } }
  }

  // MARK: 4. Load

  /// Loads the missing objects of the shown release while a newer release is avoided.
  ///
  /// If another reader was chosen, loads the objects for that reader.
  ///
  /// Bundles can be missing after an update of the app, if the former app shipped with them. The
  /// site may lack objects of an older release for good. Such a missing object is skipped: the
  /// client does not request config again, and does not count the content as incomplete.
  private func completeShown(progress: RefreshProgress) async -> RefreshOutcome {
    // A purge may have removed what is missing.
    guard let shown = presenter.release, !rules.mayHideEntries(of: shown) else { return .unchanged }
    let missing = Set(Requirements.missingBundles(of: shown, eager: configuration.eager))
    if missing.isEmpty, shown.reader == presenter.reader { return .unchanged }
    do {
      let release = try await load(
        shown.config, of: shown.generation, for: presenter.reader, skipsMissing: true,
        progress: progress)
      // Another release or reader was chosen meanwhile.
      guard presenter.release === shown, presenter.reader == release.reader else {
        return .unchanged
      }
      return show(release, afterLoading: missing)
    } catch {
      if presenter.release === shown { announceArrivals(among: missing) }
      // The check succeeded: a newer release must not wait for a backoff.
      presenter.report(.failed(error))
      return .failed(error)
    }
  }

  /// Shows the stable side to a reader of the next one who has no content, while the site lacks
  /// objects of the next side; returns `nil` if the reader has content, or the loading fails.
  ///
  /// The next check loads the next side again.
  private func showStableSide(progress: RefreshProgress) async -> RefreshOutcome? {
    let generation = state.generation
    guard presenter.release == nil, let next = newest, next.isNext,
      let stable = try? SiteConfig(next.bytes), !state.avoids(stable),
      let release = try? await load(
        stable, of: generation, for: presenter.reader, progress: progress),
      // Another release or reader was chosen meanwhile.
      presenter.release == nil, presenter.reader == release.reader,
      state.generation == generation, state.config == release.config.bytes
    else { return nil }
    return show(release, afterLoading: [])
  }

  // MARK: 5. Switch, 6. report

  /// Shows a release; if it is the shown one, tells listeners of bundles that it lacked.
  private func show(
    _ release: Release, afterLoading missing: Set<BundleName>
  ) -> RefreshOutcome {
    guard shows(release.config), presenter.readerOfShown == release.reader else {
      return mayReplaceShown(by: release) ? activate(release) : .unchanged
    }
    return announceArrivals(of: missing)
  }

  /// Announces bundles that arrived and that the shown release lacked.
  @discardableResult
  private func announceArrivals(of bundles: Set<BundleName>) -> RefreshOutcome {
    if bundles.isEmpty { return .unchanged }
    findArrivals()
    let all = bundles.map { ($0, ContentChanges.Extent.everything) }
    let changes = ContentChanges(
      token: presenter.token, bundles: Dictionary(uniqueKeysWithValues: all))
    return .updated(presenter.announce(.release, changes: changes))
  }

  /// Announces the bundles that arrived before the loading failed.
  private func announceArrivals(among lacked: Set<BundleName>) {
    guard !lacked.isEmpty, let shown = presenter.release else { return }
    // Parts of split bundles may have arrived, too.
    findArrivals()
    let left = Requirements.missingBundles(of: shown, eager: configuration.eager)
    announceArrivals(of: lacked.subtracting(left))
  }

  /// Makes a whole release the shown one: journal, state, snapshot, in this order.
  func activate(_ release: Release) -> RefreshOutcome {
    let shown = StoredState.Shown(release)
    let purges = (presenter.release ?? release).config.purge.sequence
    // With the index, an app that reads an entry opens only the bundles that it needs.
    index(release)
    record(ContentSwitch(to: shown, of: release, since: state, open: presenter.release))
    guard let update = presentShown(release) ?? presentShown() else { return .unchanged }
    // Shows the maintenance texts in the language of the release's reader.
    presenter.present(newest: presenter.newest)
    if let newest = newest(showing: release) { isWhole = hasObjects(of: newest) }
    let isPurge = purges < release.config.purge.sequence
    // A person may wait for the outcome, but for no removal.
    tidying = Task {
      if isPurge { removePurgedObjects() }
      tidy(afterPurge: isPurge)
    }
    return .updated(update)
  }

  /// Shows the newest whole release, if `activation` has left that to the app.
  func activateStored() -> RefreshOutcome {
    guard let config = newest, !shows(config), !state.avoids(config),
      config.release >= state.highestRelease, !state.withdraws(release: config.release),
      let release = try? Release(
        config, of: state.generation, for: presenter.reader, on: shelf),
      Requirements.isWhole(release, eager: configuration.eager)
    else { return .unchanged }
    return activate(release)
  }
}

/// The delay of the next check.
///
/// A check waits as long as the server asks for. It also waits after failed checks, and after a
/// check without a connection.
extension Refresher {
  /// The facts that decide on the time of the next check.
  struct Standing: Sendable {
    /// The last check that was answered.
    var lastCheck: Moment?
    var isWhole: Bool
    /// The moment until which a server asked to wait, which may be past.
    var asked: Moment?
    /// The seconds until `asked`; 0 if it is past.
    var askedSeconds: Double
    /// The seconds for which the server would repeat an answer that the client refused.
    var refusedSeconds: Double
    /// The seconds until a check may follow failed checks.
    var retrySeconds: Double
  }

  /// Notes the time for which an answer asks to wait.
  func noteRetryAfter(_ header: String?) {
    let moment = clock.moment
    guard let header, let seconds = RetryAfter.seconds(header, at: moment.now) else { return }
    state.retryAfter = moment.advanced(by: seconds)
    store(isDurable: false)
  }

  /// Returns the seconds for which a refresh must wait; `nil` if it may begin.
  private func postponement(of reason: RefreshReason) -> Double? {
    let moment = clock.moment
    let asked = secondsAsked(at: moment)
    if asked > 0 { return asked }
    switch reason {
    case .user:
      guard let lastAttempt, let age = moment.seconds(since: lastAttempt), age < 5 else {
        return nil
      }
      return 5 - age
    case .schedule, .push: return secondsOfBackoff(at: moment).positive
    // Earlier checks may have failed in the background or without a network, so these reasons wait
    // only after a refused answer.
    case .launch, .connection: return secondsRefused(at: moment).positive
    case .context: return nil
    }
  }

  /// Returns the seconds until a check may follow one that failed.
  private func secondsOfBackoff(at moment: Moment) -> Double {
    max(state.backoff.wait(at: moment), offlineUntil?.seconds(since: moment) ?? 0)
  }

  /// Returns the seconds for which the server would repeat an answer that the client refused.
  private func secondsRefused(at moment: Moment) -> Double {
    state.backoff.isRefusal ? state.backoff.wait(at: moment) : 0
  }

  /// Ends the delay after failed checks, also for the next process.
  private func endBackoff() {
    offlineUntil = nil
    guard state.backoff.until != nil else { return }
    state.backoff = Backoff()
    store(isDurable: false)
  }

  /// Reports a failure, and notes how long checks wait because of it.
  func failed(_ error: ContentError) -> RefreshOutcome {
    let moment = clock.moment
    let ttl = presenter.newest?.ttl ?? 600
    lacksConnection = error.kind == .unreachable
    if error.kind == .cancelled { return .failed(error) }
    if error == .noConnection {
      offlineUntil = moment.advanced(by: Self.offlinePause(configuration.random.fraction()))
    } else {
      if error.isLasting {
        state.backoff.refuse(at: moment, seconds: Double(ttl))
      } else {
        state.backoff.fail(at: moment, ttl: ttl, fraction: configuration.random.fraction())
      }
      store(isDurable: false)
    }
    presenter.report(error.kind == .refused ? .refused(error) : .failed(error))
    return .failed(error)
  }

  /// Returns the delay of the next check after a check without a connection: 30 to 90 seconds.
  ///
  /// The delay is random, since many clients connect again at once after an outage.
  private static func offlinePause(_ fraction: Double) -> Double { 30 + 60 * fraction }

  /// The facts that decide on the time of the next check.
  var standing: Standing {
    let moment = clock.moment
    let asked = secondsAsked(at: moment)
    return Standing(
      lastCheck: state.lastCheck, isWhole: isWhole, asked: state.retryAfter, askedSeconds: asked,
      refusedSeconds: secondsRefused(at: moment),
      retrySeconds: max(asked, secondsOfBackoff(at: moment)))
  }

  /// Returns the seconds for which a server asked to wait; 0 if it did not ask.
  ///
  /// A longer time than a server may ask for is due to a wrong clock, and counts as 0.
  func secondsAsked(at moment: Moment) -> Double {
    // After another start of the system, the time of day may be earlier than before.
    guard let end = state.retryAfter, end.uptime.boot.hasSameBytes(as: moment.uptime.boot),
      let wait = end.seconds(since: moment), wait <= RetryAfter.longest
    else { return 0 }
    return wait
  }
}

extension ContentError {
  /// `true` if another check would have the same answer.
  fileprivate var isLasting: Bool {
    if case .server(let status) = kind { return [401, 403, 404].contains(status) }
    return kind == .refused
  }
}

extension Double {
  /// The number; `nil` if it is not above 0.
  fileprivate var positive: Double? { self > 0 ? self : nil }
}

extension Refresher {
  /// Shows the content of another reader if it is stored; otherwise, returns `nil`.
  func showStored(for reader: ReaderContext) -> RefreshOutcome? {
    for (config, generation) in configsToShow {
      if let release = try? Release(config, of: generation, for: reader, on: shelf),
        Requirements.isWhole(release, eager: configuration.eager), presenter.reader == reader
      {
        return activate(release)
      }
    }
    return nil
  }

  /// Loads and shows the content of another reader, unless a later reader was chosen.
  ///
  /// The earlier content is shown until the new content is whole.
  func select(_ reader: ReaderContext, progress: RefreshProgress) async -> RefreshOutcome {
    guard presenter.reader == reader else { return .unchanged }
    guard let (config, generation) = configsToShow.first else {
      return await refresh(.context, progress: progress)
    }
    do {
      let release = try await load(config, of: generation, for: reader, progress: progress)
      let isOlder = presenter.release.map { release.isOlder(than: $0) } ?? false
      guard presenter.reader == reader, !isOlder else { return .unchanged }
      return activate(release)
    } catch  where error.isMissingObject {
      return await refresh(.context, progress: progress)
    } catch {
      // The next check loads the missing objects.
      if presenter.reader == reader { isWhole = false }
      return failed(error)
    }
  }

  /// The received and the shown config, the newer of them first.
  ///
  /// The received config is not among them while it waits for its activation, or is avoided.
  private var configsToShow: [(config: SiteConfig, generation: Int)] {
    let shown = presenter.release
    let mayShowNewest =
      configuration.activation == .immediate || shown.map { rules.isFormer($0) } ?? true
    let newest = mayShowNewest ? self.newest : nil
    let all: [(config: SiteConfig, generation: Int)] = [
      newest.map { ($0, state.generation) }, shown.map { ($0.config, $0.generation) },
    ].compactMap(\.self)
    let allowed = all.filter { config, _ in
      !state.avoids(config) && !state.withdraws(release: config.release)
    }
    // The app may ship with a later release than the received one.
    guard let first = allowed.first, let last = allowed.last,
      (first.generation, first.config.release) < (last.generation, last.config.release)
    else { return allowed }
    return allowed.reversed()
  }
}

/// The removal of purged objects.
extension Refresher {
  /// Removes purged objects, also those that a killed process left.
  ///
  /// Objects that the shown release needs are kept until the next release is whole, for at most a
  /// week.
  func removePurgedObjects() {
    // The state with the purge must be stored before objects are removed. Otherwise, the next
    // process would not know the purge, would find its content incomplete, and would show other
    // content. After a recovery, only the next config says which objects are purged.
    guard mayStore, storing == nil, !state.awaitsPurge,
      state.sweptSequence < state.purgeSequence
    else { return }
    let moment = clock.moment
    let isTimed = state.unsweptSince.flatMap { moment.seconds(since: $0) } != nil
    if !isTimed { state.unsweptSince = moment }
    let removed = purgedObjects
    let inUse = purgedObjectsInUse()
    var isSwept = true
    for (object, _) in shelf.storage.objects() where removed.contains(object.digest) {
      if inUse.contains(object) { isSwept = false } else { shelf.storage.remove(object) }
    }
    // The next change stores this note; until then, another process may repeat the removal.
    if isSwept { state.noteSweep() } else if !isTimed { store(isDurable: false) }
  }

  /// Removes all purged objects, also those that the shown release needs.
  ///
  /// This precedes a new generation, since the next process does not know what was purged before
  /// it.
  func removeAllPurgedObjects() {
    guard state.sweptSequence < state.purgeSequence else { return }
    let removed = purgedObjects
    for (object, _) in shelf.storage.objects() where removed.contains(object.digest) {
      shelf.storage.remove(object)
    }
  }

  /// The objects that purges removed from the newest release.
  private var purgedObjects: Set<Digest> {
    let baked = shelf.baked?.shownConfig(in: state)
      .flatMap { $0.generation == state.generation ? $0.config : nil }
    let newest = [self.newest, baked].compactMap(\.self).max { $0.release < $1.release }
    let known = newest?.purge.objects ?? []
    // A release after the purge may have a removed object again.
    let gone = state.removed.filter { newest.map(\.release) ?? 0 < $0.below }.map(\.digest)
    return Set(known + gone)
  }

  /// The purged objects that are kept until the next release is whole: indexes, lists and bundles,
  /// but no assets.
  ///
  /// These objects also contain entries that nobody purged; the purged entries in them are hidden.
  /// A week after the purge, none is kept.
  private func purgedObjectsInUse() -> Set<SiteObject> {
    guard state.sweptSequence < state.purgeSequence, !state.mustSweep(at: clock.moment) else {
      return []
    }
    let rules = self.rules
    var inUse: Set<SiteObject> = []
    let shown = presenter.release
    let releases = [shown].compactMap(\.self) + storedReleases()
    for release in releases where !rules.withdraws(release) {
      // The app may ship with a release after the purge, which replaced this one.
      if let shown, release.isOlder(than: shown) { continue }
      let objects = ReleaseObjects(release, eager: configuration.eager)
      inUse.formUnion(objects.directories.filter { rules.withdraws($0, of: release) })
      for (name, object) in objects.bundles
      where rules.withdraws(object, of: release) && shelf.storage.contains(object, size: nil)
        && release.hasEntries(of: name, besidesHiddenBy: rules)
      {
        inUse.insert(object)
      }
    }
    return inUse
  }
}

extension Refresher {
  /// Removes purged objects that are still stored, and then replaces altered content.
  ///
  /// This is the first work after the opening. The opening itself reads no more than it must.
  func mendStorage() {
    let wasSwept = state.sweptSequence == state.purgeSequence
    removePurgedObjects()
    // A purge of everything names no objects, so `tidy` finds the objects to remove.
    if !wasSwept, state.sweptSequence == state.purgeSequence { tidy(afterPurge: true) }
    replaceAlteredContent()
  }

  // MARK: The index of entries

  /// Makes the index of the shown release's entries, if there is none.
  func indexEntries() {
    guard let release = presenter.release else { return }
    index(release)
    presenter.noteLifetimes()
  }

  /// Makes the index of a release's entries, and stores it, if there is none.
  func index(_ release: Release) {
    guard let bytes = release.makeIndex(), mayStore else { return }
    shelf.storage.store(entryIndex: bytes, named: release.indexName)
  }

  /// Notes the bundles that arrived in the shown release and in held releases.
  func findArrivals() {
    for release in [presenter.release].compactMap(\.self) + presenter.holds.releases {
      release.findArrivals()
    }
  }

  // MARK: Altered content

  /// Shows earlier or baked content if objects of the shown one were altered on the disk, until a
  /// check loads them again.
  private func replaceAlteredContent() {
    guard let shown = presenter.release, isAltered(shown) else { return }
    presenter.report(
      .storage(
        ContentError(.damaged, because: "stored objects of release \(shown.number) are altered")))
    isWhole = false
    let candidates = otherConfigs(than: shown.config).compactMap { config, generation in
      try? Release(config, of: generation, for: presenter.reader, on: shelf)
    }
    let whole = candidates.first {
      Requirements.isWhole($0, eager: configuration.eager) && !isAltered($0)
    }
    guard let whole else { return }
    // The state keeps the altered release as the shown one: it is shown again once it is whole.
    _ = presenter.present(
      whole,
      changes: ContentChanges(token: ChangeToken(random: configuration.random), bundles: nil),
      reason: .release)
  }

  /// Returns whether a needed object has the right size and wrong bytes.
  private func isAltered(_ release: Release) -> Bool {
    let names = Requirements.bundles(of: release, eager: configuration.eager)
    let lists = Requirements.lists(of: release, names: names)
    return (lists + Requirements.objects(of: release, names: names)).contains { item in
      let size = item.isExact ? item.size : nil
      return shelf.contains(item.object, size: size) && !shelf.holds(item.object, size: size)
    }
  }

  /// The stored and baked configs that may be shown instead of the shown config, the newest first.
  private func otherConfigs(than shown: SiteConfig) -> [(config: SiteConfig, generation: Int)] {
    let stored = [state.shown, state.previous].compactMap { shown in
      shown.flatMap { shown in
        shown.siteConfig.map { (config: $0, generation: shown.generation) }
      }
    }
    let baked = shelf.baked?.shownConfig(in: state)
    return (stored + [baked].compactMap(\.self)).filter { config, _ in
      !config.isSame(as: shown) && !state.withdraws(release: config.release)
        && !state.avoids(config)
        && ConfigCheck.isConsistent(
          config, app: configuration.app, channel: configuration.channel)
    }.sorted { ($0.generation, $0.config.release) > ($1.generation, $1.config.release) }
  }
}

extension Refresher {
  /// Removes the objects that no release needs any more, and the files of killed processes.
  ///
  /// Keeps the objects of shown, held, earlier and received releases, and the files that a held
  /// snapshot uses. Also keeps what another program used in the last day, since that program may
  /// hold snapshots.
  ///
  /// If the storage exceeds its limit, also removes objects that no release needs in order to be
  /// shown, the least recently used first. Removes unused assets only after a purge, or when the
  /// storage is full: only bundles name assets, and reading all bundles takes long.
  func tidy(afterPurge: Bool = false) {
    guard mayStore else { return }
    shelf.storage.removeAbandonedFiles()
    let rules = self.rules
    var (kept, needed) = (Set<SiteObject>(), Set<SiteObject>())
    let releases = releasesToKeep()
    for release in releases {
      let objects = ReleaseObjects(release, eager: configuration.eager)
      kept.formUnion(objects.all.filter { !rules.withdraws($0, of: release) })
      needed.formUnion(objects.needed)
    }
    kept.formUnion(purgedObjectsInUse())
    let endings = Set(kept.map(\.ending))
    if afterPurge {
      kept.formUnion(releases.filter { !rules.withdraws($0) }.flatMap(ReleaseObjects.assets))
    }
    let stored = shelf.storage.objects()
    let used = objectsOfOthers()
    var (total, evicted) = (stored.reduce(0) { $0 + $1.size }, 0)
    for (object, size) in stored {
      let isObsolete =
        !kept.contains(object) && (afterPurge || endings.contains(object.ending))
      let isOver = total > configuration.limits.storage
      if isObsolete || (isOver && !needed.contains(object) && !used.contains(object)),
        presenter.holds.remove(object, from: shelf.storage, by: rules)
      {
        total -= size
        if !isObsolete { evicted += size }
      }
    }
    storedBytes = total
    if evicted > 0 { presenter.report(.evicted(bytes: evicted)) }
    shelf.storage.removeEntryIndexes(besides: Set(releases.map(\.indexName)))
  }

  /// Removes objects if the storage exceeds its limit, or if its size is unknown.
  func tidyIfFull() {
    if storedBytes.map({ $0 > configuration.limits.storage }) ?? true { tidy() }
  }

  /// The objects that another program may have used in the last day; empty without another program.
  private func objectsOfOthers() -> Set<SiteObject> {
    let others = state.users(
      besides: configuration.program, within: Self.day, at: clock.moment)
    return others.isEmpty ? [] : shelf.storage.objects(usedWithin: Int(Self.day))
  }

  private static let day = 86_400.0

  /// The shown, held, earlier and received releases of this process and of others.
  private func releasesToKeep() -> [Release] {
    let rules = self.rules
    let used = [presenter.release].compactMap(\.self) + presenter.holds.releases
    var releases: [Release] = []
    for release in used.filter({ !rules.withdraws($0) }) + storedReleases()
    where !releases.contains(where: { $0 === release }) {
      releases.append(release)
    }
    return releases
  }

  /// Opens the releases that the states of this process and others name, for the readers of all
  /// programs.
  private func storedReleases() -> [Release] {
    let other = (try? shelf.storage.state()) ?? nil
    let shown = [state.shown, state.previous, other?.shown, other?.previous].compactMap(\.self)
    let received = [state.config, other?.config].compactMap(\.self).compactMap {
      (try? SiteConfig($0)).map { state.side(of: $0, for: unit) }
    }
    let users = [state, other].compactMap(\.self).flatMap {
      $0.users(besides: configuration.program, at: clock.moment)
    }
    let configs = received + shown.compactMap(\.siteConfig)
    let named =
      shown.compactMap { shown in
        shown.siteConfig.map { (config: $0, reader: shown.reader) }
      }
      + received.map { (config: $0, reader: presenter.reader) }
      + users.flatMap { user in configs.map { (config: $0, reader: user.reader) } }
    var releases: [Release] = []
    for (config, reader) in named
    where !releases.contains(where: { $0.config.isSame(as: config) && $0.reader == reader }) {
      if let release = open(config, for: reader) { releases.append(release) }
    }
    return releases.filter { !state.withdraws(release: $0.number) }
  }
}
