/// The rule for addresses in `content.yaml`: a scheme, a host, and optionally a port and a path.
///
/// An address has no user, query, fragment, quotation marks, spaces or control characters, so it
/// needs no escaping in requests, messages and printed configurations.
public enum WebURL {
  /// Returns `true` if a text is such an address.
  public static func isPlain(_ text: String) -> Bool {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
    let rest = text.utf8.dropFirst(scheme.utf8.count)
    let authority = rest.prefix { $0 != UInt8(ascii: "/") }
    let path = rest.dropFirst(authority.count)
    return isAuthority(Substring(authority))
      && path.allSatisfy { $0.isAlphanumeric || "/-._~%+,=:@".utf8.contains($0) }
  }

  /// Returns `true` if a text is a host with an optional port: `shop.example`, `[::1]:8080`.
  public static func isAuthority(_ text: Substring) -> Bool {
    let bytes = text.utf8
    let isNumeric = bytes.first == UInt8(ascii: "[")
    let end =
      isNumeric
      ? bytes.firstIndex(of: UInt8(ascii: "]")).map(bytes.index(after:))
      : bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
    guard let end, end > bytes.startIndex else { return false }
    let host = bytes[..<end].allSatisfy {
      $0.isAlphanumeric || (isNumeric ? "[:.]" : "-._").utf8.contains($0)
    }
    let port = bytes[end...].dropFirst()
    let isPort =
      port.count <= 5 && port.allSatisfy(\.isDigit)
      && (1...65_535).contains(Int(Substring(port)) ?? 0)
    return host && (end == bytes.endIndex || bytes[end] == UInt8(ascii: ":") && isPort)
  }

  /// Returns `true` if a credential may be sent to an address: over TLS, or to this machine.
  public static func isConfidential(_ text: String) -> Bool {
    guard isPlain(text) else { return false }
    if text.hasPrefix("https://") { return true }
    let authority = text.dropFirst("http://".count).prefix { $0 != "/" }
    if authority.hasPrefix("[::1]") { return true }
    return ["127.0.0.1", "localhost"].contains(String(authority.prefix { $0 != ":" }))
  }
}
