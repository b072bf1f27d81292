import ContentClientTesting
import ContentModel
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The waits between checks that fail.
@Suite struct BackoffTests {
  private let moment = ManualClock().moment

  private func waits(failures: Int, ttl: Int, fraction: Double) -> [Double] {
    var backoff = Backoff()
    return (0..<failures).map { _ in
      backoff.fail(at: moment, ttl: ttl, fraction: fraction)
      return backoff.wait(at: moment)
    }
  }

  @Test func doublesFromTwoSeconds() {
    let waits = waits(failures: 9, ttl: 600, fraction: 1)
    #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 512])
  }

  /// The longest wait is `ttl`, between one minute and a quarter of an hour.
  @Test(arguments: [(1, 60.0), (60, 60), (300, 300), (900, 900), (86_400, 900)])
  func hasALimit(ttl: Int, longest: Double) {
    #expect(waits(failures: 100, ttl: ttl, fraction: 1).last == longest)
  }

  /// Clients that failed together come back at any time of the wait.
  @Test func hasFullJitter() {
    #expect(waits(failures: 5, ttl: 600, fraction: 0) == [0, 0, 0, 0, 0])
    #expect(waits(failures: 5, ttl: 600, fraction: 0.5).last == 16)
  }

  /// These and all other errors of a server are retried, other than a refusal.
  @Test(arguments: [408, 425, 429, 500, 502, 503, 504])
  func followsErrorsOfServers(status: Int) async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    scene.transport.answer { _ in ContentResponse(status: status) }
    #expect(await client.refreshed().failure?.kind == .server(status: status))
    let wait = await client.refresher.standing.retrySeconds
    #expect(wait <= 2)
    #expect(await client.refresher.standing.refusedSeconds == 0)
  }

  @Test(arguments: [("Retry-After", 90.0), ("retry-after", 90)])
  func obeysADate(name: String, seconds: Double) async throws {
    let scene = try ClientScene()
    let client = try scene.client()
    // Sun, 06 Nov 1994 08:49:37 GMT is the example of RFC 9110.
    let date = try #require(Instant(rfc3339: "1994-11-06T08:49:37Z"))
    scene.clock.set(
      Instant(secondsSinceReferenceDate: date.secondsSinceReferenceDate - seconds))
    scene.transport.answer { _ in
      ContentResponse(status: 503, headers: [(name, "Sun, 06 Nov 1994 08:49:37 GMT")])
    }
    #expect(await client.refreshed().failure != nil)
    #expect(await client.refresher.standing.askedSeconds == seconds)
  }
}
