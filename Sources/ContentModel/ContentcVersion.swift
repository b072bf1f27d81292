/// This compiler's version.
public enum ContentcVersion {
  /// As in `0.1.0` (semver.org).
  public static let current = "0.1.0"
}
