import ContentModel
import ContentSource
import Diagnostics
import Dispatch
import Synchronization

/// Builds whenever it is asked to, one build after the other, and remembers how the last one went.
///
/// A class, since the watch asks, a thread builds, and connections look at what came of it.
final class Rebuilder: Sendable {
  let broadcaster = EventBroadcaster()
  private let source: PreviewSource
  private let log: @Sendable (PreviewState) -> Void
  private let remark: @Sendable (String) -> Void
  private let state = Mutex(PreviewState())
  /// What changed since the last build began; `nil` where nothing did.
  private let wanted = Mutex<ContentChange?>(nil)
  /// Attempts that began, and those that ended.
  private let attempts = Mutex((begun: 0, ended: 0))
  private let isUnpersisted = Atomic(false)
  private let isRetrying = Atomic(false)
  private let isStopped = Atomic(false)
  private let queue = DispatchQueue(label: "contentc.build", qos: .userInitiated)
  private let followers = Mutex<[@Sendable (PreviewState) -> Void]>([])
  /// Set to the moment at which the content changes though no file does.
  private let timer = Mutex<WallClockTimer?>(nil)

  /// Calls `log` after each attempt, and `remark` with what else a person should know.
  init(
    _ source: PreviewSource, remark: @escaping @Sendable (String) -> Void = { _ in },
    log: @escaping @Sendable (PreviewState) -> Void
  ) {
    (self.source, self.remark, self.log) = (source, remark, log)
    state.withLock { $0.run = String(UInt64.random(in: .min ... .max), radix: 36) }
    let timer = WallClockTimer(on: queue, now: source.now) { [weak self] in
      self?.request(.files([]))
    }
    self.timer.withLock { $0 = timer }
  }

  /// How the last attempt went.
  var current: PreviewState { state.withLock { $0 } }

  /// How many attempts there were; `nil` while one is under way.
  var quietSince: Int? { attempts.withLock { $0.begun == $0.ended ? $0.begun : nil } }

  /// Calls after each attempt, before anybody is told of it.
  func follow(_ follower: @escaping @Sendable (PreviewState) -> Void) {
    followers.withLock { $0.append(follower) }
  }

  /// Asks for a build after a change; several requests while another build runs become one.
  func request(_ change: ContentChange) {
    if want(change) { queue.async { self.buildIfWanted() } }
  }

  /// Lets the build that runs come to its end; none begins any more.
  func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    queue.sync {
      if case .unwritable(let reason) = source.persist() { tell(unwritten: reason) }
    }
    broadcaster.close()
  }

  /// Notes a change, and says whether it is the first one.
  private func want(_ change: ContentChange) -> Bool {
    wanted.withLock { wanted in
      var all = wanted ?? change
      all.formUnion(change)
      defer { wanted = all }
      return wanted == nil
    }
  }

  private func buildIfWanted() {
    // What changes from here on may be missed by this build, and asks for the next one.
    guard !isStopped.load(ordering: .sequentiallyConsistent),
      let change = wanted.withLock({ $0.take() })
    else {
      return
    }
    guard let state = attempted(change) else { return }
    for follower in followers.withLock({ $0 }) { follower(state) }
    broadcaster.say(state.event)
    log(state)
    isUnpersisted.store(true, ordering: .sequentiallyConsistent)
    queue.asyncAfter(deadline: .now() + .milliseconds(300)) { self.persist() }
  }

  /// Builds, and says what is known afterwards; `nil` where nobody need be told.
  private func attempted(_ change: ContentChange) -> PreviewState? {
    attempts.withLock { $0.begun += 1 }
    // Not sooner than what came of it is known.
    defer { attempts.withLock { $0.ended += 1 } }
    let start = ContinuousClock.now
    let attempt = source.build(change)
    let time = ContinuousClock.now - start
    if case .failed(let diagnostic) = attempt {
      retry(after: max(1, 4 * (time / .seconds(1))))
      if change == .files([]), current.isFailure(diagnostic) { return nil }
    }
    guard let state = after(attempt, took: time) else {
      // Somebody else holds the folder, for as long as a build takes.
      if want(change) {
        queue.asyncAfter(deadline: .now() + .milliseconds(50)) { self.buildIfWanted() }
      }
      return nil
    }
    return state
  }

  /// What failed may be where nobody watches.
  private func retry(after seconds: Double) {
    guard !isRetrying.exchange(true, ordering: .sequentiallyConsistent) else { return }
    queue.asyncAfter(deadline: .now() + seconds) {
      self.isRetrying.store(false, ordering: .sequentiallyConsistent)
      self.request(.files([]))
    }
  }

  /// Called when it may be quiet, and at the end.
  private func persist() {
    let isQuiet = wanted.withLock { $0 == nil } || isStopped.load(ordering: .sequentiallyConsistent)
    guard isQuiet, isUnpersisted.exchange(false, ordering: .sequentiallyConsistent) else { return }
    switch source.persist() {
    case .done: tell(unwritten: nil)
    case .later: persistLater()
    case .unwritable(let reason):
      tell(unwritten: reason)
      persistLater()
    case .overtaken:
      tell(unwritten: nil)
      request(.anything)
    }
    timer.withLock { $0 }?.set(to: source.nextChange())
  }

  private func persistLater() {
    isUnpersisted.store(true, ordering: .sequentiallyConsistent)
    queue.asyncAfter(deadline: .now() + .seconds(1)) { self.persist() }
  }

  /// Says once that the folder cannot be written, and once that it can again.
  private func tell(unwritten reason: String?) {
    let state = state.withLock { state -> PreviewState? in
      guard state.unwritten != reason else { return nil }
      state.unwritten = reason
      return state
    }
    guard let state else { return }
    remark(
      reason.map { "what was saved is served, but not written: \($0)" }
        ?? "what was saved is written now")
    broadcaster.say(state.event)
  }

  /// What is known after an attempt; `nil` where it must be made again.
  private func after(_ attempt: BuildAttempt, took time: Duration) -> PreviewState? {
    var next = current
    switch attempt {
    case .busy: return nil
    case .failed(let diagnostic): next.tell([diagnostic]) { _ in nil }
    case .finished(let facts, let diagnostics, let source):
      next.tell(diagnostics, source)
      if next.isGood {
        let milliseconds = Int((time / .milliseconds(1)).rounded())
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
  /// Whether the last attempt failed in the same way.
  fileprivate func isFailure(_ diagnostic: Diagnostic) -> Bool {
    var other = self
    other.tell([diagnostic]) { _ in nil }
    return generation > 0 && other.text == text
  }

  fileprivate mutating func tell(
    _ found: [Diagnostic], _ source: @escaping @Sendable (String) -> [UInt8]?
  ) {
    errors = found.count { $0.severity == .error }
    warnings = found.count - errors
    isGood = errors == 0
    text = DiagnosticPrinter(format: .human, color: false, source: source).print(found)
    diagnostics = DiagnosticsJSON(found, source).value
  }
}

extension Rebuilder {
  /// How the last attempt went, if there was one, and every later one, as server-sent events.
  func listen() -> AsyncStream<String> {
    broadcaster.listen { [self] in
      let state = current
      // Browsers ask again that soon when the server was restarted, in milliseconds.
      return "retry: 500\n" + (state.generation > 0 ? state.event : ": no build yet\n\n")
    }
  }
}
