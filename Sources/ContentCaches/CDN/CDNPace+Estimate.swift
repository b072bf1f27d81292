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
