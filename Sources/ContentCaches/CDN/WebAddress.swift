/// The parts of an absolute URL that a purge needs.
struct WebAddress: Hashable, Sendable {
  /// With its port if it has one, and without a user.
  let host: String
  /// Path and query, at least `/`.
  let target: String

  /// `nil` if it is no absolute one.
  init?(_ url: String) {
    guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
    // By bytes, as a purge can have tens of thousands.
    let rest = url.utf8.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { Self.ends.contains($0) } ?? rest.endIndex
    let start =
      rest[..<end].lastIndex(of: UInt8(ascii: "@")).map(rest.index(after:)) ?? rest.startIndex
    let target = rest[end...].prefix { $0 != UInt8(ascii: "#") }
    host = String(Substring(rest[start..<end]))
    self.target = (target.first == UInt8(ascii: "/") ? "" : "/") + String(Substring(target))
  }

  /// The bytes that end an authority.
  private static let ends = Array("/?#".utf8)
}
