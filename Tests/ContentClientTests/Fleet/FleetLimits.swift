import SystemC

/// The most checks at once that a fleet may have.
///
/// A share of the contract is a limit for large fleets. In a small one, the schedule's own, smaller
/// share is exceeded by chance: of 240 running clients, 3 % are 7, but 4.5 check in the mean second
/// after a `changes`, and 12 in the busiest of 500 such seconds. There the limit is the count that
/// the schedule's share exceeds with a small probability (the binomial distribution, since each
/// client draws its times alone).
struct FleetLimits {
  /// The probability that a schedule that is right exceeds any limit of a run.
  static let falseAlarms = 0.001

  /// The share of running clients that check in the busiest second after a `changes` or the end of
  /// an outage: waits of 0 to 60 s, or of 30 to 90 s, and the regular checks, each after
  /// 0.85 × `ttl` or more.
  static let secondShare = 1.0 / 60 + 1.0 / (0.85 * 600)
  /// The checks of the busiest quiet minute as a multiple of the mean one: after an outage with
  /// `Retry-After: 300`, clients check within 300 s that would otherwise do so within 555 s.
  static let minuteShare = 1.6
  /// The checks of the busiest minute of an outage with answers as a multiple of the mean quiet
  /// minute: recorded, with room, since retries begin at two seconds.
  static let outageShare = 12.5
  /// The checks of the busiest minute of maintenance as a multiple of the mean quiet one: recorded,
  /// with room, since clients check each two minutes instead of each ten.
  static let maintenanceShare = 6.0

  /// Returns the most checks of `clients`, of which the contract allows a share.
  ///
  /// `counts` is the number of counts that a run compares.
  static func most(
    of clients: Int, allowed: Double, expected: Double, counts: Int
  ) -> Int {
    max(
      Int(allowed * Double(clients)),
      quantile(of: clients, share: expected, above: falseAlarms / Double(max(1, counts))))
  }

  /// Returns the smallest number that at most so many of `clients` exceed, except with a
  /// probability: each of them counts with the probability `share`.
  static func quantile(of clients: Int, share: Double, above probability: Double) -> Int {
    var (count, logarithm) = (0, Double(clients) * log1p(-share))
    var sum = exp(logarithm)
    while count < clients, 1 - sum > probability {
      logarithm += log(Double(clients - count) / Double(count + 1) * share / (1 - share))
      count += 1
      sum += exp(logarithm)
    }
    return count
  }
}
