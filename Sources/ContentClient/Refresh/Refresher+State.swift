import ContentModel
import SiteFormat

extension Refresher {
  /// The rules by which snapshots show entries now.
  var rules: Visibility.Rules {
    if lastPurges?.hidden != state.hidden || lastPurges?.removed != state.removed {
      lastPurges = (state.hidden, state.removed, Visibility.Rules(state))
    }
    var rules = lastPurges?.2 ?? Visibility.Rules(state)
    rules.update(from: state)
    rules.lacksObjects = !isWhole
    rules.former = formerPurges
    return rules
  }

  /// The reader's side of the newest acceptable config.
  var newest: SiteConfig? {
    if lastNewest?.bytes != state.config {
      lastNewest = state.config.flatMap { try? SiteConfig($0) }
    }
    return lastNewest.map { state.side(of: $0, for: unit) }
  }

  /// Returns the reader's side of the newest config: the received one, or that of a later release that is
  /// shown because the app ships with it.
  func newest(showing release: Release) -> SiteConfig? {
    guard let newest, release.generation == state.generation, newest.release < release.number
    else { return newest }
    return state.side(of: release.config, for: unit)
  }

  /// The configs of this generation that the client has: another one of the same release is none.
  var knownConfigs: [SiteConfig] {
    let shown = state.shown.flatMap { $0.generation == state.generation ? $0.config : nil }
    let baked = shelf.baked?.config.flatMap { $0.digest == state.voidBaked ? nil : $0 }
    return [newest, shown.flatMap { try? SiteConfig($0) }, baked].compactMap(\.self)
  }

  /// Opens the release of a config, if it is not the shown one; `nil` if its index is missing.
  func open(_ config: SiteConfig, for reader: ReaderContext) -> Release? {
    if let shown = presenter.release, shown.reader == reader, presenter.shows(config) {
      return shown
    }
    return try? Release(config, of: state.generation, for: reader, on: shelf)
  }

  /// Stores the state, merged with that of other processes; later, while one of them has the lock.
  ///
  /// A suspended process may have the lock for long, and a purge may arrive meanwhile.
  func store(isDurable: Bool) {
    guard mayStore else { return }
    noteUse()
    if storing == nil, !storesNow(isDurable: isDurable) {
      storing = Task {
        repeat { try? await Task.sleep(for: Self.pause) } while !storesLater()
      }
    }
  }

  /// The time between two attempts to get the lock.
  private static let pause = Duration.milliseconds(100)

  /// Stores the state; returns `false` if another process has the lock.
  private func storesNow(isDurable: Bool) -> Bool {
    do {
      let merged = try shelf.storage.update(
        state, at: clock.moment, isDurable: isDurable, waits: false)
      guard let merged else { return false }
      take(merged)
    } catch {
      presenter.report(.storage(error))
    }
    return true
  }

  private func storesLater() -> Bool {
    guard storesNow(isDurable: true) else { return false }
    storing = nil
    removePurgedObjects()
    return true
  }

  /// Notes that this program uses the storage, and for which reader.
  private func noteUse() {
    let (program, moment) = (configuration.program, clock.moment)
    if !state.knows(program, with: presenter.reader, at: moment) {
      state.note(program, with: presenter.reader, at: moment)
    }
  }

  /// Records a switch, and stores it.
  func record(_ new: ContentSwitch) {
    do throws(ContentError) {
      guard mayStore else {
        throw ContentError(.storage, because: "the storage cannot be read now")
      }
      let isRead = presenter.isRead
      noteUse()
      var isCounted = false
      let merged = try shelf.storage.update(state, at: clock.moment, isDurable: true) { state in
        guard let recorded = state.record(new) else { return nil }
        // This process has counted its start with content that only gets another number or reader.
        if isRead, state.trial?.starts == 0 {
          state.trial?.starts = 1
          isCounted = true
        }
        return recorded
      }
      if let merged {
        take(merged)
        if isCounted { countedStart = new.shown.siteConfig?.content.indexes }
      }
    } catch {
      presenter.report(.storage(error))
      // The next process does not know this switch, and gives its number to another one.
      _ = state.record(new)
      state.token = ChangeToken(random: configuration.random)
    }
  }

  /// Merges the state that other processes stored, and notices that the storage can be read again.
  func adoptOtherProcesses() {
    let stamp = shelf.storage.stamp
    if stamp == adoptedStamp, mayStore { return }
    adoptedStamp = stamp
    let earlier = state.shown
    do {
      let other = try shelf.storage.state()
      mayStore = true
      guard let other, other.belongs(to: state) else { return }
      // The other process may have drawn the unit, and show its side.
      noteDrawnUnit()
      var merged = state
      merged.merge(other, at: clock.moment)
      take(merged)
    } catch {
      mayStore = error.kind == .damaged
    }
    if let shown = state.shown, !shown.isSame(as: earlier), presentShown() != nil {
      indexEntries()
    } else if !state.users(besides: configuration.program, at: clock.moment).isEmpty {
      findArrivals()
    }
  }

  /// Takes over a merged state: the purges of other processes at once.
  private func take(_ merged: StoredState) {
    let earlier = state
    // After a recovery, numbers tell which purges hold for earlier content.
    if merged.generation > earlier.generation, merged.trust == nil { formerPurges.add(rules) }
    state = merged
    presenter.apply(rules)
    if merged.config != earlier.config || merged.leftRollout != earlier.leftRollout, let newest {
      presenter.present(newest: newest)
      isWhole = hasObjects(of: newest)
    }
    if merged.purgeSequence > earlier.purgeSequence
      || merged.minimumRelease > earlier.minimumRelease || merged.hidden != earlier.hidden
    {
      presenter.report(.purged(sequence: merged.purgeSequence))
      presenter.announce(.purge, changes: nil)
    } else {
      presenter.announceState()
    }
  }

