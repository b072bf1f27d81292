import Testing

/// A trait of tests of readers: each runs with a channel without keys, and then with a signed one,
/// whose keys the readers pin.
struct SignedAndUnsigned: SuiteTrait, TestTrait, TestScoping {
  /// `true` while the channel of a test is signed.
  @TaskLocal static var isSigned = false

  /// `true`: the trait of a suite is that of its tests.
  var isRecursive: Bool { true }

  @concurrent func provideScope(
    for test: Test, testCase: Test.Case?,
    performing run: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await run() }
    for isSigned in [false, true] {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append(isSigned ? "in a signed channel" : "in a channel without keys")
        return issue
      }
      try await Self.$isSigned.withValue(isSigned) {
        try await naming.provideScope(for: test, testCase: testCase, performing: run)
      }
    }
  }
}

extension Trait where Self == SignedAndUnsigned {
  /// The test runs with a channel without keys, and with a signed one.
  static var signedAndUnsigned: Self { Self() }
}
