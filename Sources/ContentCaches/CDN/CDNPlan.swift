/// The requests that purge a scope, and their pace.
package struct CDNPlan: Sendable {
  package enum Selector: String, CaseIterable, Sendable {
    case urls, keys, prefix, everything
  }

  package var selector: Selector
  package var requests: [CDNRequest]
  package var pace: CDNPace

  package init(_ selector: Selector, requests: [CDNRequest], pace: CDNPace) {
    (self.selector, self.requests, self.pace) = (selector, requests, pace)
  }
}

/// The pace of a vendor: two token buckets, both full at first.
package struct CDNPace: Hashable, Sendable {
  /// A bucket of tokens.
  package struct Bucket: Hashable, Sendable {
    /// The number of tokens in a full bucket.
    package var size: Int
    /// The number of tokens that return in a second; above 0.
    package var perSecond: Double

    package init(_ size: Int, perSecond: Double) { (self.size, self.perSecond) = (size, perSecond) }
  }

  /// A token for each request; `nil` for no limit.
  package var requests: Bucket?
  /// A token for each unit.
  package var units: Bucket?
  /// The number of simultaneous requests to each machine.
  package var atOnce: Int
  /// The likely milliseconds until an answer, for estimates.
  package var answerMilliseconds: Int

  package init(
    requests: Bucket? = nil, units: Bucket? = nil, atOnce: Int = 8, answerMilliseconds: Int = 150
  ) {
    (self.requests, self.units, self.atOnce, self.answerMilliseconds) = (
      requests, units, atOnce, answerMilliseconds
    )
  }
}

extension CDNPace {
  /// Returns the least number of seconds for requests, by the quotas and the round trips.
  package func seconds(requests count: Int, units: Int) -> Double {
    let answers = Double(count) * Double(answerMilliseconds) / Double(max(atOnce, 1)) / 1_000
    return [(requests, count), (self.units, units)].reduce(answers) { most, quota in
      guard let bucket = quota.0 else { return most }
      return max(most, Double(quota.1 - bucket.size) / bucket.perSecond)
    }
  }
}

extension CDNPlan {
  /// The units of the vendor's quota that the plan uses.
  package var units: Int { requests.reduce(0) { $0 + $1.units } }

  /// The least number of seconds that the plan takes.
  package var seconds: Double { pace.seconds(requests: requests.count, units: units) }

  /// Returns the least number of seconds for plans one after another; plans of one pace share a
  /// quota.
  package static func seconds(_ plans: [CDNPlan]) -> Double {
    var paces: [CDNPace] = []
    for plan in plans where !paces.contains(plan.pace) { paces.append(plan.pace) }
    return paces.reduce(0) { sum, pace in
      let same = plans.filter { $0.pace == pace }
      let requests = same.reduce(0) { $0 + $1.requests.count }
      return sum + pace.seconds(requests: requests, units: same.reduce(0) { $0 + $1.units })
    }
  }

  /// The seconds after which a purge by a larger selector is preferred.
  package static let patienceSeconds = 60.0

  /// Returns the first plan that takes at most `patienceSeconds`, or else the quickest; `plans`
  /// begin with the smallest selector.
  package static func smallest(of plans: CDNPlan?...) -> CDNPlan {
    let plans = plans.compactMap { $0 }
    return plans.first { $0.seconds <= patienceSeconds }
      ?? plans.min { $0.seconds < $1.seconds } ?? CDNPlan(.urls, requests: [], pace: CDNPace())
  }
}
