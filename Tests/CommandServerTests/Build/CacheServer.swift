import Synchronization
import SystemC

@testable import TestCommands

/// nginx on loopback as a remote cache, with the configuration that `docs/reference/cache.md` recommends.
final class CacheServer: Sendable {
  let sandbox: Sandbox
  let address: String
  private let process: pid_t
  private let isStopped = Atomic(false)

  init() throws {
    sandbox = try Sandbox()
    let free =
      "import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); print(s.getsockname()[1])"
    let port = try sandbox.shell("python3 -c '\(free)'").output.filter(\.isNumber)
    address = "http://127.0.0.1:\(port)"
    try sandbox.write("nginx.conf", try Self.configuration(in: sandbox.root, port: port))
    try sandbox.shell("mkdir -p data/incoming && chmod -R 0777 .")
    process = try sandbox.start(
      "/usr/sbin/nginx", ["-p", sandbox.root, "-c", "nginx.conf", "-e", "errors"],
      errors: "\(sandbox.root)/complaints")
    let answer =
      "for i in $(seq 100); do curl -s -o /dev/null \(address)/ && exit 0; sleep 0.05; done; exit 1"
    guard try sandbox.shell(answer).status == 0 else {
      throw Sandbox.Problem(message: "nginx does not start")
    }
  }

  deinit { stop() }

  /// Stops the server; its address then refuses connections.
  func stop() {
    guard !isStopped.exchange(true, ordering: .sequentiallyConsistent) else { return }
    // The starting thread may have blocked SIGTERM, and the process inherits that.
    kill(process, SIGKILL)
    _ = Sandbox.wait(for: process)
  }

  private static func configuration(in folder: String, port: String) throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(
      separator: "/")
    guard let text = Sandbox.contents("\(root)/docs/reference/cache.md"),
      let block = text.split(separator: "```nginx\n", maxSplits: 1).last?.split(
        separator: "```", maxSplits: 1
      ).first
    else { throw Sandbox.Problem(message: "docs/reference/cache.md has no nginx configuration") }
    let server = [
      ("listen 8090", "listen 127.0.0.1:\(port)"), ("/var/cache/contentc", "\(folder)/data"),
      ("10.0.0.0/8", "127.0.0.1"),
    ].reduce(String(block)) { text, change in
      text.split(separator: change.0, omittingEmptySubsequences: false).joined(separator: change.1)
    }
    return """
      daemon off; master_process off; \(getuid() == 0 ? "user root;" : "") pid pid;
      events {}
      http { access_log requests;
      \(server)
      }
      """
  }
}

extension Sandbox {
  /// Returns the text of a file outside any sandbox.
  fileprivate static func contents(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
