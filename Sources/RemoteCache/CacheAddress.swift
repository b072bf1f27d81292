import ContentModel

/// Where a cache is.
struct CacheAddress: Sendable {
  /// The address without its user part and without a `/` at the end.
  let base: String
  /// The user part.
  let user: (name: String, password: String)?
  /// Whether it is a bucket, whose requests are signed.
  let isBucket: Bool

  /// Reads `[s3+]http[s]://[user[:password]@]host[:port][/path]`.
  init(_ text: String) throws(CacheAddressError) {
    isBucket = text.hasPrefix("s3+")
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

  /// The address of one thing in the cache.
  func address(of kind: CacheKind, _ key: Digest) -> String { "\(base)/\(kind.folder)/\(key.hex)" }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"?#\"<>\\^`{|}".utf8.contains(byte)
  }

  private static func user(_ text: Substring) throws(CacheAddressError) -> (
    name: String, password: String
  ) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first.flatMap(unescaped),
      let password = unescaped(parts.dropFirst().first ?? "")
    else {
      throw .user
    }
    return (name, password)
  }

  /// Undoes `%41`; `nil` if what follows a `%` is not two digits, or if it is a control character.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = Substring(rest.prefix(2))
      guard digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16), value >= 0x20
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
