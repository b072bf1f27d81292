/// A source of random numbers, which spread the requests of many clients.
///
/// An app uses ``SystemRandom``; `SeededRandom` of `ContentClientTesting` repeats its numbers.
///
/// ```swift
/// configuration.random = SeededRandom(seed: 1)
/// ```
public protocol ContentRandom: Sendable {
  /// Returns a number from 0 up to, but not including, 1.
  func fraction() -> Double
}

/// The random numbers of the system.
///
/// ```swift
/// let wait = 60 * SystemRandom().fraction()
/// ```
public struct SystemRandom: ContentRandom {
  /// Creates the source.
  public init() {}

  /// Returns a number from 0 up to, but not including, 1.
  public func fraction() -> Double { Double.random(in: 0..<1) }
}
