import ContentBuild
import SystemC
import TestServers

/// nginx with the configuration from `docs/reference/cache.md`, except for the port and the folder.
final class NginxServer: Sendable {
  let folder: ScratchFolder
  private let port: UInt16
  private let isEncrypted: Bool
  private let program: Program

  // `writers` replaces the addresses that may write. An encrypted server has its own certificate in
  // `certificate.pem` in its folder.
  init(writers: String = "127.0.0.1", isEncrypted: Bool = false) throws {
    folder = try ScratchFolder()
    self.isEncrypted = isEncrypted
    port = try Socket.freePorts(1)[0]
    try Program.run("/bin/mkdir", ["-m", "0777", folder.path("files")])
    if isEncrypted { try Self.makeCertificate(in: folder) }
    try folder.write(
      "nginx.conf",
      Self.configuration(
        files: folder.path("files"), port: port, writers: writers, isEncrypted: isEncrypted))
    program = try Program(
      "/usr/sbin/nginx",
      [
        "-p", folder.path, "-c", "nginx.conf", "-e", "errors", "-g",
        "daemon off; master_process off;",
      ],
      output: folder.path("output"))
    try Socket.waitForListener(on: port, seconds: 5)
  }

  deinit { program.stop() }

  var address: String { "\(isEncrypted ? "https" : "http")://127.0.0.1:\(port)" }

  private static func configuration(
    files: String, port: UInt16, writers: String, isEncrypted: Bool
  ) throws -> String {
    var server = try documented()
    for (old, new) in [
      ("listen 8090;", "listen 127.0.0.1:\(port)\(isEncrypted ? " ssl" : "");"),
      ("/var/cache/contentc", files), ("10.0.0.0/8", writers),
    ] {
      guard server.contains(old) else {
        throw Problem("docs/reference/cache.md lacks '\(old)'")
      }
      server = server.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
    let certificate = "ssl_certificate certificate.pem; ssl_certificate_key key.pem;"
    return """
      \(getuid() == 0 ? "user root;" : "")
      pid pid;
      events {}
      http { access_log off; \(isEncrypted ? certificate : "")
      \(server)
      }
      """
  }

  private static func documented() throws -> String {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
      separator: "/")
    let text = String(
      decoding: try ScratchFolder.read("\(root)/docs/reference/cache.md"), as: UTF8.self)
    let parts = text.split(separator: "```nginx\n", maxSplits: 1)
    guard let block = parts.last?.split(separator: "```", maxSplits: 1).first, parts.count == 2
    else {
      throw Problem("docs/reference/cache.md has no nginx configuration")
    }
    return String(block)
  }

  private static func makeCertificate(in folder: ScratchFolder) throws {
    try Program.run(
      "/usr/bin/openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-days", "2",
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout",
        folder.path("key.pem"),
        "-out", folder.path("certificate.pem"),
      ])
  }
}
