import ContentModel

/// The content that a client shows when it opens: from the storage, or from the app itself.
struct Opening {
  let configuration: ContentConfiguration
  let shelf: Shelf
  private(set) var state: StoredState
  /// `false` if the storage cannot be read now.
  private(set) var mayStore = true
  private(set) var release: Release?
  /// The events for the first listener.
  private(set) var events: [ContentEvent] = []

  /// The starts after which a release that never proved itself is given up.
  private static let trials = 2

  /// Reads the state, and chooses the newest content that is whole.
  init(_ configuration: ContentConfiguration, storage: any ContentStorage) {
    self.configuration = configuration
    shelf = Shelf(storage: storage, baked: configuration.baked.map { BakedFolder($0) })
    state = StoredState(
      url: configuration.url, app: configuration.app, channel: configuration.channel)
    readState()
    let baked = bakedConfig()
    if let baked { adoptFloors(of: baked) }
    judgeTrial()
    choose(baked)
  }

  private mutating func readState() {
    do {
      // Another address, app or channel starts without a state.
      if let stored = try shelf.storage.state(), stored.belongs(to: state) { state = stored }
    } catch {
      mayStore = error.kind == .damaged
      events.append(.storage(error))
    }
    if state.token.storage.isEmpty {
      let digits = (0..<4).map { _ in UInt32(configuration.random.fraction() * 4_294_967_296) }
      state.token = ChangeToken(
        storage: digits.map { String($0, radix: 36) }.joined(separator: "."), number: 0)
    }
  }

  private func bakedConfig() -> SiteConfig? {
    guard let config = shelf.baked?.config(),
      config.belongs(to: configuration.app, channel: configuration.channel)
    else { return nil }
    return config
  }

  private mutating func adoptFloors(of baked: SiteConfig) {
    state.highestRelease = max(state.highestRelease, baked.release)
    guard baked.purge.sequence > state.purgeSequence else { return }
    state.purgeSequence = baked.purge.sequence
    state.minimumRelease = max(state.minimumRelease, baked.purge.minimumRelease)
    state.hidden += baked.purge.entries.map { .init(entry: $0, below: baked.release) }
  }

  /// Counts the starts of a release on trial, and gives it up after two that did not end well.
  private mutating func judgeTrial() {
    guard var trial = state.trial, trial.release == state.shown?.release else { return }
    if trial.starts >= Self.trials, let previous = state.previous,
      previous.release >= state.minimumRelease
    {
      (state.avoided, state.shown, state.previous, state.trial) = (
        trial.release, previous, nil, nil
      )
      state.token = ChangeToken(storage: state.token.storage, number: state.token.number + 1)
      events.append(.avoided(release: trial.release))
    } else {
      trial.starts += 1
      state.trial = trial
    }
    guard mayStore else { return }
    do { state = try shelf.storage.store(state, isDurable: false) } catch {
      events.append(.storage(error))
    }
  }

  private mutating func choose(_ baked: SiteConfig?) {
    let shown = state.shown.flatMap { try? SiteConfig($0.config) }
    let received =
      configuration.activation == .manual ? nil : state.config.flatMap { try? SiteConfig($0) }
    let generation = state.generation
    let known = [(shown, state.shown?.generation ?? generation), (received, generation)]
    let candidates = (known + [(baked, generation)])
      .compactMap { config, generation in config.map { (config: $0, generation: generation) } }
      .filter { $0.config.release != state.avoided && $0.config.release >= state.minimumRelease }
      .enumerated().sorted { a, b in
        (b.element.generation, b.element.config.release, a.offset)
          < (a.element.generation, a.element.config.release, b.offset)
      }.map(\.element.config)
    // A bundle that a newer app wants at once may be missing: that is no reason to show nothing.
    for eager in [configuration.eager, []] {
      for config in candidates where release == nil {
        release = whole(config, for: configuration.context, eager: eager)
        // The content of the last context, until that of this one is whole.
        if release == nil, config.bytes == shown?.bytes, let reader = state.shown?.reader {
          release = whole(config, for: reader, eager: eager)
        }
      }
    }
  }

  private func whole(_ config: SiteConfig, for reader: ReaderContext, eager: [BundleName])
    -> Release?
  {
    guard let release = try? Release(config, for: reader, on: shelf),
      Requirements.isWhole(release, eager: eager)
    else { return nil }
    return release
  }

  /// `false` if objects of the newest config did not arrive before the last end.
  var isWhole: Bool {
    guard configuration.activation == .immediate, let newest, newest.release != state.avoided else {
      return true
    }
    return release?.config.bytes == newest.bytes
  }

  /// The config whose maintenance and oldest app count: the newest one.
  var newest: SiteConfig? {
    let received = state.config.flatMap { try? SiteConfig($0) }
    guard let received, received.release >= release?.number ?? 0 else { return release?.config }
    return received
  }
}
