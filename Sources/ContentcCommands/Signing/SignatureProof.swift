import ContentBuild
import ContentReleases
import Diagnostics
package import SiteFormat
import System

/// The signed bytes, signatures and keys of a config, for another program to check.
package struct SignatureProof {
  private struct Part {
    let name: String
    let message: [UInt8]
    let signature: [UInt8]
    let key: PublicKey
  }

  private let parts: [Part]

  /// Collects the statements that the keys of the newest document signed, and the key documents from
  /// the pinned one on.
  ///
  /// - Throws: `Failure` if the bytes are no signed config.
  package init(_ bytes: [UInt8], from pinned: KeyDocument, to newest: KeyDocument) throws(Failure) {
    let envelope: Envelope
    do throws(TrustError) { envelope = try Envelope(bytes) } catch {
      throw Failure(.contentErrors, .unverified, error.reason)
    }
    var parts: [Part] = []
    var earlier: KeyDocument?
    for signed in [pinned.signed] + envelope.documents {
      guard let document = try? KeyDocument(signed),
        document.version > earlier?.version ?? pinned.version - 1
      else { continue }
      // The keys of the earlier document and a document's own keys sign the document.
      let keys = [earlier, document].compactMap { $0?.roles.keys.keys }
      parts += Self.parts(of: signed, as: .keys, name: "keys\(document.version)", by: keys)
      earlier = document
    }
    for (type, role, statement) in [
      (SignedType.release, KeyDocument.Role.release, envelope.release),
      (.fresh, .fresh, envelope.fresh),
    ] {
      parts += Self.parts(
        of: statement, as: type, name: type.rawValue, by: [newest.roles[role].keys])
    }
    self.parts = parts
  }

  private static func parts(
    of signed: SignedBody, as type: SignedType, name: String, by keys: [[KeyID: PublicKey]]
  ) -> [Part] {
    let message = type.encoding(of: signed.body)
    return signed.signatures.compactMap { signature in
      // Readers ignore an invalid signature beside a valid one, but openssl would reject it.
      keys.lazy.compactMap { $0[signature.key] }.first { $0.accepts(signature.bytes, of: message) }
        .map { key in
          Part(
            name: "\(name)-\(signature.key)", message: message, signature: signature.bytes, key: key
          )
        }
    }
  }

  /// Writes the files.
  ///
  /// - Throws: `Failure` if a file cannot be written.
  package func write(to folder: String) throws {
    try FolderPath.make(folder)
    for part in parts {
      try AtomicFile("\(folder)/\(part.name).message").write(part.message)
      try AtomicFile("\(folder)/\(part.name).signature").write(part.signature)
      try AtomicFile("\(folder)/\(part.name).pem").write(Array(part.key.pem.utf8))
    }
  }

  /// The commands that check the files.
  package func text(in folder: String) -> String {
    parts.map { part in
      let path = "\(folder)/\(part.name)"
      return "  openssl pkeyutl -verify -pubin -inkey \(path).pem -rawin -in \(path).message "
        + "-sigfile \(path).signature\n"
    }.joined()
  }
}
