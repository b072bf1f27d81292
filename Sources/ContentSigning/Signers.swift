package import ContentSettings
package import ContentTrust
package import Diagnostics

/// The signers of a machine for one channel.
package struct Signers: Sendable {
  /// In the order of the settings file.
  private let all: [Signer]

  package init(_ settings: [SignerSettings], app: String, channel: String) {
    let secrets = settings.compactMap(\.secretVariable)
    self.init(
      settings.filter { settings in
        settings.channel == channel && settings.app.map { $0 == app } ?? true
      }.map { Signer($0, withheld: secrets) })
  }

  init(_ all: [Signer]) { self.all = all }

  /// A signature that a role still lacks.
  package struct Missing: Error, Hashable, Sendable {
    package let role: KeyDocument.Role
    package let count: Int
    package let threshold: Int
    /// Why signers gave none, each with the place of its settings.
    package let failures: [Failure]

    package struct Failure: Hashable, Sendable {
      package let location: SourceLocation
      package let reason: String
    }
  }

  /// Returns the body with valid signatures of a role, by as many signers as a document asks for.
  ///
  /// - Throws: `Missing` if they are too few.
  package func sign(
    _ body: [UInt8], as type: SignedType, for role: KeyDocument.Role, of document: KeyDocument
  ) throws(Missing) -> SignedBody {
    let needed = document.roles[role]
    var signatures: [KeySignature] = []
    var failures: [Missing.Failure] = []
    for signer in all where signer.settings.role == role {
      if signatures.count == needed.threshold { break }
      do throws(Signer.Failure) {
        let new = try signer.signature(
          of: body, as: type, by: needed.keys, besides: signatures.map(\.key))
        if let new { signatures.append(new) }
      } catch {
        failures.append(.init(location: signer.settings.location, reason: error.reason))
      }
    }
    guard signatures.count == needed.threshold else {
      throw Missing(
        role: role, count: signatures.count, threshold: needed.threshold, failures: failures)
    }
    return SignedBody(body: body, signatures: signatures)
  }
}

extension SignerSettings {
  /// The variable with a secret key; `nil` for another source.
  fileprivate var secretVariable: String? {
    if case .environment(let variable) = source { variable } else { nil }
  }
}
