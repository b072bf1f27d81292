/// The rule for addresses in `content.yaml`: a scheme, a host, perhaps a port and a path.
///
/// Without a user, a query, a fragment, quotes, spaces and control characters: such an address goes into requests,
/// messages and printed configurations as it is.
public enum WebURL {
  /// True if a text is such an address.
  public static func isPlain(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    let path = rest.dropFirst(authority.count)
    return !authority.isEmpty && authority.allSatisfy { isWord($0) || "-.:[]".utf8.contains($0) }
      && path.allSatisfy { isWord($0) || "/-._~%+,=:@".utf8.contains($0) }
  }

  /// True if a secret may be sent there: encrypted, or to this machine.
  public static func isConfidential(_ text: String) -> Bool {
    guard isPlain(text) else { return false }
    if text.hasPrefix("https://") { return true }
    let authority = text.dropFirst("http://".count).prefix { $0 != "/" }
    if authority.hasPrefix("[::1]") { return true }
    return ["127.0.0.1", "localhost"].contains(String(authority.prefix { $0 != ":" }))
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
