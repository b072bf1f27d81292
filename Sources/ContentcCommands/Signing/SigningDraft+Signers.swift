import ContentBuild
package import ContentModel
package import ContentReleases
import Diagnostics
import PropertyLists
import SiteFormat
import System
import SystemC

/// The signatures of a draft, and how people see them.
extension SigningDraft {
  /// Adds signatures of a machine's signers up to the thresholds; returns the failures of other
  /// signers.
  ///
  /// Signatures that are not valid are removed.
  package mutating func sign(by signers: Signers) -> [Signers.Missing.Failure] {
    var failures: [Signers.Missing.Failure] = []
    for (role, type) in ReleaseStatements.roles {
      let needed = keys.roles[role]
      let known = statements.validSignatures(of: role, as: type, by: keys)
      let found = signers.signatures(
        of: statements[role].body, as: type, by: needed.keys, in: role,
        upTo: max(0, needed.threshold - known.count), besides: known.map(\.key))
      statements[role].signatures = known + found.signatures
      failures += found.failures
    }
    return failures
  }

  /// Returns the sentence about missing signatures, without its subject.
  package func sentence(on signatures: ReleaseStatements.Signatures) -> String {
    let missing = signatures.threshold - signatures.keys.count
    return
      "lacks \(missing) of \(signatures.threshold) signatures for the role '\(signatures.role.rawValue)', by "
      + shown(signatures.others).joined(separator: " or ")
  }

  private func shown(_ ids: [KeyID]) -> [String] {
    ids.map { id in "\(id)" + (keys.names[id].map { " \($0.harmless)" } ?? "") }
  }

  /// The texts that the roles sign, in words, and the changes as the drafting machine described them.
  ///
  /// - Throws: `Refusal` if the files do not belong together.
  package func words() throws(Refusal) -> [String] {
    let ((release, fresh), (config, record)) = (try read(), try contents())
    let previous = facts.previous
    let before = previous.release == 0 ? "the first one" : "after \(previous.release)"
    var lines = [
      "Role 'release' signs: config \(release.config.hex), \(release.size.grouped) bytes",
      "  channel      \(release.channel.harmless) of the app \(release.app.harmless)",
      "  release      \(release.release), "
        + (isResigning ? "which is live" : before) + ", of \(release.issued.rfc3339)",
      "  content      "
        + (record.contentRelease == record.number
          ? "new" : "that of release \(record.contentRelease)")
        + ", \(record.objects.count.counted("object"))"
        + (record.by.map { ", by \($0.harmless)" } ?? "")
        + (record.message.map { ": \($0.harmless)" } ?? ""),
    ]
    if let rollout = config.rollout {
      let testers = rollout.testers.count
      lines.append(
        "  rollout      \(rollout.name): next content of release \(rollout.release) for \(rollout.percent) of the readers"
          + (testers > 0 ? " and \(testers.counted("tester"))" : ""))
    }
    lines += self.lines(onPurges: config["purge"])
    let maintenance = MaintenanceSwitch(config["maintenance"])
    lines.append(
      "  maintenance  "
        + (maintenance.isActive
          ? "on" + (maintenance.until.map { " until \($0.rfc3339)" } ?? "") : "off"))
    lines += [
      "Role 'fresh' signs: this release is the newest one",
      "  from         \(fresh.issued.rfc3339)", "  to           \(fresh.expires.rfc3339)",
      "'\(facts.command.harmless)' on the drafting machine said:",
    ]
    return lines + (facts.texts.isEmpty ? ["  nothing"] : facts.texts.map { "  \($0.harmless)" })
  }

  private func lines(onPurges purge: Value?) -> [String] {
    let number = purge?["sequence"]?.number ?? 0
    let entries = (purge?["entries"]?.items ?? []).compactMap(\.text).map(\.harmless)
    let objects = purge?["objects"]?.items?.count ?? 0
    var lines = ["  purges       " + (number == 0 ? "none" : "up to \(number)")]
    if !entries.isEmpty { lines.append("    hides      \(entries.joined(separator: ", "))") }
    if objects > 0 { lines.append("    removes    \(objects.counted("object"))") }
    if let minimum = purge?["minimumRelease"]?.number, minimum > 0 {
      lines.append("    withdraws  releases before \(minimum)")
    }
    // Config names this file by its hash.
    if let begun, let work = try? PropertyList.decode(begun).value {
      let count = (work["objects"]?.items?.count ?? 0).counted("object")
      let reason = (work["reason"]?.text ?? "").harmless
      lines.append("    work       \(reason): removes \(count) at the target")
    }
    if let after = purge?["missedAfter"]?.number {
      let purges = after > 0 ? "no purge above \(after)" : "no purge"
      lines.append("    restored   follows \(purges) from before config was restored")
    }
    if let lost = purge?["lost"]?.items, !lost.isEmpty {
      let count = lost.count.counted("purge")
      lines.append("    lost       the work of \(count) is unknown, which a publisher accepted")
    }
    return lines
  }

