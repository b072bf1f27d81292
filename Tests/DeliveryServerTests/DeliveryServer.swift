import ContentCaches
import Synchronization
import SystemC
import TestServers

/// A server on loopback that runs from the files that `contentc server` prints.
///
/// A class because its end stops the server.
final class DeliveryServer: Sendable {
  let kind: ServerKind
  let port: UInt16
  let settings: ServerSettings
  private let home: ScratchFolder
  private let program: Program
  private let hasEnded = Atomic(false)
  /// The server that this cache fetches from, kept alive as long as the cache.
  private let origin: DeliveryServer?

  /// Starts a server on a free port; `change` adjusts its configuration.
  ///
  /// An origin serves `root`. A cache fetches from another server, which it keeps alive, or from
  /// the port `upstream`. The process gets the variables in `environment`, too.
  init(
    _ kind: ServerKind, root: String? = nil, before origin: DeliveryServer? = nil,
    upstream: UInt16? = nil,
    environment: [String] = [],
    change: (inout ServerSettings) -> Void = { _ in }
  ) throws {
    let home = try ScratchFolder(inMemory: true)
    self.kind = kind
    self.home = home
    self.origin = origin
    port = try Socket.freePorts(1)[0]
    var settings = ServerSettings.sample(root: root ?? home.path("root"), home: home)
    settings.listen.port = port
    settings.upstream = (origin?.port ?? upstream).map {
      Upstream(isEncrypted: false, address: NetworkAddress(host: "127.0.0.1", port: $0))
    }
    change(&settings)
    self.settings = settings
    for (locale, title) in [
      ("en", "Down"), ("fr", "Panne"), ("fr-CA", "Panne (Canada)"), ("zh-Hant", "維護"),
    ] {
      try home.write("maintenance/\(locale).json", "{\"title\":\"\(title)\"}")
    }
    try home.write(
      "maintenance/en.http", "HTTP/1.1 503 Service Unavailable\r\nCache-Control: no-store\r\n\r\n")
    let files = kind.configuration(settings)
    home.makeFolder("state/etc")
    let folder = kind == .trafficServer ? "state/etc/" : ""
    for file in files { try home.write(folder + file.name, file.text) }
    let words = try kind.start(home.path(files.first?.name ?? ""), in: home, settings)
    let variables =
      ["HOME=\(home.path)", "XDG_CONFIG_HOME=\(home.path)", "XDG_DATA_HOME=\(home.path)"]
      + environment
    program = try Program("/usr/bin/env", variables + words, output: home.path("output"))
    do { try Socket.waitForListener(on: port, seconds: 20) } catch {
      program.stop()
      throw Problem("\(kind): \(error): \((try? home.read("output")) ?? "")")
    }
  }

  deinit { stop() }

  /// Stops the server at once; it refuses later connections.
  func stop() {
    // The system may reuse the process id after the first stop.
    if !hasEnded.exchange(true, ordering: .relaxed) { program.stop() }
  }

  var address: String { "http://127.0.0.1:\(port)" }

  func get(_ path: String, _ headers: [String: String] = [:]) throws -> Response {
    try Response(to: path, headers, on: port)
  }

  /// Sends a request from the address `from`; 127.0.0.2 is not a trusted one.
  func send(
    _ method: String, _ path: String, _ headers: [String: String] = [:], from: String? = nil
  ) throws -> Response {
    try Response(method, path, headers, on: port, from: from)
  }

  /// Purges one variant of a path with the request for this kind of cache.
  func purge(_ path: String, encoding: String? = nil, from: String? = nil) throws -> Int {
    let headers = encoding.map { ["Accept-Encoding": $0] } ?? [:]
    return kind == .nginx
      ? try send("GET", "/_purge\(path)", headers, from: from).status
      : try send("PURGE", path, headers, from: from).status
  }

  /// Switches maintenance through a file or, for HAProxy, through its socket.
  func setMaintenance(_ isOn: Bool) throws {
    if kind.maintenance == .socket {
      let script = """
        import socket, sys
        door = socket.socket(socket.AF_UNIX)
        door.connect(sys.argv[1])
        door.sendall(sys.argv[2].encode())
        door.recv(1000)
        """
      let command = "set map maintenance.map maintenance \(isOn ? "on" : "off")\n"
      try Program.run(
        "/usr/bin/env", ["python3", "-c", script, home.path("state/haproxy.sock"), command])
    } else if isOn {
      try home.write("state/maintenance.on", "")
    } else {
      unlink(home.path("state/maintenance.on"))
    }
  }

  /// Returns the path of a file in the server's folder.
  func path(_ name: String) -> String { home.path(name) }

  /// The output and the error log, for the message of a failed test.
  var output: String {
    ((try? home.read("output")) ?? "") + ((try? home.read("state/error.log")) ?? "")
  }
}

extension ServerSettings {
  /// The settings of a shop with folders in `home`.
  static func sample(root: String, home: ScratchFolder) -> ServerSettings {
    for folder in ["root", "state", "maintenance"] {
      home.makeFolder(folder)
      chmod(home.path(folder), 0o777)
    }
    return ServerSettings(
      app: "shop", channel: "qa", root: root, state: home.path("state"),
      maintenance: home.path("maintenance"),
      lifetimes: Lifetimes(
        app: 60, edge: 300, staleWhileRevalidate: 30, staleIfError: 86_400, originTimeout: 5),
      languages: MaintenanceLanguages(
        source: "en", declared: ["en", "fr", "fr-CA", "zh-Hant"],
        matches: [("zh-TW", "zh-Hant"), ("no", "en")]))
  }
}

extension ServerKind {
  /// The programs that are caches.
  static let caches = all.filter { $0.role != .hosted && $0.cache != nil }

  /// The programs that are caches and read `CDN-Cache-Control`.
  static let cachesOfLifetimes = caches.filter { $0.cache?.cache.needsSurrogateControl == false }

  /// Returns the command line that runs the server as one process in the foreground.
  fileprivate func start(
    _ file: String, in home: ScratchFolder, _ settings: ServerSettings
  ) throws -> [String] {
    switch self {
    case .nginx:
      let user = getuid() == 0 ? "user root; " : ""
      return [
        "nginx", "-c", file, "-e", home.path("early"), "-g",
        "\(user)daemon off; master_process off;",
      ]
    case .varnish:
      // One pool of 20 threads suffices for a test, and starts sooner than two hundred.
      return [
        "varnishd", "-F", "-a", settings.listen.description, "-T", "none", "-f", file, "-n",
        home.path("varnish"), "-s",
        "malloc,64m", "-p", "thread_pools=1", "-p", "thread_pool_min=20",
      ]
    case .caddy: return ["caddy", "run", "--adapter", "caddyfile", "--config", file]
    case .apache: return ["apache2", "-X", "-f", file]
    case .haproxy: return ["haproxy", "-db", "-f", file]
    case .squid: return ["squid", "-N", "-f", file]
    case .trafficServer: return ["traffic_server", "--run-root=\(settings.state)/etc/runroot.yaml"]
    default: throw Problem("a test cannot start \(self)")
    }
  }
}
