import ContentModel
package import SiteFormat
import System
import SystemC

/// One of a machine's ways to sign.
package struct Signer: Sendable {
  package let settings: SignerSettings
  /// The variables that a program does not get.
  private let withheld: [String]
  private let environment: @Sendable (_ variable: String) -> String?

  package init(
    _ settings: SignerSettings, withheld: [String] = [],
    environment: @escaping @Sendable (_ variable: String) -> String? = Environment.value
  ) {
    (self.settings, self.withheld, self.environment) = (settings, withheld, environment)
  }

  /// Why a signer gives no signature: a sentence without secrets.
  package struct Failure: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Returns a valid signature of a body by one of a role's keys.
  ///
  /// `known` are the keys that have signed already. Returns `nil` if the signer's key is one of
  /// these.
  ///
  /// - Throws: `Failure` if the signer cannot be asked, has none of the keys, or makes an invalid
  ///   signature.
  package func signature(
    of body: [UInt8], as type: SignedType, by keys: [KeyID: PublicKey], besides known: [KeyID] = []
  ) throws(Failure) -> KeySignature? {
    let message = type.encoding(of: body)
    guard let (key, bytes) = try answer(to: message, by: keys, besides: known) else { return nil }
    guard key.accepts(bytes, of: message) else {
      throw Failure("its signature is not one of the key \(key.id)")
    }
    return KeySignature(key: key.id, bytes: bytes)
  }

  private func answer(
    to message: [UInt8], by keys: [KeyID: PublicKey], besides known: [KeyID]
  ) throws(Failure) -> (PublicKey, [UInt8])? {
    switch settings.source {
    case .file(let path):
      let secret = try Self.secretKey(try SecretFile(path).contents(), in: "'\(path)'")
      return try ifNew(secret.publicKey.id, of: keys, besides: known) { _ throws(Failure) in
        try Self.sign(message, with: secret)
      }
    case .environment(let variable):
      let secret = try secretKey(inVariable: variable)
      return try ifNew(secret.publicKey.id, of: keys, besides: known) { _ throws(Failure) in
        try Self.sign(message, with: secret)
      }
    case .agent(let fingerprint):
      let agent = try self.agent()
      let id = try Self.inWords { () throws(SSHAgent.Failure) in
        try agent.publicKey(fingerprint).id
      }
      return try ifNew(id, of: keys, besides: known) { key throws(Failure) in
        try Self.inWords { () throws(SSHAgent.Failure) in
          try agent.signature(of: message, by: key)
        }
      }
    case .command(let words, let named):
      guard let id = named ?? (keys.count == 1 ? keys.keys.first : nil) else {
        throw Failure("the role has \(keys.count) keys; say which by 'key' beside 'command'")
      }
      return try ifNew(id, of: keys, besides: known) { _ throws(Failure) in
        let command = CommandSigner(words: words, withheld: withheld)
        return try Self.inWords { () throws(CommandSigner.Failure) in
          try command.signature(of: message, by: id, as: settings.role)
        }
      }
    }
  }

  /// Returns the signature by a key; `nil` if the key has signed already.
  private func ifNew(
    _ id: KeyID, of keys: [KeyID: PublicKey], besides known: [KeyID],
    signing sign: (PublicKey) throws(Failure) -> [UInt8]
  ) throws(Failure) -> (PublicKey, [UInt8])? {
    guard let key = keys[id] else {
      throw Failure("its key \(id) is none of the role '\(settings.role.rawValue)'")
    }
    return known.contains(id) ? nil : (key, try sign(key))
  }

  private static func inWords<Success, Problem: Error & CustomStringConvertible>(
    _ body: () throws(Problem) -> Success
  ) throws(Failure) -> Success {
    do throws(Problem) { return try body() } catch { throw Failure(error.description) }
  }

  // MARK: Secret keys

  private static func sign(_ message: [UInt8], with secret: SecretKey) throws(Failure) -> [UInt8] {
    guard let signature = secret.signature(of: message) else {
      throw Failure("libcrypto cannot sign")
    }
    return signature
  }

  private func secretKey(inVariable variable: String) throws(Failure) -> SecretKey {
    guard let text = environment(variable), !text.isEmpty else {
      throw Failure("the variable \(variable) is not set")
    }
    return try Self.secretKey(Array(text.utf8), in: "the variable \(variable)")
  }

  private static func secretKey(_ pem: [UInt8], in place: String) throws(Failure) -> SecretKey {
    do throws(SecretKey.Refusal) { return try SecretKey(pem: pem) } catch {
      throw Failure("\(place) \(error)")
    }
  }

  private func agent() throws(Failure) -> SSHAgent {
    guard let socket = environment("SSH_AUTH_SOCK"), !socket.isEmpty else {
      throw Failure("SSH_AUTH_SOCK is not set, so there is no agent")
    }
    return SSHAgent(socketPath: socket)
  }
}
