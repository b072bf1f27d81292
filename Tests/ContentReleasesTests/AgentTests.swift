import ContentModel
import Diagnostics
import SiteFormat
import SystemC
import TestServers
import Testing

@testable import ContentReleases

/// Signatures by a real SSH agent, and answers of agents that no client should trust.
@Suite(.waiting) struct AgentTests {
  private let folder: ScratchFolder
  private let body = Array(#"{"format":1}"#.utf8)

  init() throws { folder = try ScratchFolder() }

  private var socketPath: String { folder.path("agent") }

  private func shell(_ command: String) throws -> String {
    let script = "cd '\(folder.path)' && \(command)"
    let status = try Program(
      "/bin/sh", ["-c", script], output: folder.path("output"),
      environment: ["SSH_AUTH_SOCK=\(socketPath)"]
    ).wait()
    let output = try folder.read("output")
    try #require(status == 0, "\(command): \(output)")
    return output
  }

  /// Runs an SSH agent while `body` runs.
  private func withAgent(_ body: () throws -> Void) throws {
    let agent = try Program("/usr/bin/ssh-agent", ["-D", "-a", socketPath])
    defer { agent.stop() }
    for _ in 0..<500 where access(socketPath, F_OK) != 0 { usleep(10_000) }
    try body()
  }

  /// Makes a key and adds it to the agent; returns its fingerprint.
  private func addKey(_ name: String, type: String = "ed25519") throws -> String {
    _ = try shell("ssh-keygen -q -t \(type) -N '' -f \(name) && ssh-add -q \(name)")
    let words = try shell("ssh-keygen -lf \(name).pub").split(separator: " ")
    return String(try #require(words.dropFirst().first))
  }

  private func signer(_ fingerprint: String, socket: String?) -> Signer {
    Signer(
      SignerSettings(
        channel: "production", role: .release, source: .agent(fingerprint: fingerprint),
        location: SourceLocation(path: "settings.yaml"))
    ) { $0 == "SSH_AUTH_SOCK" ? socket : nil }
  }

  private func failure(_ fingerprint: String, socket: String?) -> String? {
    do {
      _ = try signer(fingerprint, socket: socket).signature(of: body, as: .release, by: [:])
      return nil
    } catch { return error.reason }
  }

  @Test(.needsServers) func signsWithAnAgent() throws {
    try withAgent {
      _ = try addKey("other")
      let fingerprint = try addKey("release")
      let agent = SSHAgent(socketPath: socketPath)
      let key = try agent.publicKey(fingerprint)
      let signer = signer(fingerprint, socket: socketPath)
      let signature = try #require(
        try signer.signature(of: body, as: .release, by: [key.id: key]))
      #expect(key.accepts(signature.bytes, of: SignedType.release.encoding(of: body)))
      #expect(
        failure(fingerprint, socket: socketPath)
          == "its key \(key.id) is none of the role 'release'")
    }
  }

  @Test(.needsServers) func refusesOtherKeysOfAnAgent() throws {
    try withAgent {
      let rsa = try addKey("rsa", type: "rsa")
      #expect(
        failure(rsa, socket: socketPath) == "the key is of the type 'ssh-rsa', not ssh-ed25519")
      let unknown = "SHA256:\(String(repeating: "A", count: 43))"
      #expect(
        failure(unknown, socket: socketPath)?.contains("no key with this fingerprint") == true)
      let locked = try addKey("release")
      let key = try SSHAgent(socketPath: socketPath).publicKey(locked)
      _ = try shell("ssh-add -q -d release.pub")
      #expect(throws: SSHAgent.Failure.refused) {
        try SSHAgent(socketPath: socketPath).signature(of: [], by: key)
      }
    }
    #expect(failure("SHA256:x", socket: nil)?.contains("SSH_AUTH_SOCK is not set") == true)
    #expect(
      failure("SHA256:x", socket: folder.path("absent"))?.contains("cannot be reached") == true)
    let long = folder.path(String(repeating: "x", count: 200))
    #expect(failure("SHA256:x", socket: long)?.contains("too long") == true)
  }

  /// The answers of a listener that is no agent.
  @Test(
    arguments: [
      ([], SSHAgent.Failure.noAnswer), ([0, 0, 0, 5, 12], .noAnswer),
      ([0, 0, 0, 0], .unreadableAnswer), ([255, 255, 255, 255, 12], .unreadableAnswer),
      ([0, 0, 0, 1, 99], .unreadableAnswer), ([0, 0, 0, 1, 5], .unreadableAnswer),
      ([0, 0, 0, 5, 12, 255, 255, 255, 255], .unreadableAnswer),
      ([0, 0, 0, 5, 12, 0, 0, 0, 9], .unreadableAnswer),
      ([0, 0, 0, 9, 12, 0, 0, 0, 1, 255, 255, 255, 255], .unreadableAnswer),
      ([0, 0, 0, 5, 12, 0, 0, 0, 0], .unknownKey),
    ] as [([UInt8], SSHAgent.Failure)])
  func survivesForeignAnswers(answer: [UInt8], failure: SSHAgent.Failure) throws {
    let path = folder.path("listener")
    try folder.write("answer", answer)
    let listener = try Program(
      "/usr/bin/python3",
      [
        "-c",
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen()
        c, _ = s.accept(); c.recv(99); c.sendall(open(sys.argv[2], 'rb').read()); c.close()
        """, path, folder.path("answer"),
      ])
    defer { listener.stop() }
    for _ in 0..<500 where access(path, F_OK) != 0 { usleep(10_000) }
    #expect(throws: failure) {
      // The socket has its name a moment before it listens.
      for _ in 0..<50 {
        do { _ = try SSHAgent(socketPath: path).publicKey("SHA256:x") } catch SSHAgent.Failure
          .unreachable
        { usleep(10_000) }
      }
    }
  }

  /// A blocking `connect` never returns once the backlog of the agent is full.
  @Test(arguments: [0, 8]) func endsIfAnAgentIsSilent(connections: Int) throws {
    let path = folder.path("silent")
    let listener = try Program(
      "/usr/bin/python3",
      [
        "-c",
        "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); "
          + "s.listen(0); time.sleep(60)", path,
      ])
    defer { listener.stop() }
    for _ in 0..<500 where access(path, F_OK) != 0 { usleep(10_000) }
    usleep(100_000)
    let others = try (0..<connections).map { _ in
      try Program(
        "/usr/bin/python3",
        [
          "-c",
          "import socket, sys, time; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
            + "time.sleep(60)", path,
        ])
    }
    defer { for other in others { other.stop() } }
    if connections > 0 { sleep(1) }
    let start = ContinuousClock.now
    #expect(throws: SSHAgent.Failure.noAnswer) {
      try SSHAgent(socketPath: path, seconds: 0.3).publicKey("SHA256:x")
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func recognizesKeysOnTokens() throws {
    var blob = AgentMessage([])
    blob.append(Array("sk-ssh-ed25519@openssh.com".utf8))
    blob.append([UInt8](repeating: 1, count: 32))
    #expect(throws: SSHAgent.Failure.securityKey) { try SSHAgent.key(in: blob.bytes) }
  }
}
