import HTTPTransport
import Synchronization
import Testing

@testable import ContentPurging
@testable import TestDelivery

/// The removed files that a site still answers.
@Suite struct PublicSiteTests {
  private static let key = "objects/ab/ab12.plist"
  private let clock = SimulatedClock()

  private func remaining(
    _ answer: @escaping @Sendable (_ path: String) -> Int
  ) -> (remaining: [String], gone: Int) {
    let url = "https://content.example.com/v1"
    let send: PublicSite.Send = { request throws(HTTPFailure) in
      HTTPAnswer(status: answer(String(request.url.dropFirst(url.utf8.count + 1))))
    }
    return PublicSite(url, send: send, environment: clock.environment)
      .remaining(of: [Self.key], within: 1_000)
  }

  /// The server sends a page of its own, or redirects, where it should say that a file is missing.
  ///
  /// Otherwise nobody could see why the purge never ends.
  @Test(arguments: [200, 204, 302, 400])
  func reportsASiteThatHidesThatFilesAreMissing(status: Int) throws {
    let (remaining, gone) = remaining { _ in status }
    #expect(gone == 0)
    let problem = try #require(remaining.first)
    #expect(remaining.count == 1)
    #expect(problem.contains("status \(status) for a file that never existed"), "\(problem)")
    #expect(problem.contains("let it answer with 404 for missing files"), "\(problem)")
  }

  @Test func namesARemovedFileThatIsStillThere() {
    let (remaining, gone) = remaining { $0 == Self.key ? 200 : 404 }
    #expect(remaining == ["https://content.example.com/v1/\(Self.key) is still there"])
    #expect(gone == 0)
  }

  @Test(arguments: [403, 404, 410]) func acceptsThatFilesAreGone(status: Int) {
    #expect(remaining { _ in status } == (remaining: [], gone: 3))
  }
}
