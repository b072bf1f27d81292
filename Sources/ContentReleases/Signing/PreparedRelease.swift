package import ContentModel
package import ContentTrust
import Hashing
import PropertyLists

/// A release that was derived without signatures, so that it can be signed elsewhere.
///
/// The command that prepared it derives it again when the signatures are there, and gets the same
/// bytes from the same content: signatures count for these bytes only. So nothing in it is trusted.
package struct PreparedRelease: Sendable {
  package let app: String
  package let channel: String
  /// The command that prepared it, such as `publish`.
  package let command: String
  /// The config that was live then; no other one may be replaced.
  package let previous: Previous
  /// The number of the release.
  package let release: Int
  /// The time of the statements and of the record.
  package let issued: Instant
  /// The texts of the record that depend on the machine.
  let texts: Texts
  /// The bytes of the config of format 1.
  package let config: [UInt8]
  package var statements: Statements
  /// The key document whose keys sign the statements.
  package let keys: KeyDocument
  /// The name of its folder, for messages.
  package var folder = "the prepared folder"

  /// The config before a release.
  package struct Previous: Hashable, Sendable {
    /// The number of its release; `nil` without config, or if it was not read.
    package var release: Int?
    /// The hash of the config of format 1, or of all bytes if it was not read.
    package var config: Digest?

    package init(release: Int? = nil, config: Digest? = nil) {
      (self.release, self.config) = (release, config)
    }

    /// `true` if there was a config, and it was not read.
    var isUnread: Bool { release == nil && config != nil }
  }

  /// The texts of a record that depend on the machine and the run.
  struct Texts: Hashable, Sendable {
    var run: String
    var message: String?
    var by: String?
    var commit: String?
  }

  package typealias Statements = ReleaseStatements

  // MARK: Signatures

  /// The roles that sign, each with its statement.
  package static let roles: [(role: KeyDocument.Role, type: SignedType)] = [
    (.release, .release), (.fresh, .fresh),
  ]

  /// The statement that a role signs.
  package subscript(role: KeyDocument.Role) -> SignedBody {
    get { role == .fresh ? statements.fresh : statements.release }
    set { if role == .fresh { statements.fresh = newValue } else { statements.release = newValue } }
  }

  /// The signatures of a role.
  package struct Signatures: Hashable, Sendable {
    package let role: KeyDocument.Role
    package let count: Int
    package let threshold: Int
    /// The keys that may still sign.
    package let others: [KeyID]

    package var isEnough: Bool { count >= threshold }
  }

  /// The valid signatures of each role.
  package var signatures: [Signatures] {
    Self.roles.map { role, type in
      let signers = keys.roles[role]
      let signed = validSignatures(role, as: type).map(\.key)
      return Signatures(
        role: role, count: signed.count, threshold: signers.threshold,
        others: signers.keys.keys.filter { !signed.contains($0) }.sorted())
    }
  }

  /// Returns the valid signatures of a role, one of each key.
  package func validSignatures(_ role: KeyDocument.Role, as type: SignedType) -> [KeySignature] {
    let message = type.encoding(of: self[role].body)
    var valid: [KeySignature] = []
    for signature in self[role].signatures {
      guard let key = keys.roles[role].keys[signature.key],
        !valid.contains(where: { $0.key == signature.key }),
        key.accepts(signature.bytes, of: message)
      else { continue }
      valid.append(signature)
    }
    return valid
  }

  /// The time after which the statements say nothing; `nil` if they cannot be read.
  package var expires: Instant? { try? FreshStatement(statements.fresh.body).expires }

  // MARK: Comparing

  /// Refuses to go on after another config than the one before it.
  func require(_ live: Previous) throws(DeliveryError) {
    guard live != previous else { return }
    let again = "prepare it again by --prepare; nothing was changed"
    if previous.isUnread {
      throw DeliveryError(
        .lost,
        "'\(folder)' was prepared to replace a config of '\(channel)' that was not read, "
          + "and that config is no longer there; \(again)")
    }
    let known = previous.release.map { "release \($0)" } ?? "no release"
    let now =
      live.isUnread
      ? "a config that was not read" : live.release.map { "release \($0)" } ?? "no release"
    let isSame = live.release == previous.release && !live.isUnread
    throw DeliveryError(
      .lost,
      "'\(folder)' was prepared after \(known) of '\(channel)', and \(now)\(isSame ? " with another config" : "") "
        + "is live; \(again)")
  }

  /// Refuses a config that was derived again with other bytes than the signed ones.
  func require(_ derived: [UInt8]) throws(DeliveryError) {
    guard derived != config else { return }
    let (own, other) = (Self.members(of: derived), Self.members(of: config))
    let names = own.map(\.key).filter { $0 != "record" && own[$0] != other[$0] }
    let list = names.isEmpty ? "the record" : names.map { "'\($0)'" }.joined(separator: ", ")
    throw DeliveryError(
      .refused,
      "the content or the options changed since '\(folder)' was prepared: \(list) would differ; prepare it "
        + "again by --prepare; nothing was changed")
  }

  private static func members(of config: [UInt8]) -> Members {
    (try? PropertyList.decode(config))?.value.members ?? Members()
  }

  /// Returns the signed statements, whose texts must be those of statements that were derived again.
  func statements(matching derived: Statements) throws(DeliveryError) -> Statements {
    guard statements.release.body == derived.release.body,
      statements.fresh.body == derived.fresh.body
    else {
      throw DeliveryError(
        .refused,
        "the key documents or 'validFor' changed since '\(folder)' was prepared; prepare it again by --prepare; "
          + "nothing was changed")
    }
    return statements
  }
}
