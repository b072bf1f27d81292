package import ContentModel
package import ContentReleases
package import Diagnostics
package import SiteFormat

/// The signers of a machine that answer, by role.
package struct SignersAtHand {
  private let document: KeyDocument
  private let roles: [Role]

  private struct Role {
    let role: KeyDocument.Role
    let threshold: Int
    /// The keys of the signers that answered with a valid signature.
    let keys: [KeyID]
    let failures: [Signers.Missing.Failure]
    /// The reason for which there is no signer, as a sentence; `nil` if there is one.
    let reasonForNone: String?

    var isMet: Bool { keys.count >= threshold }

    /// The reasons why signers gave no signature, or why there is no signer.
    var problems: [String] {
      [reasonForNone].compactMap(\.self)
        + failures.map { "\(SignersAtHand.place($0)): \($0.reason.harmless)" }
    }
  }

  /// A text that is no statement and no key document: no reader accepts it.
  private static let probe = Array("{}".utf8)

  /// Asks each signer for a signature of a text that no reader accepts.
  package init(_ signers: Signers, of document: KeyDocument) {
    self.document = document
    roles = KeyDocument.Role.allCases.compactMap { role in
      guard let type = SignedType(rawValue: role.rawValue) else { return nil }
      let needed = document.roles[role]
      let found = signers.signatures(of: Self.probe, as: type, by: needed.keys, in: role)
      return Role(
        role: role, threshold: needed.threshold, keys: found.signatures.map(\.key),
        failures: found.failures, reasonForNone: signers.reasonForNoSigner(of: role))
    }
  }

  /// The lines of a page, such as `  signers  release 1 of 1: 3fa9c61d20b7e458 ci`.
  package var lines: [String] {
    roles.flatMap { role in
      let keys = role.keys.map { id in
        "\(id)" + (document.names[id].map { " \($0.harmless)" } ?? "")
      }
      let list = keys.isEmpty ? "" : ": \(keys.joined(separator: ", "))"
      let first =
        "  signers  \(role.role.rawValue) \(role.keys.count) of \(role.threshold) here\(list)"
      return [first] + role.problems.map { "    \($0)" }
    }
  }

  /// The value in JSON, by role.
  package var value: Value {
    .dictionary(
      Members(
        roles.map { role -> (String, Value) in
          (
            role.role.rawValue,
            [
              "threshold": .integer(Int64(role.threshold)), "isMet": .boolean(role.isMet),
              "keys": .array(role.keys.map { .string("\($0)") }),
              "problems": .array(role.problems.map(Value.string)),
            ]
          )
        }))
  }

  /// Warnings about roles that a release needs, and that this machine cannot sign for alone.
  package var warnings: [Diagnostic] {
    roles.filter { $0.role != .keys && !$0.isMet }.map { role in
      .warning(
        .signer, at: nil,
        message:
          "the signers of this machine give \(role.keys.count) of \(role.threshold) signatures for the role "
          + "'\(role.role.rawValue)'" + (role.reasonForNone.map { ": \($0)" } ?? ""),
        notes: [Diagnostic.Note("--draft FOLDER writes what others must sign")])
    }
  }

  private static func place(_ failure: Signers.Missing.Failure) -> String {
    let line = failure.location.range.map { ":\($0.start.line)" } ?? ""
    return "\(failure.location.path.text.harmless)\(line)"
  }
}