  // MARK: Generations

  /// Accepts a lower release: the numbers of releases and purges begin again.
  func beginGeneration(with config: SiteConfig) {
    // The purges so far apply to the content that is shown or held.
    formerPurges.add(rules)
    // The next process does not know them.
    removeAllPurgedObjects()
    // The app ships with a release of the time that ends. It must not count again.
    if let baked = shelf.baked?.config, baked.release > config.release {
      state.voidBaked = baked.digest
    }
    // Another site has its own minimum, and a backup restores a known one.
    let isInherited = state.hasMoved || config.purge.minimumRelease <= state.minimumRelease
    state.inheritedMinimum = isInherited ? config.purge.minimumRelease : 0
    // The next process does not know the minimum that withdrew them.
    if let shown = state.shown, state.withdraws(release: shown.release) { state.shown = nil }
    if let previous = state.previous, state.withdraws(release: previous.release) {
      state.previous = nil
    }
    (state.purgeSequence, state.minimumRelease) = (0, 0)
    state.noteSweep()
    (state.lastPurge, state.hasMoved) = (0, false)
    (state.hidden, state.removed) = ([], [])
    (state.highestRelease, state.lowerSince) = (0, nil)
    (state.avoided, state.leftRollout) = (nil, nil)
    state.generation += 1
  }

  /// Returns whether a config needs no more objects for the reader.
  func hasObjects(of config: SiteConfig) -> Bool {
    if state.avoids(config) { return true }
    guard let release = open(config, for: presenter.reader) else { return false }
    return Requirements.isWhole(release, eager: configuration.eager)
  }

  // MARK: Showing

  /// Shows the content that the state names: a release that was loaded now, or the content that
  /// another process shows.
  func presentShown(_ loaded: Release? = nil) -> ContentUpdate? {
    guard let shown = state.shown, let release = release(of: shown, loaded: loaded) else {
      return nil
    }
    let old = presenter.release
    // The journal knows the content of the recorded reader only.
    let isSameRelease =
      old?.number == release.number && old?.config.isNext == release.config.isNext
    let token =
      release.reader == shown.reader ? state.token : ChangeToken(random: configuration.random)
    return presenter.present(
      release, changes: presenter.readJournal().changes(since: presenter.token, to: token),
      reason: isSameRelease ? .context : .release)
  }

  private func release(of shown: StoredState.Shown, loaded: Release?) -> Release? {
    if let loaded { return shown.isSame(as: StoredState.Shown(loaded)) ? loaded : nil }
    guard let config = shown.siteConfig, !presenter.shows(config),
      ConfigCheck.isConsistent(
        config, app: configuration.app, channel: configuration.channel),
      let release = try? Release(
        config, of: shown.generation, for: presenter.reader, on: shelf),
      Requirements.isWhole(
        release, eager: configuration.eager, besidesPurgedBy: rules,
        wasWhole: shown.reader == release.reader),
      mayReplaceShown(by: release)
    else { return nil }
    return release
  }

  /// Returns whether a release is shown without a call of the app: an older one only in place of
  /// one that does not count any more; with another activation than `.immediate`, only the first
  /// one, after a purge, and for another reader.
  func mayReplaceShown(by release: Release) -> Bool {
    guard let old = presenter.release, !state.withdraws(release: old.number) else { return true }
    // Content from before a recovery may be a thief's, and gives way at once.
    if state.trust != nil, old.generation < release.generation { return true }
    let isAllowed = old.number <= state.highestRelease && !state.avoids(old.config)
    guard !release.isOlder(than: old) || !isAllowed else { return false }
    return configuration.activation == .immediate || old.reader != release.reader
      || old.config.purge.sequence < release.config.purge.sequence
  }

  // MARK: The trial

  /// Records that the app reads content for the first time in this process: a release that was not
  /// shown before is the last switch from now on, and the start counts for one on trial.
  ///
  /// Reading does not wait for that: the start of a process that ends before does not count.
  func recordReading(of release: Release, by opening: Opening) {
    recording = nil
    guard mayStore else { return }
    // The same release may be shown meanwhile, of the other side or for another reader.
    let isReplaced =
      presenter.release !== release && presenter.release?.number == release.number
    let new = release === opening.release && !isReplaced ? opening.unrecorded : nil
    let change = new.map { ContentSwitch(to: $0, of: release, since: opening.state) }
    noteUse()
    // A switch may have counted this start while another process had the lock.
    let isCounted = countedStart == release.config.content.indexes
    do {
      let merged = try shelf.storage.update(
        state, at: clock.moment, isDurable: false, waits: false
      ) { state in
        let recorded = change.flatMap { state.record($0) }
        if !isCounted { state.countStart(of: release.config) }
        return recorded
      }
      guard let merged else {
        recording = Task {
          try? await Task.sleep(for: Self.pause)
          recordReading(of: release, by: opening)
        }
        return
      }
      take(merged)
      countedStart = release.config.content.indexes
      // The app may ship with the release after a purge.
      removePurgedObjects()
      guard let new, new.isSame(as: merged.shown) else { return }
      presenter.noteRecord(
        of: release,
        changes: presenter.readJournal().changes(since: opening.state.token, to: merged.token))
    } catch { presenter.report(.storage(error)) }
  }

  /// Ends the trial of a config's content, since the app has used the content without a crash.
  func markHealthy(_ config: SiteConfig) {
    adoptOtherProcesses()
    guard state.isOnTrial(config) else { return }
    state.trial = nil
    store(isDurable: false)
  }
}
