import Synchronization
import SystemC
import TestServers
import Testing

@testable import TestCommands

/// The sample shop, published behind nginx and Varnish with the configurations that
/// `contentc server` prints.
///
/// A class, since its end stops the servers.
final class ServedShop: Sendable {
  let sandbox: Sandbox
  /// The address for readers: Varnish's.
  let address: String
  private let files: ScratchFolder
  private let servers = Mutex<[Program]>([])

  init() throws {
    (sandbox, files) = (try Sandbox(), try ScratchFolder(inMemory: true))
    let ports = try Socket.freePorts(2)
    let (origin, cache) = (ports[0], ports[1])
    address = "http://127.0.0.1:\(cache)"
    try writeContent()
    let nginx = try configuration(of: "nginx", on: origin)
    try start(
      "nginx", "-c", nginx, "-e", files.path("nginx/early"), "-g",
      "\(Self.user)daemon off; master_process off;")
    let upstream = "http://127.0.0.1:\(origin)"
    let varnish = try configuration(of: "varnish", on: cache, "--upstream", upstream)
    // One pool of 20 threads suffices for a test, and starts sooner than two hundred.
    try start(
      "varnishd", "-F", "-a", "127.0.0.1:\(cache)", "-T", "none", "-f", varnish, "-n",
      files.path("varnish/work"), "-s", "malloc,64m", "-p", "thread_pools=1", "-p",
      "thread_pool_min=20")
    for port in ports { try Socket.waitForListener(on: port, seconds: 20) }
    try contentc("publish")
  }

  deinit { disconnect() }

  /// Runs `contentc`, which must succeed.
  func contentc(_ arguments: String...) throws { _ = try sandbox.succeed(arguments) }

  /// Replaces a text in a file of the content.
  func edit(_ file: String, _ text: String, to new: String) throws {
    let path = "content/\(file)"
    let old = String(decoding: try #require(sandbox.read(path)), as: UTF8.self)
    try #require(old.contains(text))
    try sandbox.write(path, old.replacing(text, with: new))
  }

  /// Stops the servers, as if the connection were lost.
  func disconnect() {
    let running = servers.withLock { servers in
      defer { servers = [] }
      return servers
    }
    for server in running { server.stop() }
  }

  /// Copies the sample with four of its locales, and an app that checks config each second.
  private func writeContent() throws {
    try sandbox.copySample(to: "content", format: "binary")
    try sandbox.shell(
      """
      for locale in en-GB es es-419 es-MX pt-BR de ja zh-Hant; do
        find content -name "*.$locale.*" -delete
        find content -name "$locale.yml" -delete
      done
      sed -i -e 's/^locales: .*/locales: [en, fr, fr-CA, ar]/' -e '/^fallback:/,+1d' \
        content/content.yaml
      sed -i 's/locale: \\[en, en-GB, fr, de\\]/locale: [en, fr]/' content/entries/screen/*.yaml
      sed -i -e 's/^  app: 10m .*/  app: 1s/' -e '/^channels:/,$d' content/content.yaml
      cat >> content/content.yaml <<'E'
      channels:
        qa:
          target: site
          url: \(address)
          originTimeout: 1s
          cdn: [{varnish: {nodes: ["\(address)"]}}]
      E
      """)
  }

  /// Returns the path of a configuration that `contentc server` prints.
  private func configuration(of server: String, on port: UInt16, _ arguments: String...) throws
    -> String
  {
    files.makeFolder(server)
    let words = ["server", server, "--listen", "127.0.0.1:\(port)", "--state", files.path(server)]
    let printed = try sandbox.run(Sandbox.binary, words + arguments)
    try #require(printed.status == 0, "\(printed.errors)")
    try files.write("\(server).conf", printed.output)
    return files.path("\(server).conf")
  }

  private func start(_ words: String...) throws {
    let server = try Program("/usr/bin/env", words)
    servers.withLock { $0.append(server) }
  }

  /// nginx started by root reads files as another user.
  private static var user: String { getuid() == 0 ? "user root; " : "" }
}
