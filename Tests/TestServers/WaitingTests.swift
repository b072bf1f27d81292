package import Testing

/// A trait of tests that mostly wait: each runs on a thread of its own, at most four at once.
///
/// The testing library runs tests on as many threads as there are processors. A test that waits
/// would occupy one of them.
package struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  /// `true`: the trait of a suite is that of its tests.
  package var isRecursive: Bool { true }

  private static let places = Places(4)

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await run() }
    try await Self.places.occupied {
      try await withTaskExecutorPreference(OwnThread(test.name)) { try await run() }
    }
  }
}

extension Trait where Self == WaitingTests {
  /// The tests mostly wait.
  package static var waiting: Self { Self() }
}

/// Places for tasks, which queue up for them.
private actor Places {
  private var free: Int
  private var queue: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  /// Runs work while it occupies a place.
  nonisolated func occupied(_ work: () async throws -> Void) async throws {
    await enter()
    do { try await work() } catch {
      await leave()
      throw error
    }
    await leave()
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { queue.append($0) }
    }
  }

  private func leave() {
    if queue.isEmpty { free += 1 } else { queue.removeFirst().resume() }
  }
}
