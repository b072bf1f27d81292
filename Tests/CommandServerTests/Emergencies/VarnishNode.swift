import SystemC
import TestServers

@testable import TestCommands

/// A Varnish with its built-in rules before a folder: it keeps every answer for two minutes, also the
/// one that a file is missing.
///
/// A class, since its end stops the servers.
final class VarnishNode: Sendable {
  let port: UInt16
  private let origin: ScriptedServer
  private let files: ScratchFolder
  private let program: Program

  /// Starts a node before a folder of a sandbox; one that refuses purges answers them with 405.
  init(before folder: String, of sandbox: Sandbox, refusesPurges: Bool = false) throws {
    files = try ScratchFolder(inMemory: true)
    let origin = try ScriptedServer { request in
      sandbox.read("\(folder)\(request.path)").map { .answer(status: 200, body: $0) }
        ?? .answer(status: 404)
    }
    self.origin = origin
    let purge = refusesPurges ? "synth(405)" : "purge"
    try files.write(
      "node.vcl",
      """
      vcl 4.1;
      backend default { .host = "127.0.0.1"; .port = "\(origin.port)"; }
      sub vcl_recv { if (req.method == "PURGE") { return (\(purge)); } }
      """)
    port = try Socket.freePorts(1)[0]
    program = try Program(
      "/usr/bin/env",
      [
        "varnishd", "-F", "-a", "127.0.0.1:\(port)", "-T", "none", "-f", files.path("node.vcl"),
        "-n", files.path("work"), "-s", "malloc,32m", "-p", "thread_pools=1", "-p",
        "thread_pool_min=20",
      ], output: files.path("output"))
    do { try Socket.waitForListener(on: port, seconds: 20) } catch {
      program.stop()
      origin.stop()
      throw error
    }
  }

  deinit {
    program.stop()
    origin.stop()
  }

  var address: String { "http://127.0.0.1:\(port)" }

  /// Returns the status of the answer to a reader.
  func status(_ path: String, encoding: String, in sandbox: Sandbox) throws -> String {
    try sandbox.run(
      "/usr/bin/curl",
      [
        "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Accept-Encoding: \(encoding)",
        "\(address)/\(path)",
      ]
    ).output
  }
}
