package import CommandReports
package import ContentKeys
package import ContentModel
import ContentReleases
import ContentSettings
package import ContentSigning
package import ContentSource
package import ContentTrust
import Diagnostics
package import Notifications
import Platform

/// The key documents of a channel, as commands show and change them.
package struct ChannelKeys {
  package let app: String
  package let channel: String
  package let folder: KeyFolder

  /// Reads the documents of a channel of the content in a folder.
  ///
  /// - Throws: a failure if the channel has no `signing`, or a document cannot be used.
  package init(
    _ channel: Channel, of project: DeliverySettings, beside content: String
  ) throws(Failure) {
    guard let signing = channel.signing else {
      throw Failure(
        .usage, "unsigned-channel", "channel '\(channel.name)' is not signed",
        at: channel.location.path,
        notes: [
          "a channel is signed if content.yaml has, for example: signing: {keys: keys/\(channel.name)}"
        ])
    }
    (app, self.channel) = (project.app, channel.name)
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
      .missingInput, "missing-keys", "the channel '\(channel)' has no key document yet",
      at: folder.path, notes: ["'contentc keys init \(channel)' makes the first one"])
  }

  /// The document before the newest one, whose keys must sign that, too.
  private var earlier: KeyDocument? { folder.documents.dropLast().last }

  /// Returns a draft of a change: of the newest document if it is not signed yet, else of the next.
  package func draft(validFor span: TimeSpan) throws(Failure) -> KeyDraft {
    let issued = Clock.now.wholeSeconds
    return KeyDraft(
      changing: try newest(), isSigned: folder.pending == nil, issued: issued,
      expires: issued.advanced(by: span))
  }

  // MARK: Signing

  /// The signatures of the newest document, of each authority whose keys must sign it.
  package struct Signatures {
    /// The document whose `keys` role signs.
    package let authority: Int
    package let count: Int
    package let threshold: Int

    package var isEnough: Bool { count >= threshold }
  }

  /// Returns how many valid signatures a document has, and needs.
  package func signatures(of document: KeyDocument) -> [Signatures] {
    let before = folder.documents.first { $0.version == document.version - 1 }
    return [before, document].compactMap(\.self).map { authority in
      let role = authority.roles.keys
      return Signatures(
        authority: authority.version,
        count: document.signed.count(of: role.keys, as: .keys), threshold: role.threshold)
    }
  }

  /// Returns a body with its valid signatures and those of this machine, and the reasons of the
  /// signers that failed.
  package func sign(
    _ body: SignedBody, version: Int, by signers: Signers
  ) throws(Failure) -> (signed: SignedBody, failures: [Signers.Missing.Failure]) {
    let own: KeyDocument
    do throws(TrustError) { own = try KeyDocument(body) } catch {
      throw Failure(.contentErrors, "key-document", error.reason, at: folder.file(version))
    }
    let before = folder.documents.first { $0.version == version - 1 }
    let keys = [before, own].compactMap { $0?.roles.keys.keys }.reduce(into: [:]) { all, keys in
      all.merge(keys) { first, _ in first }
    }
    let found = signers.signatures(of: body.body, as: .keys, by: keys, in: .keys)
    var signed = body
    // One that is not valid, as after a wrong merge, must not stand in the way.
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

  /// Refuses a draft that no reader could use.
  package func check(_ draft: KeyDraft) throws {
    do { _ = try draft.body() } catch let refusal as KeyDraft.Refusal {
      throw Failure(.usage, "key-document", refusal.reason, notes: ["nothing was changed"])
    }
  }

  /// Writes a document, and reports the signatures that it lacks.
  package func write(_ draft: KeyDraft, by signers: Signers) throws -> Report {
    try check(draft)
    return try write(
      SignedBody(body: try draft.body(), signatures: []), version: draft.version, by: signers,
      verb: "Wrote")
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
      throw Failure(.contentErrors, "key-document", error.reason, at: folder.file(version))
    }
    let lacking = signatures(of: document).filter { !$0.isEnough }
    var report = Report(
      text: "\(verb) \(folder.file(version))\n", json: members(of: document))
    report.json["file"] = .string(folder.file(version))
    report.text += lacking.map { lacking in
      "  lacks \(lacking.threshold - lacking.count) of \(lacking.threshold) signatures by the keys of "
        + "document \(lacking.authority): 'contentc keys sign \(channel)' adds them\n"
    }.joined()
    if lacking.isEmpty {
      report.text += "  signed; it counts from the next publication\n"
    } else {
      report.diagnostics += failures.map { failure in
        .warning("signer", at: failure.location, message: failure.reason)
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
    }
    let roles = KeyDocument.Role.allCases.map { role in
      let signers = document.roles[role]
      let keys = signers.keys.keys.sorted().map { id in
        "\(id)" + (document.names[id].map { " \($0.harmless)" } ?? "")
      }
      let name = role.rawValue.padded(to: 8)
      return "  \(name)  \(signers.threshold) of \(keys.joined(separator: ", "))"
    }
    let floors = document.floors.map {
      ["  recovery  document \($0.version): release \($0.release), purge \($0.purge)"]
    }
    let state = days < 0 ? "ended" : days.counted("day") + " left"
    return
      ([
        "document \(document.version), \(document.issued.rfc3339) to \(document.expires.rfc3339) (\(state))"
      ] + lines + roles + (floors ?? [])).joined(separator: "\n") + "\n"
  }

  /// The members of a document in the result of a command.
  package func members(of document: KeyDocument) -> Members {
    let signed = signatures(of: document)
    var members: Members = [
      "version": .integer(Int64(document.version)), "issued": .string(document.issued.rfc3339),
      "expires": .string(document.expires.rfc3339),
      "isSigned": .boolean(signed.allSatisfy(\.isEnough)),
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
                    key["name"] = document.names[id].map(Value.string)
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
    self.init(.contentErrors, "key-document", problem.reason, at: problem.path)
  }
}

extension SettingsOptions {
  /// Reads the signers of a channel.
  ///
  /// - Throws: the report of the mistakes in the settings, as a failure.
  package func signers(app: String, channel: String) throws(Failure) -> Signers {
    guard let file = SettingsFile(named: settings, environment: Environment.value) else {
      return Signers([], app: app, channel: channel)
    }
    let read = file.read()
    if let mistake = read.diagnostics.first(where: { $0.severity == .error }) {
      let isMissing = mistake.id == "missing-file"
      throw Failure(isMissing ? .missingInput : .contentErrors, diagnostic: mistake)
    }
    return Signers(read.output.signers, app: app, channel: channel)
  }
}
