package import ContentModel
package import ContentReleases
package import ContentSource
package import Diagnostics
package import SiteFormat
import System
import SystemC

/// The key documents of a channel, as commands show and change them.
package struct ChannelKeys {
  package let app: String
  package let channel: String
  package let folder: KeyFolder
  /// The format of the channel's configs, which carry the documents.
  private let format: PropertyListFormat

  /// Reads the documents of a channel of the content in a folder.
  ///
  /// - Throws: a failure if the channel has no `signing`, or a document cannot be used.
  package init(
    _ channel: Channel, of project: DeliverySettings, beside content: String
  ) throws(Failure) {
    guard let signing = channel.signing else {
      throw Failure(
        .usage, .unsignedChannel, "channel '\(channel.name)' is not signed",
        at: channel.location.path.text,
        notes: [
          "a channel is signed if content.yaml has, for example: signing: {keys: keys/\(channel.name)}"
        ])
    }
    (app, self.channel, format) = (project.app, channel.name, project.format)
    do throws(KeyFolder.Problem) {
      folder = try KeyFolder(
        "\(content.withoutTrailingSlashes)/\(signing.keys)", app: project.app, channel: channel.name
      )
    } catch { throw Failure(error) }
  }

  /// The newest document, signed or not.
  ///
  /// - Throws: a failure if there is none.
  package func newest() throws(Failure) -> KeyDocument {
    guard let newest = folder.documents.last else { throw missing }
    return newest
  }

  /// The failure of a channel without any key document.
  package var missing: Failure {
    Failure(
      .missingInput, .missingKeys, "the channel '\(channel)' has no key document yet",
      at: folder.path, notes: ["'contentc keys init \(channel)' makes the first one"])
  }

  /// Returns a draft of the newest document if it is not signed yet, or else of the next document.
  package func draft(validFor span: TimeSpan) throws(Failure) -> KeyDraft {
    let issued = Clock.now.wholeSeconds
    return KeyDraft(
      changing: try newest(), isSigned: folder.pending == nil, names: folder.names, issued: issued,
      expires: issued.advanced(by: span))
  }

  /// The document before the one with a version.
  private func document(before version: Int) -> KeyDocument? {
    folder.documents.first { $0.version == version - 1 }
  }

  /// Returns what a document changes.
  package func difference(to document: KeyDocument) -> KeyDifference {
    KeyDifference(
      from: self.document(before: document.version), to: document, names: folder.names)
  }

  // MARK: Signing

  /// Returns the signatures that a document has and needs.
  package func signatures(of document: KeyDocument) -> [KeyDocument.Signatures] {
    document.signatures(after: self.document(before: document.version))
  }

  /// Returns the keys as a sentence names them, each with its name.
  private func list(_ keys: [KeyID]) -> String {
    let names = folder.names
    return keys.map { id in "\(id)" + (names[id].map { " \($0.harmless)" } ?? "") }
      .joined(separator: " or ")
  }

  /// Returns a body with its valid signatures and those of this machine, and the reasons of the
  /// signers that failed.
  package func sign(
    _ body: SignedBody, version: Int, by signers: Signers
  ) throws(Failure) -> (signed: SignedBody, failures: [Signers.Missing.Failure]) {
    let own: KeyDocument
    do throws(TrustError) { own = try KeyDocument(body) } catch {
      throw Failure(.contentErrors, .keyDocument, error.reason, at: folder.file(version))
    }
    let before = document(before: version)
    let keys = [before, own].compactMap { $0?.roles.keys.keys }.reduce(into: [:]) { all, keys in
      all.merge(keys) { first, _ in first }
    }
    let found = signers.signatures(of: body.body, as: .keys, by: keys, in: .keys)
    var signed = body
    // An invalid signature, for example after a wrong merge, would block a valid one by the same
    // key.
    signed.signatures.removeAll { signature in
      !(keys[signature.key]?.accepts(signature.bytes, of: SignedType.keys.encoding(of: body.body))
        ?? false)
    }
    for signature in found.signatures
    where !signed.signatures.contains(where: { $0.key == signature.key }) {
      signed.signatures.append(signature)
    }
    return (signed, found.failures)
  }

  /// Refuses a draft that no reader could use, or for which configs have no room.
  ///
  /// If the documents take more than half of the room, returns the draft without the names of keys
  /// that earlier documents have.
  package func checked(_ draft: KeyDraft) throws -> KeyDraft {
    var draft = draft
    do {
      if try share(with: draft) > 0.5 {
        draft.namesToOmit = folder.documents.filter { $0.version < draft.version }
          .reduce(into: [:]) { names, document in names.merge(document.names) { _, new in new } }
      }
      guard try share(with: draft) <= 1 else {
        throw Failure(
          .usage, .keyDocumentRoom,
          "configs have no room for key document \(draft.version): they carry at most "
            + "\(Envelope.documentLimit) documents, of \(CarriedDocuments.byteLimit >> 10) kB together",
          at: folder.path, notes: [Self.dropAdvice(channel), "nothing was changed"])
      }
      return draft
    } catch let refusal as KeyDraft.Refusal {
      throw Failure(.usage, .keyDocument, refusal.reason, notes: ["nothing was changed"])
    }
  }

  /// Returns the share of their room in configs that the documents take together with a draft.
  private func share(with draft: KeyDraft) throws -> Double {
    let body = try draft.body()
    let next = try KeyDocument(SignedBody(body: body, signatures: []))
    let trusted = folder.trusted.filter { $0.version < next.version }
    // Each key that must sign has a signature, whose bytes are not known yet.
    let signers = [trusted.last, next].compactMap { $0?.roles.keys }.flatMap { role in
      role.keys.keys.sorted().prefix(role.threshold)
    }
    let signed = SignedBody(
      body: body,
      signatures: signers.map {
        KeySignature(key: $0, bytes: Array(repeating: 0, count: PublicKey.signatureByteCount))
      })
    return try CarriedDocuments(trusted + [KeyDocument(signed)], after: folder.base)
      .share(in: format)
  }

  /// The note that says how to make room in configs for key documents.
  package static func dropAdvice(_ channel: String) -> String {
    "'contentc keys drop \(channel) --below N' has configs carry only the documents from N on"
  }

  /// Writes a draft as a key document, and reports its changes and its missing signatures.
  ///
  /// The signers of this machine sign a new document, because their owner asked for all of its
  /// changes. They do not sign a document that an earlier command began, because other people may
  /// have changed it: `contentc keys sign` shows its changes first.
  package func write(_ draft: KeyDraft, by signers: Signers) throws -> Report {
    let draft = try checked(draft)
    var report = try write(
      SignedBody(body: try draft.body(), signatures: []), version: draft.version,
      by: folder.pending == nil ? signers : Signers(of: []), verb: "Wrote")
    report.diagnostics += Self.roomWarning(try share(with: draft), of: channel)
    return report
  }

  /// Returns a warning once the key documents take half of their room in configs.
  package static func roomWarning(_ share: Double, of channel: String) -> [Diagnostic] {
    guard share > 0.5 else { return [] }
    return [
      .warning(
        .keyDocumentRoom, at: nil,
        message:
          "the key documents of '\(channel)' take \(Int(share * 100)) % of their room in each config: there is no "
          + "next one once it is full",
        notes: [Diagnostic.Note(dropAdvice(channel))])
    ]
  }

  /// Signs a document, writes it, and reports the signatures that it lacks.
  package func write(
    _ body: SignedBody, version: Int, by signers: Signers, verb: String
  ) throws -> Report {
    let (signed, failures) = try sign(body, version: version, by: signers)
    do throws(KeyFolder.Problem) { try folder.write(signed, version: version) } catch {
      throw Failure(error)
    }
    let document: KeyDocument
    do throws(TrustError) { document = try KeyDocument(signed) } catch {
      throw Failure(.contentErrors, .keyDocument, error.reason, at: folder.file(version))
    }
    let lacking = signatures(of: document).filter { !$0.isEnough }
    var report = Report(
      text: "\(verb) \(folder.file(version))\n", json: members(of: document))
    report.json["file"] = .string(folder.file(version))
    let difference = difference(to: document)
    report.json["changes"] = .array(difference.changes.map(Value.string))
    report.text += difference.lines.map { $0 + "\n" }.joined()
    report.text += lacking.map { lacking in
      "  lacks \(lacking.threshold - lacking.count) of \(lacking.threshold) signatures by the keys of "
        + "document \(lacking.authority): \(list(lacking.others))\n"
    }.joined()
    if lacking.isEmpty {
      report.text += "  signed; it counts from the next publication\n"
    } else {
      report.text +=
        "  'contentc keys sign \(channel) --expect \(difference.digest.hex)' adds them\n"
      report.diagnostics += failures.map { failure in
        .warning(.signer, at: failure.location, message: failure.reason)
      }
    }
    return report
  }

  // MARK: Showing

  /// The text of all documents.
  package func text() -> String {
    folder.documents.map(text).joined()
  }

  private func text(of document: KeyDocument) -> String {
    let days = Int(
      (document.expires.secondsSinceReferenceDate - Clock.now.secondsSinceReferenceDate) / 86_400)
    let lines = signatures(of: document).map { signatures in
      "  signed    by \(signatures.count) of \(signatures.threshold) keys of document \(signatures.authority)"
        + (signatures.isEnough ? "" : ", lacks \(list(signatures.others))")
    }
    let names = folder.names
    let roles = KeyDocument.Role.allCases.map { role in
      let signers = document.roles[role]
      let keys = signers.keys.keys.sorted().map { id in
        "\(id)" + (names[id].map { " \($0.harmless)" } ?? "")
      }
      let name = role.rawValue.padded(to: 8)
      return "  \(name)  \(signers.threshold) of \(keys.joined(separator: ", "))"
    }
    let state = days < 0 ? "ended" : days.counted("day") + " left"
    var page = [
      "document \(document.version), \(document.issued.rfc3339) to \(document.expires.rfc3339) (\(state))"
    ]
    page += lines + roles
    if let floors = document.floors {
      page.append(
        "  recovery  document \(floors.version): release \(floors.release), purge \(floors.purge)")
    }
    page.append("  SHA-256   \(Digest(of: document.signed.body).hex)")
    return page.joined(separator: "\n") + "\n"
  }

  /// The members of a document in the result of a command.
  package func members(of document: KeyDocument) -> Members {
    let signed = signatures(of: document)
    let names = folder.names
    var members: Members = [
      "version": .integer(Int64(document.version)), "issued": .string(document.issued.rfc3339),
      "expires": .string(document.expires.rfc3339),
      "isSigned": .boolean(signed.allSatisfy(\.isEnough)),
      "sha256": .string(Digest(of: document.signed.body).hex),
      "roles": .dictionary(
        Members(
          KeyDocument.Role.allCases.map { role -> (String, Value) in
            let signers = document.roles[role]
            return (
              role.rawValue,
              [
                "threshold": .integer(Int64(signers.threshold)),
                "keys": .array(
                  signers.keys.keys.sorted().map { id in
                    var key: Members = ["id": .string("\(id)")]
                    key["name"] = names[id].map(Value.string)
                    return .dictionary(key)
                  }),
              ]
            )
          })),
    ]
    members["floors"] = document.floors.map { floors in
      [
        "version": .integer(Int64(floors.version)), "release": .integer(Int64(floors.release)),
        "purge": .integer(Int64(floors.purge)),
      ]
    }
    return members
  }
}

extension Failure {
  /// Creates the failure for a key document that cannot be used.
  package init(_ problem: KeyFolder.Problem) {
    self.init(.contentErrors, .keyDocument, problem.reason, at: problem.path)
  }
}

extension SettingsOptions {
  /// Reads the signers of a channel; `notes` name those that take long.
  ///
  /// - Throws: the report of the mistakes in the settings, as a failure.
  package func signers(
    app: String, channel: String, notes: WaitNotes
  ) throws(Failure) -> Signers {
    var signers = try signers(app: app, channel: channel)
    signers.whenSlow = notes.waits
    return signers
  }

  private func signers(app: String, channel: String) throws(Failure) -> Signers {
    guard let file = SettingsFile(named: settings, environment: Environment.value) else {
      return Signers(
        [], in: "(HOME is not set)", exists: false, app: app, channel: channel)
    }
    let read = file.read()
    if let mistake = read.diagnostics.first(where: { $0.severity == .error }) {
      let isMissing = mistake.rule == .missingFile
      throw Failure(isMissing ? .missingInput : .contentErrors, diagnostic: mistake)
    }
    return Signers(
      read.output.signers, in: file.path.harmless, exists: access(file.path, F_OK) == 0, app: app,
      channel: channel)
  }
}
