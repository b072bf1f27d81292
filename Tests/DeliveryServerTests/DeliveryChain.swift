import ContentCaches
import TestServers

/// A row of servers with the configurations from `contentc server`: nginx over a folder, Varnish as
/// a shield, and nginx as the edge.
struct DeliveryChain: Sendable {
  let origin: DeliveryServer
  /// The cache next to the origin.
  let shield: DeliveryServer
  /// The cache that readers use.
  let edge: DeliveryServer

  /// Starts the three servers; `change` adjusts each configuration, such as its lifetimes.
  init(root: String, change: (inout ServerSettings) -> Void = { _ in }) throws {
    let origin = try DeliveryServer(.nginx, root: root, change: change)
    try self.init(before: origin, change: change)
  }

  /// Starts the caches before an origin that already runs.
  init(before origin: DeliveryServer, change: (inout ServerSettings) -> Void = { _ in }) throws {
    self.origin = origin
    shield = try DeliveryServer(.varnish, before: origin, change: change)
    edge = try DeliveryServer(.nginx, before: shield, change: change)
  }

  /// Combines servers that already run.
  init(origin: DeliveryServer, shield: DeliveryServer, edge: DeliveryServer) {
    (self.origin, self.shield, self.edge) = (origin, shield, edge)
  }

  /// Returns the edge's answer to a reader.
  func get(_ path: String, _ headers: [String: String] = [:]) throws -> Response {
    try edge.get(path, headers)
  }

  /// The caches from the origin outward, in the syntax of a channel's `cdn` in content.yaml.
  var caches: String {
    "[{varnish: {nodes: [\"\(shield.address)\"], keys: origin}}, {nginx: {nodes: [\"\(edge.address)\"]}}]"
  }
}
