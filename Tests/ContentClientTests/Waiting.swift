/// Waits until a condition holds; returns `false` if it does not within ten seconds.
func eventually(
  isolation: isolated (any Actor)? = #isolation, _ condition: () -> Bool
) async -> Bool {
  let end = ContinuousClock.now + .seconds(10)
  while ContinuousClock.now < end {
    for _ in 0..<100 {
      if condition() { return true }
      await Task.yield()
    }
    // Other tests may have all threads.
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
