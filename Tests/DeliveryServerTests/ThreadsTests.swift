import SystemC
import TestServers
import Testing

/// Tests that issues and errors on other threads reach the test.
///
/// An issue must name its test, because `Scripts/run-tests.py` repeats failed tests by name.
@Suite struct ThreadsTests {
  @Test func assignsIssuesOnOtherThreadsToTheTest() async {
    let seen = Counter()
    // An issue outside the test would not be expected here, and would fail the run.
    await withKnownIssue {
      try await Threads.run(3) { _ in
        Issue.record("recorded on another thread")
        seen.next()
      }
    }
    await withKnownIssue {
      try await Threads.runApart { Issue.record("recorded on a thread apart") }
    }
    #expect(seen.value == 3)
  }

  @Test func rethrowsAnErrorAfterAllThreads() async {
    let ended = Counter()
    await #expect(throws: CancellationError.self) {
      try await Threads.run(4) { number in
        if number == 0 { throw CancellationError() }
        usleep(50_000)
        ended.next()
      }
    }
    #expect(ended.value == 3)
  }
}
