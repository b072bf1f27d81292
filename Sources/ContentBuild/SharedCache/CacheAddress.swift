import ContentModel

/// The address of a cache.
struct CacheAddress: Sendable {
  /// The address without its user part and without a `/` at the end.
  let base: String
  /// The unescaped user part, as in `name:password`.
  let user: String?
  /// `true` for a bucket, whose requests are signed.
  let isBucket: Bool

  /// Reads `[s3+]http[s]://[user[:password]@]host[:port][/path]`.
  init(_ text: String) throws(CacheAddressError) {
    isBucket = text.hasBytePrefix("s3+")
    let plain = isBucket ? text.dropFirst(3) : text[...]
    guard let scheme = ["http://", "https://"].first(where: { plain.hasPrefix($0) }) else {
      throw .scheme
    }
    let rest = plain.dropFirst(scheme.count)
    guard rest.utf8.allSatisfy(Self.isAllowed) else { throw .characters }
    let authority = rest.prefix { $0 != "/" }
    let host: Substring
    if let at = authority.lastIndex(of: "@") {
      host = authority[authority.index(after: at)...]
      user = try Self.user(authority[..<at])
    } else {
      host = authority
      user = nil
    }
    guard let first = host.first, first != ":" else { throw .noHost }
    var path = rest[authority.endIndex...]
    while path.last == "/" { path.removeLast() }
    base = scheme + host + path
  }

  /// Returns the address of a file in the cache.
  func url(of key: CacheKey) -> String { "\(base)/\(key.path)" }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"?#\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func user(_ text: Substring) throws(CacheAddressError) -> String {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first.flatMap(unescaped),
      let password = unescaped(parts.dropFirst().first ?? "")
    else {
      throw .user
    }
    return "\(name):\(password)"
  }

  /// Undoes `%41`; `nil` for malformed escapes and for control characters.
  private static func unescaped(_ text: Substring) -> String? {
    guard let plain = URLEscape.unescaped(text), plain.utf8.allSatisfy({ $0 >= 0x20 }) else {
      return nil
    }
    return plain
  }
}

/// The reason why an address is not that of a cache.
///
/// Descriptions do not repeat the address, which may hold a password.
package enum CacheAddressError: Error, Hashable, CustomStringConvertible {
  /// Neither `http://` nor `https://`, nor one of these after `s3+`.
  case scheme
  /// There is no host.
  case noHost
  /// A query, a fragment, a space, or a character that must be escaped.
  case characters
  /// A user part with a malformed escape or a control character.
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
