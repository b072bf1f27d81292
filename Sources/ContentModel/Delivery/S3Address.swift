/// The address of a bucket as the user writes it:
/// `s3://bucket/prefix?endpoint=http://127.0.0.1:8333&region=eu-west-1`.
package struct S3Address: Hashable, Sendable {
  /// The place of the bucket's name in a URL: in the path or in the host.
  package enum Addressing: String, Sendable { case path, virtual }

  /// A mistake in an address, or in the address of an endpoint.
  package struct Mistake: Error, Hashable, CustomStringConvertible {
    /// The right form, as a sentence without a secret.
    package let rule: String
    /// The address, as messages show it; `nil` if the mistake may be outside of an address.
    fileprivate var address: String?

    /// A sentence with the address and the right form.
    package var description: String {
      address.map { "'\($0)' is no address of a bucket: \(rule)" } ?? rule
    }
  }

  package let bucket: String
  /// The prefix of every key: empty, or with a `/` at its end.
  package let prefix: String
  /// The scheme (`http://` or `https://`), the host, and the port and the path if there are any.
  package private(set) var endpoint: String?
  package private(set) var region: String?
  package private(set) var addressing: Addressing?
  /// `true` if files are stored uncompressed, even if they have a compressed copy.
  package private(set) var isIdentity = false

  /// Reads an address.
  package init(_ text: String) throws(Mistake) {
    guard text.hasBytePrefix("s3://") else {
      throw Self.error(in: text, rule: "it begins with 's3://'")
    }
    let parts = text.dropping("s3://").split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let place = parts[0].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    bucket = String(place[0])
    guard Self.isBucket(bucket) else {
      throw Self.error(
        in: text, rule: "a bucket's name has 3 to 63 lower-case letters, digits, '-' and '.'")
    }
    var path = place.count > 1 ? place[1] : ""
    if path.last == "/" { path.removeLast() }
    guard path.isEmpty || Self.isKey(path) else {
      throw Self.error(
        in: text, rule: "the path has letters, digits, '-', '_' and '.' between single '/'")
    }
    prefix = path.isEmpty ? "" : "\(path)/"
    if parts.count > 1 { try read(options: parts[1], of: text) }
  }

  /// The address without its options, as messages show it.
  package var shown: String {
    prefix.isEmpty ? "s3://\(bucket)" : "s3://\(bucket)/\(prefix.dropLast())"
  }

  private mutating func read(options: Substring, of text: String) throws(Mistake) {
    var seen: [String] = []
    for option in options.split(separator: "&", omittingEmptySubsequences: false) {
      let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = URLEscape.unescaped(pair[1]), !value.isEmpty else {
        throw Self.error(
          in: text,
          rule: "after '?' come options such as 'region=eu-west-1', with '&' between them")
      }
      let name = String(pair[0])
      guard !seen.contains(name) else {
        throw Self.error(in: text, rule: "'\(name)' may occur once")
      }
      seen.append(name)
      try set(name, to: value, in: text)
    }
  }

  private mutating func set(_ name: String, to value: String, in text: String) throws(Mistake) {
    switch name {
    case "endpoint":
      endpoint = try Self.endpoint(value)
    case "region":
      guard Self.isRegion(value) else {
        throw Self.error(in: text, rule: "a region is such as 'eu-west-1'")
      }
      region = value
    case "addressing":
      guard let value = Addressing(rawValue: value) else {
        throw Self.error(in: text, rule: "'addressing' is 'path' or 'virtual'")
      }
      addressing = value
    case "encoding":
      guard ["identity", "gzip"].contains(value) else {
        throw Self.error(in: text, rule: "'encoding' is 'gzip' or 'identity'")
      }
      isIdentity = value == "identity"
    default:
      throw Self.error(
        in: text,
        rule: "it has no option '\(name)': there are endpoint, region, addressing and encoding")
    }
  }

  /// Returns an endpoint without a `/` at its end.
  package static func endpoint(_ text: String) throws(Mistake) -> String {
    let plain = text.hasByteSuffix("/") ? Substring(text.utf8.dropLast()) : text[...]
    let scheme = ["http://", "https://"].first { plain.hasPrefix($0) }
    let place = plain.dropFirst(scheme?.count ?? 0)
    let authority = place.prefix { $0 != "/" }
    let path = place.dropFirst(authority.count).dropFirst()
    guard scheme != nil, WebURL.isAuthority(authority), authority == place || isKey(path) else {
      throw Mistake(
        rule:
          "an endpoint is 'http://' or 'https://', a host, and perhaps a port and a plain path: correct it in the address, "
          + "or where Amazon's tools find it (AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, endpoint_url)"
      )
    }
    return String(plain)
  }

  package static func isRegion(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
  }

  /// Returns the error for an address, which is shown only if it cannot hold a password.
  private static func error(in text: String, rule: String) -> Mistake {
    Mistake(rule: rule, address: text.utf8.contains(UInt8(ascii: "@")) ? "s3://…" : text)
  }

  private static func isBucket(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
      return false
    }
    let isLower: (UInt8) -> Bool = {
      isWord($0) && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    return isLower(first) && isLower(last)
      && bytes.allSatisfy { isLower($0) || "-.".utf8.contains($0) }
      && !text.contains("..")
  }

  /// Returns whether a path has the form of a key, as `Target` defines it.
  private static func isKey(_ text: Substring) -> Bool {
    text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
      !["", ".", ".."].contains(part)
        && part.utf8.allSatisfy { isWord($0) || "-_.".utf8.contains($0) }
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
