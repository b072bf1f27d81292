import SystemC

/// The largest numbers of checks at a time that a fleet may have.
///
/// For a large fleet, the limit is a share of its clients, which docs/reference/client.md states. For a small
/// fleet, that limit is too low, because chance alone exceeds it. For example, 3 % of 240 running
/// clients are 7. In a second after a `changes`, 4.5 clients check on average, and 12 in the
/// busiest of 480 such seconds.
///
/// For a small fleet, the limit is the count that a correct schedule exceeds only with a small
/// probability. The counts have the binomial distribution, since each client draws its times
/// independently.
struct FleetLimits {
  /// The probability that a correct schedule exceeds any limit of a run.
  static let falseAlarms = 0.001

  /// The expected share of running clients that check in one second after an event: a `changes`, or
  /// the end of an outage.
  ///
  /// After the event, clients spread their checks over 60 s: they wait 0 to 60 s or 30 to 90 s. In
  /// addition, each client makes a regular check after at least 0.85 × `ttl`.
  static let secondShare = 1.0 / 60 + 1.0 / (0.85 * 600)
  /// The expected checks of the busiest quiet minute, divided by those of the mean quiet minute.
  ///
  /// After an outage with `Retry-After: 300`, clients spread their checks over 300 s instead of
  /// 555 s.
  static let minuteShare = 1.6
  /// The checks of the busiest minute of an outage with answers, divided by those of the mean quiet
  /// minute.
  ///
  /// The minute is busy, since retries begin after two seconds. The value is a recorded one, with
  /// room added.
  static let outageShare = 12.5
  /// The checks of the busiest minute of maintenance, divided by those of the mean quiet minute.
  ///
  /// During maintenance, clients check every two minutes instead of every ten. The value is a
  /// recorded one, with room added.
  static let maintenanceShare = 6.0

  /// Returns the largest number of checks of `clients` that a run accepts.
  ///
  /// `allowed` is the share that docs/reference/client.md allows, and `expected` the share of a correct
  /// schedule. `counts` is the number of counts that a run compares.
  static func most(
    of clients: Int, allowed: Double, expected: Double, counts: Int
  ) -> Int {
    max(
      Int(allowed * Double(clients)),
      quantile(of: clients, share: expected, above: falseAlarms / Double(max(1, counts))))
  }

  /// Returns the smallest count that a binomial variable exceeds with at most a probability.
  ///
  /// Each of `clients` counts with the probability `share`.
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