  /// Returns the report after the folder was written.
  package func report(
    _ verb: String, in folder: DraftFolder, failures: [Signers.Missing.Failure] = []
  ) -> Report {
    let (path, name) = (folder.path.harmless, folder.path.shellWord)
    let isComplete = signatures.allSatisfy(\.isEnough)
    let what = isResigning ? "new signatures of release" : "release"
    var lines = [
      "\(verb) \(what) \(facts.release) of '\(facts.channel.harmless)' in \(path)",
      "  draft    \(hash.hex)", "  until    \(facts.until.rfc3339)",
    ]
    lines += signatures.map { signatures in
      let name = signatures.role.rawValue.padded(to: 7)
      return signatures.isEnough
        ? "  \(name)  signed by \(shown(signatures.keys).joined(separator: " and "))"
        : "  \(name)  \(sentence(on: signatures))"
    }
    lines.append(
      isComplete
        ? "  next     contentc sign import \(name)"
        : "  next     contentc sign \(name) --expect \(hash.hex) --with KEY")
    var report = Report(
      text: lines.joined(separator: "\n") + "\n",
      json: ["channel": .string(facts.channel), "draft": .dictionary(members(in: folder))])
    if !isComplete {
      report.diagnostics = failures.map { failure in
        .warning(.signer, at: failure.location, message: failure.reason)
      }
    }
    return report
  }

  /// The members of the JSON.
  package func members(in folder: DraftFolder) -> Members {
    var members: Members = [
      "folder": .string(folder.path), "hash": .string(hash.hex),
      "command": .string(facts.command), "release": .integer(Int64(facts.release)),
      "config": .string(Digest(of: config).hex), "until": .string(facts.until.rfc3339),
      "isSigned": .boolean(signatures.allSatisfy(\.isEnough)),
      "roles": .dictionary(
        Members(
          signatures.map { signatures -> (String, Value) in
            (
              signatures.role.rawValue,
              [
                "signatures": .integer(Int64(signatures.keys.count)),
                "threshold": .integer(Int64(signatures.threshold)),
                "others": .array(signatures.others.map { .string("\($0)") }),
              ]
            )
          })),
    ]
    if let (_, fresh) = try? read() {
      members["issued"] = .string(fresh.issued.rfc3339)
      members["expires"] = .string(fresh.expires.rfc3339)
    }
    members["after"] =
      facts.previous.release == 0 ? nil : .integer(Int64(facts.previous.release))
    return members
  }
}

extension DraftFolder {
  /// Reads the draft.
  ///
  /// - Throws: a failure, also if there is no folder; `consequence` is its last note.
  package func read(otherwise consequence: String) throws -> SigningDraft {
    do { return try read() } catch let refusal as SigningDraft.Refusal {
      throw Failure(refusal, in: self, otherwise: consequence)
    } catch StoreError.failed(_, let path, ENOENT) {
      throw Failure(
        .missingInput, .missingFile, "the folder does not exist", at: path,
        notes: ["a command with --draft writes it"])
    }
  }

  /// Reads a draft that somebody has compared by its hash.
  ///
  /// - Throws: a failure, also for another hash.
  package func read(expecting hash: String) throws -> SigningDraft {
    let draft = try read(otherwise: "nothing was signed")
    guard draft.hash.hex != hash.lowercased() else { return draft }
    throw Failure(
      .contentErrors, .signingDraft,
      "its SHA-256 is \(draft.hash.hex), and --expect has \(hash.harmless)",
      at: "\(path)/\(SigningDraft.indexName)",
      notes: ["others may have changed the folder on its way", "nothing was signed"])
  }
}

extension Failure {
  /// Creates the failure for a draft that is refused; `consequence` is its last note.
  package init(
    _ refusal: SigningDraft.Refusal, in folder: DraftFolder, otherwise consequence: String
  ) {
    self.init(
      refusal.isAboutTime ? .unavailable : .contentErrors, .signingDraft, refusal.reason,
      at: "\(folder.path)/\(refusal.file)",
      notes: [
        refusal.isAboutTime
          ? "correct the clock, or make the draft again"
          : "others may have changed the folder on its way: take it over again, or make the draft again",
        consequence,
      ])
  }
}
