import ContentModel
import SiteFormat
import System
import SystemC

/// An SSH agent, which signs with keys that it does not reveal (draft-ietf-sshm-ssh-agent).
struct SSHAgent: Sendable {
  /// The path of the agent's socket.
  let socketPath: String
  /// The time for an answer: an agent may ask a person first.
  var seconds = 30.0

  /// The reason for which an agent does not sign.
  enum Failure: Error, Hashable, CustomStringConvertible {
    case unreachable(String)
    case noAnswer
    case unreadableAnswer
    case unknownKey
    case securityKey
    case otherAlgorithm(String)
    case refused

    var description: String {
      switch self {
      case .unreachable(let reason): "the agent cannot be reached: \(reason)"
      case .noAnswer: "the agent does not answer"
      case .unreadableAnswer: "the agent's answer cannot be read"
      case .unknownKey: "the agent has no key with this fingerprint; 'ssh-add -l' lists them"
      case .securityKey:
        "the key is on a security token (sk-), which signs something else than what it is given"
      case .otherAlgorithm(let name): "the key is of the type '\(name)', not ssh-ed25519"
      case .refused: "the agent refuses to sign; it may be locked"
      }
    }
  }

  private static let algorithm = Array("ssh-ed25519".utf8)
  /// The most bytes of an answer, and the most keys of an agent.
  private static let (mostBytes, mostKeys) = (1 << 20, 1_000)

  /// Returns the public key with a fingerprint of the form `SHA256:…`, as `ssh-add -l` prints it.
  func publicKey(_ fingerprint: String) throws(Failure) -> PublicKey {
    let connection = try connect()
    defer { close(connection) }
    var answer = try ask(AgentMessage(.requestIdentities), on: connection)
    guard answer.kind() == .identities, let count = answer.number(), count <= Self.mostKeys else {
      throw .unreadableAnswer
    }
    for _ in 0..<count {
      guard let blob = answer.text(), answer.text() != nil else { throw .unreadableAnswer }
      if Self.fingerprint(of: blob).hasSameBytes(as: fingerprint) { return try Self.key(in: blob) }
    }
    throw .unknownKey
  }

  /// Returns the signature of a message by a key.
  func signature(of message: [UInt8], by key: PublicKey) throws(Failure) -> [UInt8] {
    let connection = try connect()
    defer { close(connection) }
    var blob = AgentMessage([])
    blob.append(Self.algorithm)
    blob.append(key.bytes)
    var request = AgentMessage(.signRequest)
    request.append(blob.bytes)
    request.append(message)
    request.append(0 as UInt32)
    var answer = try ask(request, on: connection)
    guard let kind = answer.kind() else { throw .unreadableAnswer }
    if kind == .failure { throw .refused }
    guard kind == .signResponse, var signature = answer.text().map({ AgentMessage($0) }),
      signature.text() == Self.algorithm, let bytes = signature.text()
    else { throw .unreadableAnswer }
    return bytes
  }

  // MARK: Keys

  /// Reads a key in SSH's form.
  static func key(in blob: [UInt8]) throws(Failure) -> PublicKey {
    var reader = AgentMessage(blob)
    guard let name = reader.text() else { throw .unreadableAnswer }
    guard name == algorithm else {
      let text = String(decoding: name, as: UTF8.self)
      if text.hasBytePrefix("sk-") { throw .securityKey }
      throw .otherAlgorithm(String(text.prefix(40)))
    }
    guard let key = reader.text().flatMap({ PublicKey(bytes: $0) }) else {
      throw .unreadableAnswer
    }
    return key
  }

  /// Returns the fingerprint of a key in SSH's form: base64 without padding.
  private static func fingerprint(of blob: [UInt8]) -> String {
    "SHA256:" + String(Digest(of: blob).bytes.base64.prefix { $0 != "=" })
  }

  // MARK: The socket

  private func connect() throws(Failure) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = socketPath.utf8CString
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.count <= room else { throw .unreachable("the path of its socket is too long") }
    withUnsafeMutableBytes(of: &address.sun_path) { buffer in
      path.withUnsafeBytes { buffer.copyMemory(from: $0) }
    }
    let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard connection >= 0 else { throw .unreachable(Self.reason()) }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    // An agent that hangs accepts no connection. Without O_NONBLOCK, `connect` would wait for ever.
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        SystemC.connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let (isBusy, reason) = (errno == EAGAIN, Self.reason())
      close(connection)
      throw isBusy ? .noAnswer : .unreachable(reason)
    }
    return connection
  }

  private static func reason() -> String { String(cString: strerror(errno)) }

  /// Sends a message and returns the answer.
  private func ask(_ message: AgentMessage, on connection: CInt) throws(Failure) -> AgentMessage {
    let watch = Stopwatch()
    var request = AgentMessage([])
    request.append(message.bytes)
    var rest = request.bytes[...]
    while !rest.isEmpty {
      try wait(for: POLLOUT, on: connection, by: watch)
      let count = rest.withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .noAnswer }
      rest = rest.dropFirst(count)
    }
    var length = AgentMessage(try receive(4, on: connection, by: watch))
    guard let count = length.number(), (1...Self.mostBytes).contains(count) else {
      throw .unreadableAnswer
    }
    return AgentMessage(try receive(count, on: connection, by: watch))
  }

  private func receive(_ count: Int, on connection: CInt, by watch: Stopwatch) throws(Failure)
    -> [UInt8]
  {
    var bytes: [UInt8] = []
    while bytes.count < count {
      try wait(for: POLLIN, on: connection, by: watch)
      var received = 0
      let room = min(65_536, count - bytes.count)
      let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        received = recv(connection, buffer.baseAddress, buffer.count, 0)
        filled = max(0, received)
      }
      if received < 0, errno == EINTR || errno == EAGAIN { continue }
      guard received > 0 else { throw .noAnswer }
      bytes += part
    }
    return bytes
  }

  private func wait(for events: Int32, on connection: CInt, by watch: Stopwatch) throws(Failure) {
    while true {
      let left = seconds - watch.seconds
      guard left > 0 else { throw .noAnswer }
      var descriptor = pollfd(fd: connection, events: Int16(events), revents: 0)
      let count = poll(&descriptor, 1, Int32(left * 1_000) + 1)
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .noAnswer }
    }
  }
}
