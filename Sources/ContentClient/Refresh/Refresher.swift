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
  /// `false` while the storage cannot be read: then nothing is written either.
  var mayStore: Bool
  /// No look by itself before this moment, since the last one had no connection.
  var offlineUntil: Moment?
  /// `false` while the newest config has objects that did not arrive.
  var isWhole: Bool { didSet { presenter.apply(rules) } }
  /// The bundles that were opened and reported.
  var checked: Set<SiteObject> = []
  /// The objects that the site lacks, with their failures, while a newer release is avoided.
  ///
  /// This process does not request them again for the content that is shown in its place.
  var lacking: [SiteObject: ContentError] = [:]
  /// The stamp of the storage when its state was read for the last time.
  var adoptedStamp: Int?
  /// The newest config and the rules of purges as they were read from the state for the last time.
  var lastNewest: SiteConfig?
  var lastPurges: (hidden: [StoredState.Hidden], removed: [StoredState.Removed], Visibility.Rules)?
  /// The purges of the time before a lower release counted.
  var formerPurges = Visibility.FormerPurges()
  /// The work that stores the state once no other process has the lock; `nil` if it is stored.
  var storing: Task<Void, Never>?
  /// The bytes in the storage; `nil` before they were counted.
  var storedBytes: Int?
  /// The removal of what the last switch replaced; the outcome of a refresh does not wait for it.
  private(set) var tidying: Task<Void, Never>?
  /// The beginning of the last look, also of one that failed.
  var lastAttempt: Moment?
  /// `true` after a look without a connection: the next change of the network looks again.
  var lacksConnection = false

  /// The seconds before config is requested again after an object is missing.
  static let missingObjectDelays = [2.0, 8.0, 30.0]

  init(_ opening: Opening, presenter: Presenter) {
    disk = opening.configuration.storage == .memory ? nil : DiskExecutor()
    (configuration, shelf, state) = (opening.configuration, opening.shelf, opening.state)
    (mayStore, isWhole, self.presenter) = (opening.mayStore, opening.isWhole, presenter)
    site = Site(
      url: opening.configuration.url, channel: opening.configuration.channel,
      transport: opening.configuration.transport, headers: opening.configuration.headers)
  }

  var clock: any ContentClock { configuration.clock }

  // MARK: A refresh

  /// Asks for a newer release, past caches if so required, and shows it.
  ///
  /// The steps have the numbers of docs/client.md.
  func refresh(
    _ reason: RefreshReason, asksOrigin: Bool = false, progress: RefreshProgress
  ) async -> RefreshOutcome {
    adoptOtherProcesses()
    if let wait = postponement(of: reason) { return .postponed(seconds: wait) }
    removePurgedObjects()
    var asksOrigin = asksOrigin
    var delays = Self.missingObjectDelays[...]
    // An earlier attempt may have loaded some of these bundles.
    var lacked: Set<BundleName> = []
    while true {
      do {
        // 1. Look.
        let time = configuration.verificationClock.now
        let answer = try await look(asksOrigin: asksOrigin)
        // 2. Verify.
        guard let config = try await acceptedOrRenewed(answer, at: time) else {
          return .unchanged
        }
        let generation = state.generation
        // 3. Act at once.
        actAtOnce(on: config)
        guard state.avoided != config.release else {
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
          // The reader changed meanwhile.
          release = try await load(
            config, of: generation, for: presenter.reader, progress: progress)
        }
        presenter.present(newest: newest)
        // Another process may know a newer one by now, or a recovery.
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
        return failed(error)
      }
    }
  }

  private func pause(_ seconds: Double) async -> Bool {
    (try? await clock.sleep(seconds: seconds)) != nil
  }

  // MARK: 1. Look

  /// Asks for config; with `isConditional`, only for another one than the stored one.
  func look(
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
    // A purge of everything names no objects.
    if withdrawsReleases { tidying = Task { tidy(afterPurge: true) } }
  }

  // MARK: 4. Load

  /// Loads what the shown content lacks while a newer release is avoided, also for another reader.
  ///
  /// An update of the app may have taken bundles away: the former app shipped with their objects.
  /// The site may lack the objects of an older release for good. Unlike those of the newest one, they
  /// neither lead to config again nor make the content incomplete, and the client skips them.
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
      // The look succeeded: a newer release must not wait for a backoff.
      presenter.report(.failed(error))
      return .failed(error)
    }
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

  /// Tells listeners of bundles that the shown release lacked.
  @discardableResult
  private func announceArrivals(of bundles: Set<BundleName>) -> RefreshOutcome {
    if bundles.isEmpty { return .unchanged }
    findArrivals()
    let all = bundles.map { ($0, ContentChanges.Extent.everything) }
    let changes = ContentChanges(
      token: presenter.token, bundles: Dictionary(uniqueKeysWithValues: all))
    return .updated(presenter.announce(.release, changes: changes))
  }

  /// Tells listeners of the bundles that arrived before a loading failed.
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
    // Afterwards, no reading opens more than it needs.
    index(release)
    record(ContentSwitch(to: shown, of: release, since: state, open: presenter.release))
    guard let update = presentShown(release) ?? presentShown() else { return .unchanged }
    // The texts for maintenance in the language of the reader.
    presenter.present(newest: presenter.newest)
    if let newest { isWhole = hasObjects(of: newest) }
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
    guard let config = newest, !shows(config), state.avoided != config.release,
      config.release >= state.highestRelease, !state.withdraws(release: config.release),
      let release = try? Release(
        config, of: state.generation, for: presenter.reader, on: shelf),
      Requirements.isWhole(release, eager: configuration.eager)
    else { return .unchanged }
    return activate(release)
  }
}
