/// Why no cache can be at an address.
///
/// Descriptions do not repeat the address, which may hold a password.
package enum CacheAddressError: Error, Hashable, CustomStringConvertible {
  /// Neither `http://` nor `https://`, nor one of these after `s3+`.
  case scheme
  /// There is no host.
  case noHost
  /// A query, a fragment, a space, or a character that must be escaped.
  case characters
  /// A user part that is no escaped text.
  case user
  /// The environment variable's value cannot be sent in a header.
  case unprintable(variable: String)

  /// One sentence, without a full stop.
  package var description: String {
    switch self {
    case .scheme:
      "the address of a cache begins with 'http://', 'https://', 's3+http://' or 's3+https://'"
    case .noHost: "the address of a cache names a host"
    case .characters:
      "the address of a cache has no query, no fragment, and no character that must be escaped"
    case .user:
      "the user part of a cache's address is 'user:password', each escaped with '%' as in a URL"
    case .unprintable(let variable): "the value of \(variable) is printable ASCII"
    }
  }
}
