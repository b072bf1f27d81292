import ContentCaches

/// A web server whose document root is a folder.
struct WebServer: Sendable {
  enum Kind: CaseIterable, Sendable {
    case nginx, caddy, apache

    var name: ServerKind {
      switch self {
      case .nginx: .nginx
      case .caddy: .caddy
      case .apache: .apache
      }
    }
  }

  let server: DeliveryServer

  /// Starts a server with the configuration that `contentc server` prints.
  init(_ kind: Kind, root: String) throws { server = try DeliveryServer(kind.name, root: root) }

  func get(_ path: String, _ headers: [String: String] = [:]) throws -> Response {
    try server.get(path, headers)
  }
}
