import ContentModel
import SiteFormat

/// The content that a client shows when it opens: from the storage, or from the app itself.
///
/// Opening writes nothing, so it waits for no other process. After the first reading, the refresher
/// records the shown content.
struct Opening: Sendable {
  let configuration: ContentConfiguration
  let shelf: Shelf
  private(set) var state: StoredState
  /// The reader's unit; `nil` while there is none.
  private(set) var unit: String?
  /// `false` if the storage cannot be read now.
  private(set) var mayStore = true
  private(set) var release: Release?
  /// The shown content, if the state records another one.
  private(set) var unrecorded: StoredState.Shown?
  /// The token of the shown content.
  private(set) var token = ChangeToken(storage: "", number: 0)
  /// `false` if objects of the newest config did not arrive before the last end.
  private(set) var isWhole = true
  /// The events for the first listener.
  private(set) var events: [ContentEvent] = []

  /// The starts after which a release that never proved itself is given up.
  private static let trials = 2

  /// A config that may be shown.
  fileprivate struct Candidate {
    var config: SiteConfig
    var generation: Int
    /// The reader for whom it was shown.
    var reader: ReaderContext?
    /// `true` if it was whole once: shown before, or shipped with the app.
    var isProven: Bool
  }

  /// Reads the state, and chooses the newest content that is whole.
  init(
    _ configuration: ContentConfiguration, pinned: KeyDocument?, storage: any ContentStorage
  ) {
    self.configuration = configuration
    let baked = configuration.baked.map {
      BakedContent($0, for: configuration, pinned: pinned)
    }
    shelf = Shelf(storage: storage, baked: baked)
    state = StoredState(
      url: configuration.url, app: configuration.app, channel: configuration.channel)
    state.adopt(pinned.map { TrustMemory(pinned: $0) })
    readState(pinned)
    // Another process draws the unit before it stores content of the next side.
    unit = configuration.unit ?? storage.unit
    adoptBaked()
    choose()
    let isRecorded = unrecorded == nil && (release != nil || state.shown == nil)
    token = isRecorded ? state.token : ChangeToken(random: configuration.random)
    isWhole = hasObjectsOfNewest
  }

  private mutating func readState(_ pinned: KeyDocument?) {
    do {
      // Another app or channel starts without a state.
      if let stored = try shelf.storage.state(), stored.belongs(to: state) {
        state = stored
        state.move(to: configuration.url)
        if let pinned, let trust = stored.trust {
          state.adopt(TrustMemory(pinned: pinned, continuing: trust))
        }
      }
    } catch {
      mayStore = error.kind == .damaged
      events.append(.storage(error))
    }
    if state.token.storage.isEmpty { state.token = ChangeToken(random: configuration.random) }
  }

  /// The baked config that counts; `nil` if there is none.
  private var baked: Candidate? {
    shelf.baked?.shownConfig(in: state).map {
      Candidate(config: $0.config, generation: $0.generation, isProven: true)
    }
  }

  /// The next side of the baked config, if it is the reader's; the app may lack its objects.
  private var bakedNext: Candidate? {
    guard let baked else { return nil }
    let side = state.side(of: baked.config, for: unit)
    return side.isNext
      ? Candidate(config: side, generation: baked.generation, isProven: false) : nil
  }

  /// Takes over the keys and floors of baked content.
  private mutating func adoptBaked() {
    if let refusal = shelf.baked?.refusal { events.append(.storage(refusal)) }
    if let trust = shelf.baked?.trust {
      var merged = state.trust
      merged?.merge(trust)
      state.adopt(merged)
    }
    guard let baked, baked.generation == state.generation else { return }
    state.highestRelease = max(state.highestRelease, baked.config.release)
    if baked.config.purge.sequence > state.purgeSequence {
      _ = state.apply(
        baked.config.purge, of: baked.config.release, at: configuration.clock.moment)
    }
  }

  // MARK: The choice

  /// Returns the configs that may be shown, the newest first.
  private var candidates: [Candidate] {
    let known = [state.shown, state.previous].compactMap(\.self).compactMap { shown in
      shown.siteConfig.map {
        Candidate(config: $0, generation: shown.generation, reader: shown.reader, isProven: true)
      }
    }
    // A thief's content gives way at once.
    let isFormer =
      state.trust != nil && state.shown?.generation ?? state.generation < state.generation
    let received = configuration.activation == .manual && !isFormer ? nil : newestReceived
    // Of one release, the reader's side precedes the other one, which may be shown.
    let all =
      [received.map { Candidate(config: $0, generation: state.generation, isProven: false) }]
      .compactMap(\.self) + known + [bakedNext, baked].compactMap(\.self)
    return all.filter { !state.withdraws(release: $0.config.release) }.enumerated().sorted { a, b in
      (b.element.generation, b.element.config.release, a.offset)
        < (a.element.generation, a.element.config.release, b.offset)
    }.map(\.element)
  }

