import ContentCaches
import TestServers

/// Servers in a row as `contentc server` prints them: nginx over a folder, Varnish as a shield,
/// nginx as the edge.
struct DeliveryChain: Sendable {
  let origin: DeliveryServer
  /// The cache nearest the origin.
  let shield: DeliveryServer
  /// The one that readers ask.
  let edge: DeliveryServer

  /// Starts the three; `change` has the last word on what each configuration says, such as its
  /// lifetimes.
  init(root: String, change: (inout ServerSettings) -> Void = { _ in }) throws {
    let origin = try DeliveryServer(.nginx, root: root, change: change)
    try self.init(before: origin, change: change)
  }

  /// Starts the caches before an origin that runs already.
  init(before origin: DeliveryServer, change: (inout ServerSettings) -> Void = { _ in }) throws {
    self.origin = origin
    shield = try DeliveryServer(.varnish, before: origin, change: change)
    edge = try DeliveryServer(.nginx, before: shield, change: change)
  }

  /// Servers that run already.
  init(origin: DeliveryServer, shield: DeliveryServer, edge: DeliveryServer) {
    (self.origin, self.shield, self.edge) = (origin, shield, edge)
  }

  /// What a reader gets.
  func get(_ path: String, _ headers: [String: String] = [:]) throws -> Response {
    try edge.get(path, headers)
  }

  /// The caches as `cdn` of a channel in content.yaml has them, from the origin outward.
  var caches: String {
    "[{varnish: {nodes: [\"\(shield.address)\"], keys: origin}}, {nginx: {nodes: [\"\(edge.address)\"]}}]"
  }
}
