package import CommandReports
import ContentKeys
package import ContentModel
package import ContentReleases
package import ContentSigning
import ContentSource
import ContentStore
import ContentTrust
import Diagnostics
import Hashing
import Platform
import SystemC

/// The folder of a prepared release, which people carry between machines.
package struct PreparedFolder {
  package let path: String

  package init(_ path: String) { self.path = path.withoutTrailingSlashes }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  // MARK: Writing

  /// Refuses a folder that has files.
  func requireFree() throws(Failure) {
    guard let names = try names(), !names.isEmpty else { return }
    throw Failure(
      .usage, "prepared-release", "the folder has files already", at: path,
      notes: ["name a new folder, or remove this one"])
  }

  /// Writes all files of a release at once, by the rename of a folder.
  package func write(_ release: PreparedRelease) throws {
    try requireFree()
    let temporary = "\(path).\(getpid()).tmp"
    do {
      guard mkdir(temporary, 0o777) == 0 else { throw failure(errno) }
      for (name, _) in PreparedRelease.files {
        try AtomicFile("\(temporary)/\(name)").write(release.bytes(of: name))
      }
      guard rename(temporary, path) == 0 else { throw failure(errno) }
    } catch {
      for (name, _) in PreparedRelease.files { unlink("\(temporary)/\(name)") }
      rmdir(temporary)
      if let refusal = error as? PreparedRelease.Refusal { throw failure(refusal) }
      throw error
    }
  }

  private func failure(_ code: Int32) -> Failure {
    Failure(
      .inputOutput, "unwritable",
      "the folder cannot be written: \(String(cString: strerror(code)))", at: path,
      notes: ["nothing was changed"])
  }

  /// Adds the signatures of a machine to the statements, and reports the missing ones.
  ///
  /// With the hash of an `expected` config, no other one is signed. A release that readers would
  /// accept for longer than `longest` is not signed.
  ///
  /// - Throws: a failure if the folder is damaged, or if no signer adds a signature that is missing.
  package func sign(
    expecting expected: Digest?, forAtMost longest: TimeSpan,
    by signers: (_ app: String, _ channel: String) throws -> Signers
  ) throws -> Report {
    let old = try read()
    let digest = Digest(of: old.config)
    if let expected, digest != expected {
      throw Failure(
        .contentErrors, "prepared-release",
        "its SHA-256 is \(digest.hex), and --config expects \(expected.hex)",
        at: file(PreparedRelease.configName),
        notes: ["others may have changed the folder on its way", "nothing was signed"])
    }
    if let expires = old.expires, expires > old.issued.advanced(by: longest) {
      throw Failure(
        .contentErrors, "prepared-release",
        "readers would accept the release until \(expires.rfc3339), for longer than \(longest)",
        at: file(PreparedRelease.statementName(.fresh)),
        notes: [
          "others may have changed the folder on its way; --valid-for allows a longer time",
          "nothing was signed",
        ])
    }
    var release = old
    let failures = try release.sign(by: signers(release.app, release.channel))
    guard release.statements != old.statements || release.signatures.allSatisfy(\.isEnough) else {
      throw Failure(
        .unavailable, "signer", "no signer of this machine adds a signature to the statements",
        at: path,
        notes: failures.map { "\($0.location.path): \($0.reason)" }
          + [
            "the settings list signers with 'role: release' and 'role: fresh'; --with names a file"
          ])
    }
    for (role, _) in PreparedRelease.roles where release[role] != old[role] {
      let name = PreparedRelease.statementName(role)
      try AtomicFile(file(name)).write(release.bytes(of: name))
    }
    return release.report("Signed", in: self, failures: failures)
  }

  // MARK: Reading

  /// Reads the release; no signature is checked.
  ///
  /// - Throws: a failure that names the file which is missing, foreign or damaged.
  package func read() throws(Failure) -> PreparedRelease {
    guard let names = try names() else {
      throw Failure(
        .missingInput, "missing-file", "the folder does not exist", at: path,
        notes: ["the same command with --prepare writes it"])
    }
    if let foreign = names.first(where: { name in
      !PreparedRelease.files.contains { $0.name == name }
    }) {
      throw Failure(
        .contentErrors, "prepared-release", "it is no file of a prepared release",
        at: file(foreign), notes: ["remove it; nothing was changed"])
    }
    do {
      var release = try PreparedRelease { name, limit in
        do throws(KeyFolder.Problem) {
          if let bytes = try KeyFolder.contents(file(name), limit: limit) { return bytes }
        } catch { throw damaged(name, because: error.reason) }
        throw damaged(name, because: "the file is missing")
      }
      release.folder = path
      try checkTime(of: release)
      return release
    } catch let refusal as PreparedRelease.Refusal {
      throw failure(refusal)
    } catch let failure as Failure {
      throw failure
    } catch {
      throw damaged(PreparedRelease.orderName, because: "it cannot be read: \(error)")
    }
  }

  /// Refuses a release whose time is more than a day ahead of the clock.
  ///
  /// Others may have changed the time, so that readers would accept the release for too long.
  private func checkTime(of release: PreparedRelease) throws(Failure) {
    let now = Clock.now
    guard release.issued > now.advanced(by: .days(1)) else { return }
    throw Failure(
      .unavailable, "prepared-release",
      "its time \(release.issued.rfc3339) is more than a day ahead of this machine's clock",
      at: file(PreparedRelease.orderName),
      notes: [
        "now is \(now.rfc3339)", "correct the clock, or prepare it again; nothing was changed",
      ])
  }

  private func failure(_ refusal: PreparedRelease.Refusal) -> Failure {
    damaged(refusal.file, because: refusal.reason)
  }

  private func damaged(_ name: String, because reason: String) -> Failure {
    Failure(
      .contentErrors, "prepared-release", reason, at: file(name),
      notes: ["take the folder over again, or prepare it again; nothing was changed"])
  }

  /// The names of the files; `nil` without the folder.
  private func names() throws(Failure) -> [String]? {
    do throws(StoreError) {
      return try Disk.entries(in: path).map(\.name)
    } catch .failed(_, _, ENOENT) {
      return nil
    } catch { throw Failure(error) }
  }
}
