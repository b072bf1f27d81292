import ContentModel
import SiteFormat

/// The checks of a client in the foreground, each at its time.
actor Scheduler {
  private let refresher: Refresher
  private let presenter: Presenter
  private let configuration: ContentConfiguration
  private let refresh: @Sendable (RefreshReason) -> RefreshTask?
  /// The check for which `factor` and `delay` were drawn.
  private var drawnFor: Moment?
  private var factor = 1.0
  private var delay = 0.0
  /// The next check because of config's age alone.
  ///
  /// Checks for other reasons do not move it. Otherwise, clients that check together after a push
  /// would always do so.
  private var regular: Moment?
  /// `true` until the first decision.
  private var isNew = true

  /// Jitter only shortens the lifetime of config, so that its bound holds.
  private static let shortest = 0.85
  /// The most seconds from `changes` to the next check, so that clients do not check all at once.
  private static let spread = 60.0

  init(
    _ refresher: Refresher, presenter: Presenter, configuration: ContentConfiguration,
    refresh: @escaping @Sendable (RefreshReason) -> RefreshTask?
  ) {
    (self.refresher, self.presenter) = (refresher, presenter)
    (self.configuration, self.refresh) = (configuration, refresh)
  }

  /// Checks config on schedule until the task is cancelled.
  ///
  /// The first check is at once if the last check is older than the channel's `ttl`.
  func run() async {
    #if canImport(Network)
      let watch = ConnectionWatch { [weak self] in Task { await self?.noteNewNetwork() } }
      defer { withExtendedLifetime(watch) {} }
    #endif
    while !Task.isCancelled { await waitForNext() }
  }

  /// Checks config again if the last check had no connection.
  func noteNewNetwork() async {
    if await refresher.lacksConnection { _ = refresh(.connection) }
  }

  private func waitForNext() async {
    let changes = presenter.timeChanges
    let next = await self.next()
    // A purge by another process and a changed clock are noticed within a minute.
    let seconds = min(next.seconds, Self.spread)
    guard await sleeps(seconds, after: next.moment, unlessOneOf: changes) else { return }
    await refresher.adoptOtherProcesses()
    if next.seconds > Self.spread { return }
    switch next.kind {
    case .check(let reason): if let task = refresh(reason) { await wait(for: task) }
    case .time: presenter.announceTime()
    }
  }

  /// Waits for the end of a refresh, while entries appear and disappear on time.
  private func wait(for task: RefreshTask) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = await task.outcome }
      group.addTask { await self.announceTimes() }
      await group.next()
      group.cancelAll()
    }
  }

  private func announceTimes() async {
    while !Task.isCancelled {
      let (changes, moment) = (presenter.timeChanges, configuration.clock.moment)
      let seconds = presenter.nextChange(after: moment)
      if await sleeps(seconds, after: moment, unlessOneOf: changes) { presenter.announceTime() }
    }
  }

  /// Waits until some seconds after a moment, without a number until the task is cancelled; returns
  /// `false` if it was, and at one of the changes.
  private func sleeps(
    _ seconds: Double?, after moment: Moment, unlessOneOf changes: AsyncStream<Void>
  ) async -> Bool {
    await withTaskGroup(of: Bool.self) { [clock = configuration.clock] group in
      if let seconds {
        group.addTask {
          // The task starts later than the moment of the plan.
          let passed = clock.moment.seconds(since: moment) ?? 0
          return (try? await clock.sleep(seconds: max(0, seconds - passed))) != nil
        }
      }
      group.addTask {
        for await _ in changes { break }
        return false
      }
      let isOver = await group.next() ?? false
      group.cancelAll()
      return isOver
    }
  }

  /// The next event.
  struct Next: Sendable {
    enum Kind: Hashable, Sendable {
      case check(RefreshReason)
      /// An entry appears or disappears.
      case time
    }
    /// The time since which `seconds` pass.
    var moment: Moment
    var seconds: Double
    var kind: Kind
  }

  /// Returns the next event and the seconds until then.
  func next() async -> Next {
    let moment = configuration.clock.moment
    let standing = await refresher.standing
    let age = secondsUntilCheck(after: standing, at: moment)
    defer { isNew = false }
    // When a person returns to the app, earlier failed checks do not delay the next one.
    if isNew, age == 0, standing.askedSeconds == 0, standing.refusedSeconds == 0 {
      return Next(moment: moment, seconds: 0, kind: .check(.launch))
    }
    let wait = max(standing.retrySeconds, age)
    if let change = presenter.nextChange(after: moment), change < wait {
      return Next(moment: moment, seconds: change, kind: .time)
    }
    return Next(
      moment: moment, seconds: wait, kind: .check(standing.lastCheck == nil ? .launch : .schedule))
  }

  private func secondsUntilCheck(after standing: Refresher.Standing, at moment: Moment) -> Double {
    guard let check = standing.lastCheck, let age = moment.seconds(since: check), standing.isWhole,
      let config = presenter.newest
    else { return 0 }
    let ttl = Double(config.ttl)
    if drawnFor != check { draw(after: check, ttl: ttl, asked: standing.asked) }
    var due = min(ttl, regular?.seconds(since: check) ?? ttl)
    if let end = presenter.visibility.current.verifiedUntil {
      // A thief's `ttl` does not outlive his keys.
      let rest = end.secondsSinceReferenceDate - check.now.secondsSinceReferenceDate
      if rest > 0 { due = min(due, max(rest, Self.spread)) }
    }
    if config.maintenance.isInForce(at: moment.now) {
      due = min(due, Double(config.maintenance.retryAfter) * (1 + 0.2 * factor))
    }
    if let changes = presenter.changes(after: check.now) {
      let past = check.now.secondsSinceReferenceDate
      due = min(due, changes.secondsSinceReferenceDate - past + delay)
    }
    return max(0, due - age)
  }

  /// Draws the random parts of the waits after a check.
  ///
  /// `asked` is the moment until which a server asked to wait before the check, if any.
  private func draw(after check: Moment, ttl: Double, asked: Moment?) {
    (drawnFor, factor) = (check, configuration.random.fraction())
    delay = configuration.random.fraction() * Self.spread
    if let rest = regular?.seconds(since: check), (1...ttl).contains(rest) { return }
    let period = ttl * (Self.shortest + (1 - Self.shortest) * factor)
    // After an outage, all clients check within a minute or two. Each client keeps the times of its
    // checks from before the outage, so that they do not check together again.
    let missed = regular.flatMap { check.seconds(since: $0) } ?? 0
    let rest = period - missed.truncatingRemainder(dividingBy: period)
    guard missed >= Self.spread, rest >= 1 else {
      regular = check.advanced(by: period)
      return
    }
    // A server that asked for a pause has spread the checks already. An additional check soon
    // afterwards is not needed.
    let wasAsked = regular.flatMap { asked?.seconds(since: $0) } ?? 0 > 0
    regular = check.advanced(by: wasAsked ? (rest + period) / 2 : rest)
  }
}
