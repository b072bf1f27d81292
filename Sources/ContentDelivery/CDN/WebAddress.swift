/// The parts of an absolute URL that a purge needs.
struct WebAddress: Hashable, Sendable {
  /// With its port if it has one, and without a user.
  let host: String
  /// Path and query, at least `/`.
  let target: String

  /// `nil` if it is no absolute one.
  init?(_ url: String) {
    guard let scheme = ["https://", "http://"].first(where: url.hasPrefix) else { return nil }
    let rest = url.dropFirst(scheme.count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    let authority = rest[..<end]
    host = String(authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority)
    let target = rest[end...].prefix { $0 != "#" }
    self.target = target.hasPrefix("/") ? String(target) : "/" + target
  }
}
