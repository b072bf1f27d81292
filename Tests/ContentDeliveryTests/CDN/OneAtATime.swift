import HTTPTransport
@testable import ContentCaches

/// An adapter whose requests are sent one after another.
///
/// On a simulated clock, one thread would else push the time on before another has sent what was
/// due.
struct OneAtATime: CDN {
  private let cdn: any CDN

  init(_ cdn: any CDN) { self.cdn = cdn }

  var name: String { cdn.name }

  func plan(_ scope: PurgeScope) -> CDNPlan {
    var plan = cdn.plan(scope)
    plan.pace.atOnce = 1
    // The time that answers take does not pass on a simulated clock.
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
