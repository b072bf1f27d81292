import CommandReports
import ContentModel
package import ContentReleases
package import ContentSigning
import ContentTrust
import Diagnostics
import Hashing

/// The signatures of a prepared release, and how people see them.
extension PreparedRelease {
  /// Adds signatures of a machine's signers, up to the thresholds, and returns why others gave none.
  ///
  /// Signatures that are not valid are removed.
  package mutating func sign(by signers: Signers) -> [Signers.Missing.Failure] {
    var failures: [Signers.Missing.Failure] = []
    for (role, type) in Self.roles {
      let needed = keys.roles[role]
      let known = validSignatures(role, as: type)
      let found = signers.signatures(
        of: self[role].body, as: type, by: needed.keys, in: role,
        upTo: max(0, needed.threshold - known.count), besides: known.map(\.key))
      self[role].signatures = known + found.signatures
      failures += found.failures
    }
    return failures
  }

  /// Returns the sentence about missing signatures, without its subject.
  func sentence(on signatures: Signatures) -> String {
    let keys = signatures.others.map { id in
      "\(id)" + (self.keys.names[id].map { " \($0.harmless)" } ?? "")
    }
    return
      "lacks \(signatures.threshold - signatures.count) of \(signatures.threshold) signatures for the role "
      + "'\(signatures.role.rawValue)', by \(keys.joined(separator: " or "))"
  }

  /// Returns the report after the folder was written.
  func report(
    _ verb: String, in folder: PreparedFolder, failures: [Signers.Missing.Failure]
  ) -> Report {
    let path = folder.path.harmless
    let isComplete = signatures.allSatisfy(\.isEnough)
    let after = previous.release.map { "after release \($0)" } ?? "after no release"
    var lines = [
      "\(verb) release \(release) of '\(channel.harmless)' in \(path), \(after)",
      "  config   \(Digest(of: config).hex)",
      "  current  \(issued.rfc3339) to \(expires?.rfc3339 ?? "")",
    ]
    lines += signatures.map { signatures in
      let name = signatures.role.rawValue.padded(to: 7)
      return signatures.isEnough
        ? "  \(name)  signed by \(signatures.count) of \(signatures.threshold)"
        : "  \(name)  \(sentence(on: signatures))"
    }
    if !isComplete {
      lines.append("  sign it elsewhere: 'contentc keys sign --prepared \(path)'")
      lines.append("  compare the config there by '--config HASH', with the hash above")
    }
    lines.append(
      "  then run '\(command.harmless)' again with '--signatures \(path)' in place of --prepare")
    var report = Report(
      text: lines.joined(separator: "\n") + "\n",
      json: ["channel": .string(channel), "prepared": .dictionary(members(in: folder))])
    if !isComplete {
      report.diagnostics = failures.map { failure in
        .warning("signer", at: failure.location, message: failure.reason)
      }
    }
    return report
  }

  private func members(in folder: PreparedFolder) -> Members {
    var members: Members = [
      "folder": .string(folder.path), "command": .string(command),
      "release": .integer(Int64(release)), "config": .string(Digest(of: config).hex),
      "issued": .string(issued.rfc3339),
      "isSigned": .boolean(signatures.allSatisfy(\.isEnough)),
      "roles": .dictionary(
        Members(
          signatures.map { signatures -> (String, Value) in
            (
              signatures.role.rawValue,
              [
                "signatures": .integer(Int64(signatures.count)),
                "threshold": .integer(Int64(signatures.threshold)),
                "others": .array(signatures.others.map { .string("\($0)") }),
              ]
            )
          })),
    ]
    members["expires"] = expires.map { .string($0.rfc3339) }
    members["after"] = previous.release.map { .integer(Int64($0)) }
    return members
  }
}
