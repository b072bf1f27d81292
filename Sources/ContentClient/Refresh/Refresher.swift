import ContentModel
import Hashing
import PropertyLists

/// The refreshes of a client, one after the other, on a thread that may wait for the disk.
actor Refresher {
  private let executor = DiskExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let configuration: ContentConfiguration
  let shelf: Shelf
  let presenter: Presenter
  let site: Site
  private(set) var state: StoredState
  /// `false` while the storage cannot be read: then nothing is written either.
  let mayStore: Bool
  private var backoff = Backoff()
  /// `false` while the newest config has objects that did not arrive.
  private(set) var isWhole: Bool
  /// The beginning of the last look, also of one that failed.
  private var lastAttempt: Moment?
  /// The releases that snapshots may still hold.
  private(set) var held: [WeakRelease] = []

  struct WeakRelease {
    weak var release: Release?
  }

  /// The seconds before config is requested again after an object is missing.
  private static let missingObjectDelays = [2.0, 8.0, 30.0]

  init(
    _ configuration: ContentConfiguration, shelf: Shelf, state: StoredState, mayStore: Bool,
    isWhole: Bool, presenter: Presenter
  ) {
    (self.configuration, self.shelf, self.state) = (configuration, shelf, state)
    (self.mayStore, self.isWhole, self.presenter) = (mayStore, isWhole, presenter)
    site = Site(
      url: configuration.url, channel: configuration.channel, transport: configuration.transport)
  }

  private var clock: any ContentClock { configuration.clock }

  // MARK: A refresh

  /// Asks for a newer release, and shows it.
  ///
  /// The steps have the numbers of docs/client.md.
  func refresh(
    _ reason: RefreshReason, progress: RefreshProgress
  ) async -> RefreshOutcome {
    if let wait = postponement(of: reason) { return .postponed(seconds: wait) }
    adoptOtherProcesses()
    var asksOrigin = false
    var delays = Self.missingObjectDelays[...]
    while true {
      do {
        // 1. Look.
        let answer = try await look(asksOrigin: asksOrigin)
        // 2. Verify.
        guard let config = try accepted(answer) else { return .unchanged }
        // 3. Act at once.
        actAtOnce(on: config)
        guard state.avoided != config.release else { return .unchanged }
        // 4. Load.
        isWhole = false
        var release = try await load(config, for: presenter.reader, progress: progress)
        while release.reader != presenter.reader {
          // The reader changed meanwhile.
          release = try await load(config, for: presenter.reader, progress: progress)
        }
        presenter.present(newest: config)
        (isWhole, backoff) = (true, Backoff())
        // 5. Switch, and 6. report.
        return show(release)
      } catch  where error.isMissingObject && !delays.isEmpty {
        // Config may be newer than a cache says, or an object is still on its way.
        guard await pause(delays.removeFirst()) else { return .failed(.cancelledRefresh) }
        asksOrigin = true
      } catch {
        return failed(error)
      }
    }
  }

  /// Notes a release whose objects stay while a snapshot holds it.
  private func hold(_ release: Release?) {
    held.removeAll { $0.release == nil }
    held.append(WeakRelease(release: release))
  }

  private func pause(_ seconds: Double) async -> Bool {
    (try? await clock.sleep(seconds: seconds)) != nil
  }

  // MARK: 1. Look

  private func look(asksOrigin: Bool) async throws(ContentError) -> ContentResponse {
    let known = state.config.flatMap { try? SiteConfig($0) }
    let isStored =
      known.map {
        Requirements.areMet(
          by: $0, reader: presenter.reader, eager: configuration.eager, on: shelf)
      } ?? false
    let isNewest = known?.release == state.highestRelease
    lastAttempt = clock.moment
    let answer: ContentResponse
    do {
      answer = try await site.config(
        ending: configuration.configEnding,
        entityTag: isStored && isNewest ? state.entityTag : nil,
        asksOrigin: asksOrigin)
    } catch {
      presenter.report(.looked(status: 0))
      throw ContentError(unanswered: error)
    }
    presenter.report(.looked(status: answer.status))
    return answer
  }

  // MARK: 2. Verify

  /// Returns the config to load; `nil` if the shown content is the newest.
  private func accepted(_ answer: ContentResponse) throws(ContentError) -> SiteConfig? {
    let moment = clock.moment
    switch answer.status {
    case 200: break
    case 304:
      guard let bytes = state.config, let config = try? SiteConfig(bytes) else {
        throw ContentError(.refused, because: "304 without a condition")
      }
      state.lowerSince = nil
      noteLook(at: moment)
      guard presenter.shows(config), presenter.readerOfShown == presenter.reader else {
        return config
      }
      backoff.succeed()
      return nil
    case 310: throw ContentError(.refused, because: "a redirection leads elsewhere")
    default:
      noteRetryAfter(of: answer, at: moment)
      throw ContentError(.server(status: answer.status), because: "config answers \(answer.status)")
    }
    let config: SiteConfig
    do { config = try SiteConfig(answer.body) } catch {
      throw ContentError(refusal: error)
    }
    let check = ConfigCheck(
      app: configuration.app, channel: configuration.channel, state: state)
    switch try check.verdict(on: config, at: moment) {
    case .accepted: state.lowerSince = nil
    case .lower:
      if state.lowerSince == nil { state.lowerSince = moment }
      store(isDurable: false)
      throw ContentError(
        .refused, because: "release \(config.release) is older than \(state.highestRelease)")
    case .reset:
      (state.purgeSequence, state.minimumRelease) = (0, 0)
      (state.hidden, state.removed) = ([], [])
      (state.highestRelease, state.lowerSince, state.avoided) = (0, nil, nil)
      state.generation += 1
    }
    state.config = config.bytes
    state.entityTag = answer.header("ETag")
    state.highestRelease = config.release
    noteLook(at: moment)
    return config
  }

  private func noteLook(at moment: Moment) {
    state.look = moment
    state.retryAfter = nil
    presenter.apply(rules)
    store(isDurable: false)
  }

  private func noteRetryAfter(of answer: ContentResponse, at moment: Moment) {
    guard let header = answer.header("Retry-After"),
      let seconds = RetryAfter.seconds(header, at: moment.now)
    else { return }
    state.retryAfter = moment.advanced(by: seconds)
    store(isDurable: false)
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
    let isNew = purge.sequence > state.purgeSequence
    state.purgeSequence = max(state.purgeSequence, purge.sequence)
    state.minimumRelease = max(state.minimumRelease, purge.minimumRelease)
    if isNew {
      state.hidden = state.hidden.filter { row in !purge.entries.contains(row.entry) }
      state.hidden += purge.entries.map { .init(entry: $0, below: config.release) }
      state.removed = purge.objects.map { .init(digest: $0, below: config.release) }
      state.previous = nil
      limitRows(below: config.release)
    }
    store(isDurable: isNew)
    presenter.apply(rules)
    presenter.present(newest: config)
    if isNew {
      for object in shelf.storage.objects() where purge.objects.contains(object.object.digest) {
        shelf.storage.remove(object.object)
      }
      presenter.report(.purged(sequence: purge.sequence))
      presenter.announce(.purge, changes: nil)
    }
  }

  /// The most entries and objects of purges that are kept by name.
  private static let mostRows = 10_000

  /// Hides all older releases instead of too many entries of them.
  private func limitRows(below release: Int) {
    if state.hidden.count + state.removed.count > Self.mostRows { state.minimumRelease = release }
    let minimum = state.minimumRelease
    state.hidden.removeAll { $0.below <= minimum }
    state.removed.removeAll { $0.below <= minimum }
  }

  private var rules: Visibility.Rules { Visibility.Rules(state) }

  // MARK: 5. Switch, 6. report

  private func show(_ release: Release) -> RefreshOutcome {
    if presenter.shows(release.config), presenter.readerOfShown == release.reader {
      return .unchanged
    }
    let old = presenter.release
    let isPurge =
      (old?.number ?? 0) < state.minimumRelease
      || old?.config.purge.sequence ?? 0 < release.config.purge.sequence
    guard configuration.activation == .immediate || old == nil || isPurge else {
      return .unchanged
    }
    return activate(release, replacing: old)
  }

  /// Makes a whole release the shown one: journal, state, snapshot, in this order.
  func activate(_ release: Release, replacing old: Release?) -> RefreshOutcome {
    let bundles = ReleaseChanges.between(old, and: release)
    let token = ChangeToken(storage: state.token.storage, number: state.token.number + 1)
    var journal = shelf.storage.journal()
    journal.append(.init(number: token.number, bundles: bundles))
    state.token = token
    if let shown = state.shown, shown.release != release.number {
      // A release before a purge is never shown again.
      let isPurge = old.map { $0.config.purge.sequence < release.config.purge.sequence } ?? false
      state.previous = isPurge ? nil : shown
    }
    state.shown = .init(
      config: release.config.bytes, release: release.number, generation: state.generation,
      reader: release.reader)
    if old?.number != release.number { state.trial = .init(release: release.number, starts: 1) }
    if mayStore {
      do { try shelf.storage.store(journal) } catch { presenter.report(.storage(error)) }
    }
    store(isDurable: true)
    hold(old)
    let update = presenter.present(
      release, changes: ContentChanges(token: token, bundles: bundles),
      reason: old?.number == release.number ? .context : .release)
    // The texts for maintenance in the language of the reader.
    presenter.present(newest: presenter.newest)
    tidy()
    return .updated(update)
  }

  /// Shows the newest whole release, if `activation` has left that to the app.
  func activateStored() -> RefreshOutcome {
    guard let bytes = state.config, let config = try? SiteConfig(bytes),
      !presenter.shows(config), state.avoided != config.release,
      config.release >= max(state.highestRelease, state.minimumRelease),
      let release = try? Release(config, for: presenter.reader, on: shelf),
      Requirements.isWhole(release, eager: configuration.eager)
    else { return .unchanged }
    return activate(release, replacing: presenter.release)
  }

  // MARK: State

  /// Stores the state, merged with that of other processes.
  private func store(isDurable: Bool) {
    guard mayStore else { return }
    do {
      let merged = try shelf.storage.store(state, isDurable: isDurable)
      let isOther = merged.shown?.isNewer(than: state.shown) ?? false
      state = merged
      if isOther { adoptShown() }
    } catch {
      presenter.report(.storage(error))
    }
  }

  /// Merges the state that other processes stored.
  func adoptOtherProcesses() {
    guard mayStore, let other = try? shelf.storage.state(), other.belongs(to: state) else { return }
    let shown = state.shown
    state.merge(other)
    presenter.apply(rules)
    if let look = other.look, look.uptime.boot == clock.uptime.boot,
      state.look?.uptime.boot != look.uptime.boot
    {
      state.look = look
    }
    if state.shown?.isNewer(than: shown) ?? false { adoptShown() }
  }

  private func adoptShown() {
    guard let shown = state.shown, let config = try? SiteConfig(shown.config),
      !presenter.shows(config),
      let release = try? Release(config, for: presenter.reader, on: shelf),
      Requirements.isWhole(release, eager: configuration.eager)
    else { return }
    presenter.present(newest: state.config.flatMap { try? SiteConfig($0) })
    let old = presenter.release
    hold(old)
    _ = presenter.present(
      release,
      changes: shelf.storage.journal().changes(since: presenter.token, to: state.token),
      reason: .release)
  }

  /// Ends the trial of the shown release.
  func markHealthy(_ release: Int) {
    guard state.trial?.release == release else { return }
    state.trial = nil
    store(isDurable: false)
  }

  // MARK: Waiting

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
    case .schedule, .push:
      let wait = backoff.wait(at: moment)
      return wait > 0 ? wait : nil
    case .launch, .connection, .context: return nil
    }
  }

  func failed(_ error: ContentError) -> RefreshOutcome {
    let moment = clock.moment
    let ttl = presenter.newest?.ttl ?? 600
    switch error.kind {
    case .server(let status) where [401, 403, 404].contains(status):
      backoff.pause(at: moment, seconds: Double(ttl))
    case .refused: backoff.pause(at: moment, seconds: Double(ttl))
    case .cancelled: return .failed(error)
    default: backoff.fail(at: moment, ttl: ttl, fraction: configuration.random.fraction())
    }
    presenter.report(error.kind == .refused ? .refused(error) : .failed(error))
    return .failed(error)
  }

  /// The seconds until a look may follow the failed ones; 0 if the last one succeeded.
  var secondsUntilRetry: Double {
    let moment = clock.moment
    return max(backoff.wait(at: moment), secondsAsked(at: moment))
  }

  /// Returns the seconds for which a server asked to wait; 0 for a longer time than it may ask for,
  /// which is due to a wrong clock.
  private func secondsAsked(at moment: Moment) -> Double {
    guard let wait = state.retryAfter?.seconds(since: moment), wait <= RetryAfter.longest else {
      return 0
    }
    return wait
  }
}
