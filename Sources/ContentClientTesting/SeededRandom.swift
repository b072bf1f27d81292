public import ContentClient
import ContentModel

/// Random numbers that a seed repeats (SplitMix64).
///
/// ```swift
/// configuration.random = SeededRandom(seed: 7)
/// ```
///
/// A class, since each number changes its state.
public final class SeededRandom: ContentRandom {
  private let state: Locked<UInt64>

  /// Creates the numbers of a seed.
  public init(seed: UInt64) { state = Locked(seed) }

  /// Returns the next number, from 0 up to, but not including, 1.
  public func fraction() -> Double {
    let bits = state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
    return Double(bits >> 11) / Double(1 << 53)
  }
}
