import ContentModel
import ContentSource
import Diagnostics
import Dispatch
import Synchronization

/// A scheduler that runs requested builds, one at a time, and keeps the result of the last one.
///
/// A class, since the watcher requests builds, a queue runs them, and connections read the results.
final class Rebuilder: Sendable {
  let broadcaster = EventBroadcaster()
  private let source: PreviewSource
  private let log: @Sendable (PreviewState) -> Void
  private let remark: @Sendable (String) -> Void
  private let state = Mutex(PreviewState())
  /// The changes since the last build began; `nil` if there are none.
  private let pendingChange = Mutex<ContentChange?>(nil)
  /// The numbers of attempts that have begun and ended.
  private let attempts = Mutex((begun: 0, ended: 0))
  private let needsPersisting = Atomic(false)
  private let isRetrying = Atomic(false)
  private let isStopped = Atomic(false)
  private let queue = DispatchQueue(label: "contentc.build", qos: .userInitiated)
  private let observers = Mutex<[@Sendable (PreviewState) -> Void]>([])
  /// The timer for the moment at which content changes without a change of a file.
  private let timer = Mutex<WallClockTimer?>(nil)

  /// Creates a rebuilder that calls `log` after each attempt, and `remark` with notes for people.
  init(
    _ source: PreviewSource, remark: @escaping @Sendable (String) -> Void = { _ in },
    log: @escaping @Sendable (PreviewState) -> Void
  ) {
    (self.source, self.remark, self.log) = (source, remark, log)
    state.withLock { $0.run = String(UInt64.random(in: .min ... .max), radix: 36) }
    let timer = WallClockTimer(on: queue, now: source.now) { [weak self] in
      self?.request(.nothingKnown)
    }
    self.timer.withLock { $0 = timer }
  }

  /// The state after the last attempt.
  var current: PreviewState { state.withLock { $0 } }

  /// The number of attempts so far; `nil` while one is running.
  ///
  /// If two readings are equal, no attempt has begun between them.
  var quietSince: Int? { attempts.withLock { $0.begun == $0.ended ? $0.begun : nil } }

  /// Adds an observer, which is called after each attempt and before pages are notified.
  func onAttempt(_ observer: @escaping @Sendable (PreviewState) -> Void) {
    observers.withLock { $0.append(observer) }
  }

  /// Returns a stream of server-sent events: the last attempt, if any, and all later ones.
  func events() -> AsyncStream<String> {
    broadcaster.subscribe { [self] in
      let state = current
      // The time in milliseconds after which browsers reconnect to a restarted server.
      return "retry: 500\n" + (state.generation > 0 ? state.event : ": no build yet\n\n")
    }
  }

  /// Requests a build after a change; requests during a build are combined into one.
  func request(_ change: ContentChange) {
    if addPending(change) { queue.async { self.buildPending() } }
  }

