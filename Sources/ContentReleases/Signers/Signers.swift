package import Diagnostics
package import SiteFormat
import System

/// The signers of a machine for one channel.
package struct Signers: Sendable {
  /// The signers in the order of the settings file.
  private let all: [Signer]
  /// The reason, as a sentence, for which a role may have no signer.
  private let reasonForNone: @Sendable (_ role: KeyDocument.Role) -> String
  /// Receives the name of a signer that takes long, such as an agent that asks a person.
  package var whenSlow: @Sendable (_ signer: String) -> Void = { _ in }

  /// Creates the signers of a channel from the settings of a machine.
  ///
  /// `path` is the path of the settings file, which need not exist.
  package init(
    _ settings: [SignerSettings], in path: String, exists: Bool = true, app: String, channel: String
  ) {
    let secrets = settings.compactMap(\.secretVariable)
    self.init(
      settings.filter { settings in
        settings.channel == channel && settings.app.map { $0 == app } ?? true
      }.map { Signer($0, withheld: secrets) }
    ) { role in
      exists
        ? "the settings file \(path) has no signer of the role '\(role.rawValue)' for '\(channel)'"
        : "there is no settings file \(path): it names the signers of a machine"
    }
  }

  /// Creates a signer for each of the settings, whatever their app and channel.
  package init(of settings: [SignerSettings]) { self.init(settings.map { Signer($0) }) }

  init(
    _ all: [Signer],
    reasonForNone: @escaping @Sendable (_ role: KeyDocument.Role) -> String = {
      "no signer of the role '\($0.rawValue)' was named"
    }
  ) {
    (self.all, self.reasonForNone) = (all, reasonForNone)
  }

  /// A signature that a role still lacks.
  package struct Missing: Error, Hashable, Sendable {
    package let role: KeyDocument.Role
    package let count: Int
    package let threshold: Int
    /// The reasons why signers gave no signature, each with the location of the signer's settings.
    package let failures: [Failure]
    /// The reason, as a sentence, for which there is no signer of the role; `nil` if there is one.
    package var reasonForNone: String?

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
        + "'\(role.rawValue)'\(reasons.joined())\(reasonForNone.map { "; \($0)" } ?? "")"
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
        failures: found.failures, reasonForNone: reasonForNoSigner(of: role))
    }
    return SignedBody(body: body, signatures: found.signatures)
  }

  /// Returns the reason, as a sentence, for which a role has no signer; `nil` if it has one.
  package func reasonForNoSigner(of role: KeyDocument.Role) -> String? {
    all.contains { $0.settings.role == role } ? nil : reasonForNone(role)
  }

  /// Returns valid signatures of a role by different keys, and the failures of other signers.
  ///
  /// There are at most `limit` signatures. The keys in `known` have signed already.
  package func signatures(
    of body: [UInt8], as type: SignedType, by keys: [KeyID: PublicKey], in role: KeyDocument.Role,
    upTo limit: Int = .max, besides known: [KeyID] = []
  ) -> (signatures: [KeySignature], failures: [Missing.Failure]) {
    var signatures: [KeySignature] = []
    var failures: [Missing.Failure] = []
    for signer in all where signer.settings.role == role {
      if signatures.count == limit { break }
      do throws(Signer.Failure) {
        let new = try SlowStep.run(signer.settings.shown, tell: whenSlow) {
          () throws(Signer.Failure) in
          try signer.signature(
            of: body, as: type, by: keys, besides: known + signatures.map(\.key))
        }
        if let new { signatures.append(new) }
      } catch {
        failures.append(.init(location: signer.settings.location, reason: error.reason))
      }
    }
    return (signatures, failures)
  }
}

extension SignerSettings {
  /// The name of the signer in messages.
  ///
  /// The words of a program may be secret, so the name has none of them.
  fileprivate var shown: String {
    let line = location.range.map { ":\($0.start.line)" } ?? ""
    let place = "\(location.path)\(line)"
    return switch source {
    case .agent(let fingerprint): "the SSH agent (\(fingerprint)), the signer in \(place)"
    case .command: "the program of the signer in \(place)"
    case .file, .environment: "the signer in \(place)"
    }
  }

  /// The variable with a secret key; `nil` for another source.
  fileprivate var secretVariable: String? {
    if case .environment(let variable) = source { variable } else { nil }
  }
}
