/// A half-open range of versions, such as `>=2.0 <3.0`.
public struct VersionRange: Hashable, Sendable {
  /// The first version in the range; `nil` without a lower bound.
  public let from: AppVersion?
  /// The first version after the range; `nil` without an upper bound.
  public let before: AppVersion?

  /// Creates a range from comparisons with `>=` or `<`, separated by spaces, all of which must
  /// hold; `nil` for other texts and empty ranges.
  ///
  /// `>` and `<=` do not exist, because there is a version between any two.
  public init?(_ text: String) {
    var from: AppVersion?
    var before: AppVersion?
    let comparisons = text.split(separator: " ")
    guard !comparisons.isEmpty else { return nil }
    for comparison in comparisons {
      if comparison.hasPrefix(">="), from == nil, let version = AppVersion(comparison.dropFirst(2))
      {
        from = version
      } else if comparison.hasPrefix("<"), before == nil,
        let version = AppVersion(comparison.dropFirst())
      {
        before = version
      } else {
        return nil
      }
    }
    if let from, let before, before <= from { return nil }
    (self.from, self.before) = (from, before)
  }

  /// Returns `true` if a version is in the range.
  public func contains(_ version: AppVersion) -> Bool {
    if let from, version < from { return false }
    if let before, version >= before { return false }
    return true
  }
}
