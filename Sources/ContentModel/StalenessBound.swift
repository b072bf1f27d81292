/// How long a reader can see old content after new content is at the origin, layer by layer (RFC 9111, 4.2; RFC 5861, 3).
public struct StalenessBound: Hashable, Sendable {
  /// One layer's share.
  public struct Part: Hashable, Sendable {
    /// The layer: `origin`, a cache's name, `app`.
    public let layer: String
    /// Its share.
    public let span: TimeSpan
  }

  /// The layers that count, from the origin outward.
  public let parts: [Part]

  /// The bound for a correction: caches that count `Age` share one lifetime, each that does not adds its own.
  public init(origin: TimeSpan, caches: [CacheLayer], edge: TimeSpan, staleWhileRevalidate: TimeSpan, app: TimeSpan) {
    var parts = [Part(layer: "origin", span: origin)]
    let span = edge + staleWhileRevalidate
    if let shared = caches.first(where: \.countsAge) {
      let names = caches.filter(\.countsAge).map(\.name)
      parts.append(Part(layer: names.count == 1 ? shared.name : names.joined(separator: " and "), span: span))
    }
    parts += caches.filter { !$0.countsAge }.map { Part(layer: $0.name, span: span) }
    self.parts = (parts + [Part(layer: "app", span: app)]).filter { $0.span > .zero }
  }

  /// The sum of all layers: the bound for a correction.
  public var correction: TimeSpan { parts.reduce(.zero) { $0 + $1.span } }

  /// What is left after a purge has reached every cache, whose own time comes on top: origin and app.
  public var afterPurge: TimeSpan {
    parts.filter { $0.layer == "origin" || $0.layer == "app" }.reduce(.zero) { $0 + $1.span }
  }
}
