/// A message to or from an SSH agent, without its length (draft-ietf-sshm-ssh-agent).
struct AgentMessage {
  private(set) var bytes: [UInt8]
  private var place = 0

  /// The numbers of messages.
  enum Kind: UInt8 {
    case failure = 5
    case requestIdentities = 11
    case identities = 12
    case signRequest = 13
    case signResponse = 14
  }

  /// Begins a message.
  init(_ kind: Kind) { bytes = [kind.rawValue] }

  /// Reads a message, or a part of one.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Writing

  mutating func append(_ number: UInt32) {
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  mutating func append(_ text: [UInt8]) {
    append(UInt32(text.count))
    bytes += text
  }

  // MARK: Reading

  /// The kind, which is the first byte; `nil` for an unknown one.
  mutating func kind() -> Kind? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return Kind(rawValue: bytes[place])
  }

  /// Returns the next number; `nil` at the end.
  mutating func number() -> Int? {
    guard bytes.count - place >= 4 else { return nil }
    defer { place += 4 }
    return bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the next text; `nil` if the message ends within it.
  mutating func text() -> [UInt8]? {
    guard let count = number(), bytes.count - place >= count else { return nil }
    defer { place += count }
    return Array(bytes[place..<(place + count)])
  }
}
