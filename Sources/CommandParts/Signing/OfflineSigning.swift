package import CommandReports
import ContentModel
package import ContentReleases
package import ContentSigning
package import ContentSource
package import ContentTrust
import Diagnostics
import Platform

/// The signing of a command's release on other machines.
package struct OfflineSigning {
  let command: String
  /// The folder to write.
  let prepare: String?
  /// The folder with signatures.
  let signatures: String?

  /// `true` if the command prepares a release, and writes nothing to the target.
  package var prepares: Bool { prepare != nil }

  /// The folder that a command prepares, and the signers of this machine.
  package struct Preparation {
    package let command: String
    package let folder: PreparedFolder
    package let signers: Signers

    /// Writes a release into the folder with the signatures of this machine, and reports it.
    package func write(_ release: PreparedRelease) throws -> Report {
      var release = release
      release.folder = folder.path
      let failures = release.sign(by: signers)
      try folder.write(release)
      return release.report("Prepared", in: folder, failures: failures)
    }
  }

  /// Refuses the options in a channel that is not signed, and in a dry run.
  package func check(
    _ channel: Channel, isDryRun: Bool, beside content: String
  ) throws(Failure) {
    guard prepare != nil || signatures != nil else { return }
    guard channel.signing != nil else {
      throw Failure(
        .usage, "unsigned-channel",
        "channel '\(channel.name)' is not signed, so --prepare and --signatures have no meaning",
        at: channel.location.path,
        notes: [
          "a channel is signed if content.yaml has, for example: signing: {keys: keys/\(channel.name)}"
        ])
    }
    guard !isDryRun else {
      throw Failure(
        .usage, "usage", "--dry-run cannot be combined with --prepare and --signatures")
    }
    guard let prepare else { return }
    let folder = ResolvedPath(prepare)
    let target = TargetAddress(channel.target, beside: content).folderPath
    guard !folder.isInside(ResolvedPath(content)),
      target.map({ !folder.isInside(ResolvedPath($0)) }) ?? true
    else {
      throw Failure(
        .usage, "prepared-release",
        "'\(prepare.harmless)' is in the content folder or the target, which are public",
        notes: ["name a folder outside of them"])
    }
    try PreparedFolder(prepare).requireFree()
  }

  /// Returns what --prepare needs; `nil` without that option.
  package func preparation(by signers: Signers) -> Preparation? {
    prepare.map {
      Preparation(command: command, folder: PreparedFolder($0), signers: signers)
    }
  }

  /// Returns the release of --signatures, with those that signers of this machine add; `nil` without
  /// that option.
  ///
  /// - Throws: a failure if the folder is damaged, is of another command, or lacks signatures.
  package func prepared(
    for channel: String, of app: String, by document: KeyDocument, and signers: Signers
  ) throws(Failure) -> PreparedRelease? {
    guard let signatures else { return nil }
    let folder = PreparedFolder(signatures)
    var release = try folder.read()
    guard release.app == app, release.channel == channel, release.command == command else {
      throw Failure(
        .usage, "prepared-release",
        "'\(folder.path.harmless)' was prepared by '\(release.command.harmless)' for the channel "
          + "'\(release.channel.harmless)' of the app '\(release.app.harmless)'",
        notes: ["run that command with --signatures"])
    }
    let again = "prepare it again by --prepare; nothing was changed"
    guard document.signed.body == release.keys.signed.body else {
      throw Failure(
        .unavailable, "prepared-release",
        "its keys are not those of key document \(document.version) of '\(channel)'",
        at: folder.file(PreparedRelease.keysName), notes: [again])
    }
    guard let expires = release.expires, expires > Clock.now else {
      throw Failure(
        .unavailable, "prepared-release", "its time ended, so that readers would refuse it",
        at: folder.file(PreparedRelease.statementName(.fresh)), notes: [again])
    }
    let failures = release.sign(by: signers)
    let lacking = release.signatures.filter { !$0.isEnough }.map { release.sentence(on: $0) }
    guard lacking.isEmpty else {
      throw Failure(
        .unavailable, "signer", "'\(folder.path.harmless)' \(lacking.joined(separator: ", and "))",
        notes: ["'contentc keys sign --prepared \(folder.path.harmless)' adds them"]
          + failures.map { "\($0.location.path): \($0.reason)" } + ["nothing was changed"])
    }
    return release
  }
}
