import Synchronization
import System
import Testing

/// What a step tells, by a clock that the tests set.
struct SlowStepTests {
  /// A clock with a timer.
  ///
  /// A class, since a step and its test share it.
  private final class ManualTime: Sendable {
    private struct State {
      var now = ContinuousClock.now
      var calls: [(moment: ContinuousClock.Instant, function: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())
    private let lines = Mutex<[String]>([])

    var timing: SlowStep.Timing {
      SlowStep.Timing(now: { self.state.withLock { $0.now } }) { delay, function in
        self.state.withLock { $0.calls.append(($0.now.advanced(by: delay), function)) }
      }
    }

    /// The names that steps have told.
    var told: [String] { lines.withLock { $0 } }

    @Sendable func tell(_ name: String) { lines.withLock { $0.append(name) } }

    /// Sets the clock forward, and calls the functions that are due.
    func advance(by seconds: Double) {
      let due = state.withLock { state in
        let now = state.now.advanced(by: .seconds(seconds))
        state.now = now
        let due = state.calls.filter { $0.moment <= now }
        state.calls.removeAll { $0.moment <= now }
        return due.map(\.function)
      }
      for function in due { function() }
    }
  }

  private struct Refusal: Error {}

  private let time = ManualTime()

  private var step: SlowStep { SlowStep("the agent", timing: time.timing, tell: time.tell) }

  @Test func tellsOnceAndOnlyIfSlow() {
    let fast = SlowStep.run("the agent", timing: time.timing, tell: time.tell) {
      time.advance(by: 1.4)
      return 1
    }
    time.advance(by: 10)
    #expect(fast == 1 && time.told == [])
    SlowStep.run("the agent", timing: time.timing, tell: time.tell) {
      time.advance(by: 1.6)
      #expect(time.told == ["the agent"])
      time.advance(by: 100)
    }
    #expect(time.told == ["the agent"])
  }

  @Test func tellsNothingAfterAnError() {
    #expect(throws: Refusal.self) {
      try SlowStep.run("the agent", timing: time.timing, tell: time.tell) { throw Refusal() }
    }
    time.advance(by: 10)
    #expect(time.told == [])
  }

  /// A server that takes 300 ms for each of many answers is as slow as one that takes long once.
  @Test func addsUpTheTimesOfCalls() {
    let step = step
    for _ in 0..<4 {
      step.run { time.advance(by: 0.3) }
      // The command works on its own.
      time.advance(by: 5)
    }
    #expect(time.told == [])
    step.run {
      time.advance(by: 0.2)
      #expect(time.told == [])
      time.advance(by: 0.2)
    }
    #expect(time.told == ["the agent"])
    step.run { time.advance(by: 10) }
    #expect(time.told == ["the agent"])
  }

  @Test func countsCallsAtTheSameTimeOnce() {
    let step = step
    step.begin()
    time.advance(by: 0.5)
    step.begin()
    time.advance(by: 0.5)
    step.end()
    step.end()
    step.run { time.advance(by: 0.4) }
    #expect(time.told == [])
    step.run { time.advance(by: 0.2) }
    #expect(time.told == ["the agent"])
  }

  @Test func tellsByTheClockOfThisMachine() {
    let told = Mutex(0)
    SlowStep.run("the agent", after: .milliseconds(1), tell: { _ in told.withLock { $0 += 1 } }) {
      while told.withLock({ $0 == 0 }) {}
    }
    #expect(told.withLock { $0 } == 1)
  }
}
