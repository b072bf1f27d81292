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

  /// Creates the signers of some settings, of any app and channel.
  package init(of settings: [SignerSettings]) { self.init(settings.map { Signer($0) }) }

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

    /// The sentence of a message, with the reasons of the signers.
    package var sentence: String {
      let reasons = failures.map { failure in
        let line = failure.location.range.map { ":\($0.start.line)" } ?? ""
        return "; \(failure.location.path)\(line): \(failure.reason)"
      }
      return "the signers of this machine give \(count) of \(threshold) signatures for the role "
        + "'\(role.rawValue)'\(reasons.joined())"
    }
  }

  /// Returns the body with valid signatures of a role, by as many signers as a document asks for.
  ///
  /// - Throws: `Missing` if they are too few.
  package func sign(
    _ body: [UInt8], as type: SignedType, for role: KeyDocument.Role, of document: KeyDocument
  ) throws(Missing) -> SignedBody {
    let needed = document.roles[role]
    let found = signatures(
      of: body, as: type, by: needed.keys, in: role, upTo: needed.threshold)
    guard found.signatures.count == needed.threshold else {
      throw Missing(
        role: role, count: found.signatures.count, threshold: needed.threshold,
        failures: found.failures)
    }
    return SignedBody(body: body, signatures: found.signatures)
  }

  /// Returns the valid signatures of a role by different keys, at most `limit`, and why other
  /// signers gave none; the keys in `known` signed already.
  package func signatures(
    of body: [UInt8], as type: SignedType, by keys: [KeyID: PublicKey], in role: KeyDocument.Role,
    upTo limit: Int = .max, besides known: [KeyID] = []
  ) -> (signatures: [KeySignature], failures: [Missing.Failure]) {
    var signatures: [KeySignature] = []
    var failures: [Missing.Failure] = []
    for signer in all where signer.settings.role == role {
      if signatures.count == limit { break }
      do throws(Signer.Failure) {
        let new = try signer.signature(
          of: body, as: type, by: keys, besides: known + signatures.map(\.key))
        if let new { signatures.append(new) }
      } catch {
        failures.append(.init(location: signer.settings.location, reason: error.reason))
      }
    }
    return (signatures, failures)
  }
}

extension SignerSettings {
  /// The variable with a secret key; `nil` for another source.
  fileprivate var secretVariable: String? {
    if case .environment(let variable) = source { variable } else { nil }
  }
}
