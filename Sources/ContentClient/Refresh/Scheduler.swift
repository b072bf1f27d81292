import ContentModel

/// The looks of a client in the foreground, each at its time.
actor Scheduler {
  private let refresher: Refresher
  private let presenter: Presenter
  private let configuration: ContentConfiguration
  private let refresh: @Sendable (RefreshReason) -> RefreshTask?
  private var waiting: Task<Void, Never>?
  /// The look for which `factor` and `delay` were drawn.
  private var drawnFor: Moment?
  private var factor = 1.0
  private var delay = 0.0

  /// Jitter only shortens the lifetime of config, so that its bound holds.
  private static let shortest = 0.85
  /// The most seconds after `changes`, so that clients do not look all at once.
  private static let spread = 60.0

  init(
    _ refresher: Refresher, presenter: Presenter, configuration: ContentConfiguration,
    refresh: @escaping @Sendable (RefreshReason) -> RefreshTask?
  ) {
    (self.refresher, self.presenter) = (refresher, presenter)
    (self.configuration, self.refresh) = (configuration, refresh)
  }

  /// Begins, with a look at once if the last one is older than the channel's `ttl`.
  func start() {
    guard waiting == nil else { return }
    waiting = Task { [weak self] in
      while !Task.isCancelled, let self { await self.waitForNext() }
    }
  }

  /// Ends.
  func stop() {
    waiting?.cancel()
    waiting = nil
  }

  private func waitForNext() async {
    let next = await self.next()
    // A purge by another process and a changed clock are noticed within a minute.
    do { try await configuration.clock.sleep(seconds: min(next.seconds, Self.spread)) } catch {
      return
    }
    if next.seconds > Self.spread { return }
    switch next.kind {
    case .look(let reason): _ = await refresh(reason)?.outcome
    case .time: presenter.announce(.time, changes: nil)
    }
  }

  /// The next event.
  struct Next: Sendable {
    enum Kind: Hashable, Sendable {
      case look(RefreshReason)
      /// An entry appears or disappears.
      case time
    }
    var seconds: Double
    var kind: Kind
  }

  /// Returns the next event and the seconds until then.
  func next() async -> Next {
    let moment = configuration.clock.moment
    let (look, retry) = await (refresher.state.look, refresher.secondsUntilRetry)
    let wait = max(retry, await secondsUntilLook(after: look, at: moment))
    let kind = Next.Kind.look(look == nil ? .launch : .schedule)
    if let change = presenter.nextChange(after: moment), change < wait {
      return Next(seconds: change, kind: .time)
    }
    return Next(seconds: wait, kind: kind)
  }

  private func secondsUntilLook(after look: Moment?, at moment: Moment) async -> Double {
    guard let look, let age = moment.seconds(since: look), await refresher.isWhole else { return 0 }
    if drawnFor != look {
      (drawnFor, factor) = (look, configuration.random.fraction())
      delay = configuration.random.fraction() * Self.spread
    }
    guard let config = presenter.newest else { return 0 }
    var due = Double(config.ttl) * (Self.shortest + (1 - Self.shortest) * factor)
    if config.maintenance.isInForce(at: moment.now) {
      due = min(Double(config.ttl), Double(config.maintenance.retryAfter) * (1 + 0.2 * factor))
    }
    if let changes = presenter.changes(after: look.now) {
      let past = look.now.secondsSinceReferenceDate
      due = min(due, changes.secondsSinceReferenceDate - past + delay)
    }
    return max(0, due - age)
  }
}
