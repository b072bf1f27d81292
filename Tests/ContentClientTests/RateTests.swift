import Testing

@testable import ContentClient

/// The slowest answers that a client waits for.
@Suite struct RateTests {
  /// Returns the second at which an answer of some bytes a second ends; `nil` if it does not.
  private func end(bytesPerSecond: Int, pause: Int = 1) -> Int? {
    var watch = RateWatch(at: 0)
    for second in stride(from: pause, through: 200, by: pause)
    where watch.isTooSlow(after: bytesPerSecond * pause, at: Double(second)) {
      return second
    }
    return nil
  }

  @Test func endsAnswersThatDrip() {
    #expect(end(bytesPerSecond: 1) == 20 && end(bytesPerSecond: 999) == 20)
    #expect(end(bytesPerSecond: 1_000) == nil && end(bytesPerSecond: 500_000) == nil)
    #expect(end(bytesPerSecond: 900, pause: 7) == 21)
  }

  @Test func judgesEachSpanAlone() {
    var watch = RateWatch(at: 0)
    let answers = [(10_000_000, 1.0), (1, 20), (1, 40)].map { watch.isTooSlow(after: $0, at: $1) }
    #expect(answers == [false, false, true])
  }
}
