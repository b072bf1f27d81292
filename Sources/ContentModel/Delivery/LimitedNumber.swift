/// The ranges of numbers in files that others wrote, which the tool, clients and the verification
/// of signatures share.
///
/// The table in docs/reference/security.md lists these and all others.
package enum LimitedNumber {
  /// The numbers of releases, purges and key documents.
  ///
  /// Readers with doubles as numbers hold them exactly, and the next one cannot overflow.
  package static let serials = 0...1 << 53
  /// The longest time after which a client asks for config again, whatever `ttl` says.
  ///
  /// With a forged or mistyped time of years, it would never learn of a correction.
  package static let longestConfigLifetime = TimeSpan.days(7)
  /// The seconds of other lifetimes, such as that of an entry without a connection.
  package static let lifetimes = 0...Int(Int32.max)
  /// The pixels of a picture's edge.
  package static let pixels = 1...Int(Int32.max)
}
