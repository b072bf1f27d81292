/// Waits until a condition holds, and returns whether it does.
///
/// Gives up after ten seconds.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  let end = ContinuousClock.now + .seconds(10)
  var attempts = 0
  while try await !condition() {
    if ContinuousClock.now >= end { return false }
    attempts += 1
    if attempts.isMultiple(of: 100) {
      // Other tests may occupy all threads.
      try? await Task.sleep(for: .milliseconds(1))
    } else {
      await Task.yield()
    }
  }
  return true
}
