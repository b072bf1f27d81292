extension CDNPace {
  /// How many seconds requests take at least, in all: what the quotas cost, or the way there and
  /// back.
  package func seconds(requests count: Int, units: Int) -> Double {
    let answers = Double(count) * Double(answerMilliseconds) / Double(max(atOnce, 1)) / 1_000
    return [(requests, count), (self.units, units)].reduce(answers) { most, quota in
      guard let bucket = quota.0 else { return most }
      return max(most, Double(quota.1 - bucket.size) / bucket.perSecond)
    }
  }
}

extension CDNPlan {
  /// How many of the vendor's units it takes.
  package var units: Int { requests.reduce(0) { $0 + $1.units } }

  /// How many seconds it takes at least.
  package var seconds: Double { pace.seconds(requests: requests.count, units: units) }

  /// How many seconds plans take at least, one after another: those of one pace draw on the same
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

  /// How long a purge by a selector may take before a larger one is the lesser evil.
  package static let patienceSeconds = 60.0

  /// The first plan, from the smallest selector up, that is done in good time; else the quickest.
  package static func smallest(of plans: CDNPlan?...) -> CDNPlan {
    let plans = plans.compactMap { $0 }
    return plans.first { $0.seconds <= patienceSeconds }
      ?? plans.min { $0.seconds < $1.seconds } ?? CDNPlan(.urls, [], CDNPace())
  }
}
