import ContentModel
package import ContentSettings
package import ContentTrust
import Platform
import SystemC

/// One of a machine's ways to sign.
package struct Signer: Sendable {
  package let settings: SignerSettings
  private let environment: @Sendable (_ variable: String) -> String?

  package init(
    _ settings: SignerSettings,
    environment: @escaping @Sendable (_ variable: String) -> String? = Environment.value
  ) {
    (self.settings, self.environment) = (settings, environment)
  }

  /// Why a signer gives no signature: a sentence without secrets.
  package struct Failure: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }
  }

  /// Returns a valid signature of a body by one of `keys`; `nil` if the signer has none of these keys.
  ///
  /// - Throws: `Failure` if the signer cannot be asked, or its signature is not valid.
  package func signature(
    of body: [UInt8], as type: SignedType, by keys: [KeyID: PublicKey]
  ) throws(Failure) -> KeySignature? {
    let message = type.encoding(of: body)
    guard let (key, bytes) = try answer(to: message, by: keys) else { return nil }
    guard key.accepts(bytes, of: message) else {
      throw Failure("its signature is not one of the key \(key.id)")
    }
    return KeySignature(key: key.id, bytes: bytes)
  }

  private func answer(
    to message: [UInt8], by keys: [KeyID: PublicKey]
  ) throws(Failure) -> (PublicKey, [UInt8])? {
    switch settings.source {
    case .file(let path): try sign(message, with: try secretKey(inFile: path), of: keys)
    case .environment(let variable):
      try sign(message, with: try secretKey(inVariable: variable), of: keys)
    case .agent(let fingerprint): try askAgent(fingerprint, for: message, of: keys)
    case .command(let words, let key): try run(words, key: key, for: message, of: keys)
    }
  }

  // MARK: Secret keys

  private func sign(
    _ message: [UInt8], with secret: SecretKey, of keys: [KeyID: PublicKey]
  ) throws(Failure) -> (PublicKey, [UInt8])? {
    guard keys[secret.publicKey.id] != nil else { return nil }
    guard let signature = secret.signature(of: message) else {
      throw Failure("libcrypto cannot sign")
    }
    return (secret.publicKey, signature)
  }

  private func secretKey(inVariable variable: String) throws(Failure) -> SecretKey {
    guard let text = environment(variable), !text.isEmpty else {
      throw Failure("the variable \(variable) is not set")
    }
    return try Self.secretKey(Array(text.utf8), in: "the variable \(variable)")
  }

  private func secretKey(inFile path: String) throws(Failure) -> SecretKey {
    try Self.secretKey(try SecretFile(path).contents(), in: "'\(path)'")
  }

  private static func secretKey(_ pem: [UInt8], in place: String) throws(Failure) -> SecretKey {
    do throws(SecretKey.Refusal) { return try SecretKey(pem: pem) } catch {
      throw Failure("\(place) \(error)")
    }
  }

  // MARK: Others who sign

  private func askAgent(
    _ fingerprint: String, for message: [UInt8], of keys: [KeyID: PublicKey]
  ) throws(Failure) -> (PublicKey, [UInt8])? {
    guard let socket = environment("SSH_AUTH_SOCK"), !socket.isEmpty else {
      throw Failure("SSH_AUTH_SOCK is not set, so there is no agent")
    }
    let agent = SSHAgent(socketPath: socket)
    do throws(SSHAgent.Failure) {
      let key = try agent.publicKey(fingerprint)
      guard keys[key.id] != nil else { return nil }
      return (key, try agent.signature(of: message, by: key))
    } catch { throw Failure(error.description) }
  }

  private func run(
    _ words: [String], key id: KeyID?, for message: [UInt8], of keys: [KeyID: PublicKey]
  ) throws(Failure) -> (PublicKey, [UInt8])? {
    guard let id = id ?? (keys.count == 1 ? keys.keys.first : nil) else {
      throw Failure("the role has \(keys.count) keys; say which by 'key' beside 'command'")
    }
    guard let key = keys[id] else { return nil }
    do throws(CommandSigner.Failure) {
      let signature = try CommandSigner(words: words).signature(
        of: message, by: id, as: settings.role)
      return (key, signature)
    } catch { throw Failure(error.description) }
  }
}
