import TestServers

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A web server whose document root is a folder; ended with this value, hence a class.
final class WebServer: Sendable {
  enum Kind: CaseIterable, Sendable {
    case nginx
    case caddy
  }

  let port: UInt16
  private let home: ScratchFolder
  private let program: Program

  /// Starts a server with the configuration that stands beside the tests, but for the port and the folder.
  init(_ kind: Kind, root: String) throws {
    (home, port) = (try ScratchFolder(), try Socket.freePorts(1)[0])
    switch kind {
    case .nginx:
      try home.write("nginx.conf", Self.nginxConfiguration(port, root))
      program = try Program(
        "/usr/sbin/nginx",
        ["-p", home.path, "-c", "nginx.conf", "-e", "errors", "-g", "daemon off; master_process off;"],
        output: home.path("output"))
    case .caddy:
      try home.write("Caddyfile", Self.caddyConfiguration(port, root))
      program = try Program(
        "/usr/bin/env",
        [
          "HOME=\(home.path)", "XDG_CONFIG_HOME=\(home.path)", "XDG_DATA_HOME=\(home.path)", "/usr/bin/caddy", "run",
          "--config", home.path("Caddyfile"), "--adapter", "caddyfile",
        ], output: home.path("output"))
    }
    do { try Socket.waitForListener(on: port, seconds: 20) } catch {
      program.stop()
      throw Problem("\(error): \((try? home.read("output")) ?? "")")
    }
  }

  deinit { program.stop() }

  func get(_ path: String, _ headers: [String: String] = [:]) throws -> Response {
    try Response(to: path, headers, on: port)
  }

  private static func nginxConfiguration(_ port: UInt16, _ root: String) throws -> String {
    let server = try configuration(
      "nginx.conf", [("listen 8080;", "listen 127.0.0.1:\(port);"), ("root /srv/content;", "root \(root);")])
    return """
      \(getuid() == 0 ? "user root;" : "")
      pid pid;
      events {}
      http { access_log off;
      \(server)
      }
      """
  }

  private static func caddyConfiguration(_ port: UInt16, _ root: String) throws -> String {
    let site = try configuration(
      "Caddyfile",
      [(":8080 {", "http://127.0.0.1:\(port) {\n\tbind 127.0.0.1"), ("root * /srv/content", "root * \(root)")])
    return "{\n\tadmin off\n\tauto_https off\n}\n\(site)"
  }

  private static func configuration(_ name: String, _ changes: [(old: String, new: String)]) throws -> String {
    let here = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    var text = String(decoding: try ScratchFolder.read("\(here)/Configurations/\(name)"), as: UTF8.self)
    for (old, new) in changes {
      let parts = text.split(separator: old, omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw Problem("\(name) does not say '\(old)' once") }
      text = parts.joined(separator: new)
    }
    return text
  }
}
