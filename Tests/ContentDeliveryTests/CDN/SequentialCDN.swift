import ContentModel
import ContentSource
import HTTPTransport

@testable import ContentCaches

/// An adapter whose requests are sent one after another.
///
/// On a simulated clock, a second thread would advance the time before the first has sent its
/// request.
struct SequentialCDN: CDN {
  private let cdn: any CDN

  init(_ cdn: any CDN) { self.cdn = cdn }

  var name: CacheName { cdn.name }

  func plan(_ scope: PurgeScope) -> CDNPlan {
    var plan = cdn.plan(scope)
    plan.pace.atOnce = 1
    // A simulated clock does not advance during an answer.
    plan.pace.answerMilliseconds = 0
    return plan
  }

  func gapSeconds(_ selectors: [CDNPlan.Selector]) -> Int { cdn.gapSeconds(selectors) }

  func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    cdn.authorized(request, at: seconds, unique: unique)
  }

  func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    cdn.verdict(on: answer, to: request)
  }
}