  /// Waits for the end of the running build, prevents further ones, and writes pending edits.
  func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    queue.sync {
      if case .unwritable(let reason) = source.persistAndPrepare() {
        setUnwritten(ExactString(reason))
      }
    }
    broadcaster.close()
  }

  /// Adds a change; returns `true` if it is the first one since the last build began.
  private func addPending(_ change: ContentChange) -> Bool {
    pendingChange.withLock { pending in
      var all = pending ?? change
      all.formUnion(change)
      defer { pending = all }
      return pending == nil
    }
  }

  private func buildPending() {
    // This build may miss later changes, so each of them requests another one.
    guard !isStopped.load(ordering: .sequentiallyConsistent),
      let change = pendingChange.withLock({ $0.take() })
    else {
      return
    }
    guard let state = attempt(change) else { return }
    for observer in observers.withLock({ $0 }) { observer(state) }
    broadcaster.send(state.event)
    log(state)
    needsPersisting.store(true, ordering: .sequentiallyConsistent)
    queue.asyncAfter(deadline: .now() + .milliseconds(300)) { self.persistIfQuiet() }
  }

  /// Attempts a build, and returns the new state; `nil` if there is nothing new to report.
  private func attempt(_ change: ContentChange) -> PreviewState? {
    attempts.withLock { $0.begun += 1 }
    // The attempt ends only after its state is stored.
    defer { attempts.withLock { $0.ended += 1 } }
    let start = ContinuousClock.now
    let attempt = source.build(change)
    let time = ContinuousClock.now - start
    if case .failed(let diagnostic) = attempt {
      retry(after: max(1, 4 * (time / .seconds(1))))
      if change == .nothingKnown, current.isFailure(diagnostic) { return nil }
    }
    guard let state = record(attempt, duration: time) else {
      // Another process is building into the folder.
      if addPending(change) {
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { self.buildPending() }
      }
      return nil
    }
    return state
  }

  /// Builds again after a failure, whose cause may be outside the watched folder.
  private func retry(after seconds: Double) {
    guard !isRetrying.exchange(true, ordering: .sequentiallyConsistent) else { return }
    queue.asyncAfter(deadline: .now() + seconds) {
      self.isRetrying.store(false, ordering: .sequentiallyConsistent)
      self.request(.nothingKnown)
    }
  }

  /// Persists the last build unless another one is pending.
  private func persistIfQuiet() {
    let isQuiet =
      pendingChange.withLock { $0 == nil } || isStopped.load(ordering: .sequentiallyConsistent)
    guard isQuiet, needsPersisting.exchange(false, ordering: .sequentiallyConsistent) else {
      return
    }
    switch source.persistAndPrepare() {
    case .done: setUnwritten(nil)
    case .busy: persistLater()
    case .unwritable(let reason):
      setUnwritten(ExactString(reason))
      persistLater()
    case .superseded:
      setUnwritten(nil)
      request(.anything)
    }
    timer.withLock { $0 }?.set(to: source.nextChange())
  }

  private func persistLater() {
    needsPersisting.store(true, ordering: .sequentiallyConsistent)
    queue.asyncAfter(deadline: .now() + .seconds(1)) { self.persistIfQuiet() }
  }

  /// Reports once that the folder cannot be written, and once that it can be again.
  private func setUnwritten(_ reason: ExactString?) {
    let state = state.withLock { state -> PreviewState? in
      guard state.unwritten != reason else { return nil }
      state.unwritten = reason
      return state
    }
    guard let state else { return }
    remark(
      reason.map { "saved edits are served, but not written: \($0)" }
        ?? "saved edits are written now")
    broadcaster.send(state.event)
  }

  /// Stores and returns the state after an attempt; `nil` if it must be repeated.
  private func record(_ attempt: BuildAttempt, duration: Duration) -> PreviewState? {
    var next = current
    switch attempt {
    case .busy: return nil
    case .failed(let diagnostic): next.set([diagnostic]) { _ in nil }
    case .finished(let facts, let diagnostics, let source):
      next.set(diagnostics, source: source)
      if next.isGood {
        let milliseconds = Int((duration / .milliseconds(1)).rounded())
        next.build = PreviewState.GoodBuild(
          at: self.source.now(), milliseconds: milliseconds, facts: facts)
      }
    }
    next.config = BuildFiles(source).config.map { Digest(of: $0) }
    next.generation += 1
    state.withLock { $0 = next }
    return next
  }
}

extension PreviewState {
  /// Returns `true` if the last attempt failed with the same diagnostic.
  fileprivate func isFailure(_ diagnostic: Diagnostic) -> Bool {
    var other = self
    other.set([diagnostic]) { _ in nil }
    return generation > 0 && other.text.hasSameBytes(as: text)
  }

  fileprivate mutating func set(
    _ found: [Diagnostic], source: @escaping @Sendable (ExactString) -> [UInt8]?
  ) {
    errors = found.count { $0.severity == .error }
    warnings = found.count - errors
    isGood = errors == 0
    text = DiagnosticPrinter(format: .human, color: false, source: source).print(found)
    diagnostics = DiagnosticsJSON(found, source: source).value
  }
}