  /// Chooses the newest whole content; content that ended two starts on trial is given up if there
  /// is other content.
  private mutating func choose() {
    if let trial = state.trial, trial.starts >= Self.trials,
      let failed = state.shown?.siteConfig, trial.release == failed.release
    {
      let hasLeft = leaveRollout(of: failed)
      let (content, avoided) = (failed.content, state.avoided)
      let others = candidates.filter {
        $0.config.content.indexes != content.indexes && !state.avoids($0.config)
      }
      if open(others) {
        (state.avoided, state.trial) = (.init(release: trial.release, content: content), nil)
        // A new number of the content may have arrived already.
        if let newestReceived { state.noteAccepted(newestReceived) }
      }
      if hasLeft || state.avoided != avoided {
        events.append(.avoided(release: trial.release))
      }
      if state.trial == nil { return }
    }
    _ = open(candidates.filter { !state.avoids($0.config) })
  }

  /// Leaves the rollout whose next content ended two starts; returns `false` if it is none, or the
  /// reader has left before.
  ///
  /// The next refresh loads the stable content, also if there is no other content yet.
  private mutating func leaveRollout(of failed: SiteConfig) -> Bool {
    guard failed.isNext, let name = failed.rollout?.name,
      !state.leftRollout.hasSameBytes(as: name)
    else { return false }
    state.leftRollout = name
    return true
  }

  /// Opens the first candidate that is whole, or else the first one that was whole once; returns
  /// `false` if there is none.
  private mutating func open(_ candidates: [Candidate]) -> Bool {
    for candidate in candidates {
      // The content of the last context is shown until that of this one is whole.
      for reader in [configuration.context, candidate.reader].compactMap(\.self) {
        if let release = opened(candidate, for: reader), isWhole(release, as: candidate) {
          show(release)
          return true
        }
      }
    }
    // A newer app may want more bundles at once, and files may be lost: that is no reason to show
    // nothing. Content that never was whole is not shown.
    for candidate in candidates where candidate.isProven {
      let reader = candidate.reader(insteadOf: configuration.context)
      if let release = opened(candidate, for: reader), hasContent(release) {
        show(release)
        return true
      }
    }
    return false
  }

  private mutating func show(_ release: Release) {
    let shown = StoredState.Shown(release)
    (self.release, unrecorded) = (release, shown.isSame(as: state.shown) ? nil : shown)
  }

  private func opened(_ candidate: Candidate, for reader: ReaderContext) -> Release? {
    try? Release(candidate.config, of: candidate.generation, for: reader, on: shelf)
  }

  private func isWhole(_ release: Release, as candidate: Candidate) -> Bool {
    let rules = Visibility.Rules(state)
    guard
      Requirements.isWhole(
        release, eager: configuration.eager,
        besidesPurgedBy: candidate.isProven ? rules : nil,
        wasWhole: candidate.reader == release.reader)
    else { return false }
    guard state.mustSweep(at: configuration.clock.moment) else { return true }
    // Purged files that are still there are about to be removed.
    return !ReleaseObjects(release, eager: configuration.eager).needed.contains {
      rules.withdraws($0, of: release) && !isBaked($0)
        && shelf.storage.contains($0, size: nil)
    }
  }

  private func isBaked(_ object: SiteObject) -> Bool {
    shelf.baked?.objects.contains(object, size: nil) ?? false
  }

  /// Returns whether a bundle can be read, or there is none.
  private func hasContent(_ release: Release) -> Bool {
    if let index = release.config.index(release.served),
      state.mustSweep(at: configuration.clock.moment),
      Visibility.Rules(state).withdraws(index, of: release), !isBaked(index)
    {
      return false
    }
    let names = release.index.names.flatMap { release.parts(of: $0) }
    return names.isEmpty || names.contains { release.bundle($0) != nil }
  }

  /// The reader's side of the newest received config.
  private var newestReceived: SiteConfig? {
    state.config.flatMap { try? SiteConfig($0) }.map { state.side(of: $0, for: unit) }
  }

  private var hasObjectsOfNewest: Bool {
    guard let newest, !state.avoids(newest) else { return true }
    let isShown =
      release?.config.isSame(as: newest) == true && release?.reader == configuration.context
      && release?.generation == state.generation
    let candidate = Candidate(config: newest, generation: state.generation, isProven: false)
    let needed = isShown ? release : opened(candidate, for: configuration.context)
    return needed.map { Requirements.isWhole($0, eager: configuration.eager) } ?? false
  }

  /// The rules by which the shown content is visible.
  var rules: Visibility.Rules {
    var rules = Visibility.Rules(state)
    rules.lacksObjects = !isWhole
    return rules
  }

  /// The config whose maintenance and oldest app count: the reader's side of the newest one.
  ///
  /// The app may ship with the newest one, and show its stable side for lack of the reader's.
  var newest: SiteConfig? {
    guard let received = newestReceived else { return release.map(readersSide) }
    guard let release, release.generation == state.generation, release.number > received.release
    else { return received }
    return readersSide(of: release)
  }

  private func readersSide(of release: Release) -> SiteConfig {
    state.side(of: release.config, for: unit)
  }

  // MARK: The first reading

  /// Returns whether the first reading of a release changes the state.
  func mustRecordReading(of shown: Release) -> Bool {
    mayStore
      && (shown !== release || unrecorded != nil || state.trial != nil
        || !state.knows(
          configuration.program, with: configuration.context, at: configuration.clock.moment))
  }
}

extension Opening.Candidate {
  /// Returns the reader for whom incomplete content is chosen: the present one, unless another
  /// language or device was shown.
  fileprivate func reader(insteadOf context: ReaderContext) -> ReaderContext {
    guard let reader, config.served(reader) != config.served(context) else { return context }
    return reader
  }
}
