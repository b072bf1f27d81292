import Dispatch
import Synchronization

/// A step of a command that waits for a server, a program or a person, and reports once if it is
/// slow.
///
/// The durations of several calls of `run` add up; calls at the same time count once. A class,
/// since the timer and the threads that wait share it.
package final class SlowStep: Sendable {
  /// The time after which a command must say what it is waiting for.
  package static let patience = Duration.milliseconds(1_500)

  /// The clock and the timer of a step; tests replace them.
  package struct Timing: Sendable {
    /// Returns the time since an arbitrary moment; setting the clock has no effect.
    var now: @Sendable () -> ContinuousClock.Instant
    /// Calls a function once, after a time.
    var call: @Sendable (_ delay: Duration, _ function: @escaping @Sendable () -> Void) -> Void

    package init(
      now: @escaping @Sendable () -> ContinuousClock.Instant,
      call:
        @escaping @Sendable (_ delay: Duration, _ function: @escaping @Sendable () -> Void) -> Void
    ) {
      (self.now, self.call) = (now, call)
    }

    /// The clock of this machine, and a timer on a thread of its own.
    package static let system = Timing(now: { .now }) { delay, function in
      // All threads of the global queues may be waiting, so the timer has a thread of its own.
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(
        deadline: .now() + .nanoseconds(Int(max(delay, .zero) / .nanoseconds(1))))
      timer.setEventHandler {
        function()
        // The handler keeps the timer alive until the timer is cancelled.
        timer.cancel()
      }
      timer.activate()
    }
  }

  private struct State {
    /// The number of calls under way.
    var calls = 0
    /// The start of the calls under way.
    var start = ContinuousClock.now
    /// The number of periods so far: a period begins with a call while no other call is under way.
    var periods = 0
    /// The total duration of all periods that have ended.
    var waited = Duration.zero
    var hasTold = false
  }

  private let name: String
  private let delay: Duration
  private let timing: Timing
  private let tell: @Sendable (_ name: String) -> Void
  private let state = Mutex(State())

  /// Creates a step with the name of the thing that it waits for.
  ///
  /// - Parameters:
  ///   - name: The argument of `tell`, such as `s3://flowers/v1`. It must not contain a secret.
  ///   - delay: The time after which the step is slow.
  ///   - timing: The clock and the timer.
  ///   - tell: Receives the name once, on another thread, if the step is slow. Never called after
  ///     the work has ended.
  package init(
    _ name: String, after delay: Duration = SlowStep.patience, timing: Timing = .system,
    tell: @escaping @Sendable (_ name: String) -> Void
  ) {
    (self.name, self.delay, self.timing, self.tell) = (name, delay, timing, tell)
  }

  /// Does work, and passes `name` to `tell` if the work is slow.
  package static func run<Value, Failure: Error>(
    _ name: String, after delay: Duration = SlowStep.patience, timing: Timing = .system,
    tell: @escaping @Sendable (_ name: String) -> Void, _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try SlowStep(name, after: delay, timing: timing, tell: tell).run(work)
  }

  /// Does work as a part of the step.
  package func run<Value, Failure: Error>(
    _ work: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    begin()
    defer { end() }
    return try work()
  }

  /// Begins a part of the step, which `end` must end.
  package func begin() {
    let period: (left: Duration, number: Int)? = state.withLock { state in
      state.calls += 1
      guard state.calls == 1, !state.hasTold else { return nil }
      state.start = timing.now()
      state.periods += 1
      return (delay - state.waited, state.periods)
    }
    guard let period else { return }
    timing.call(period.left) { [weak self] in self?.tellIfWaiting(since: period.number) }
  }

  /// Ends a part of the step that `begin` has begun.
  package func end() {
    state.withLock { state in
      state.calls -= 1
      if state.calls == 0 { state.waited += timing.now() - state.start }
    }
  }

  private func tellIfWaiting(since period: Int) {
    // The lock is held, so that nothing is reported after the end.
    state.withLock { state in
      guard state.calls > 0, state.periods == period, !state.hasTold else { return }
      state.hasTold = true
      tell(name)
    }
  }
}
