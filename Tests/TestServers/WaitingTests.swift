package import Testing

/// A trait of tests that mostly wait: each runs on a thread of its own.
///
/// The testing library runs tests on as many threads as there are processors. A test that waits
/// would occupy one of them.
package struct WaitingTests: SuiteTrait, TestTrait, TestScoping {
  /// `true`: the trait of a suite is that of its tests.
  package var isRecursive: Bool { true }

  @concurrent package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await run() }
    try await withTaskExecutorPreference(OwnThread(test.name)) { try await run() }
  }
}

extension Trait where Self == WaitingTests {
  /// The tests mostly wait.
  package static var waiting: Self { Self() }
}
