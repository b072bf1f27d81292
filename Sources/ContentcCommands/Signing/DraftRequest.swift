import ContentBuild
import ContentModel
package import ContentReleases
package import ContentSource
import Diagnostics
import System

/// A command's request to write a draft instead of publishing.
package struct DraftRequest {
  package let command: String
  package let folder: DraftFolder
  /// The signers of this machine, which sign at once.
  package var signers = Signers(of: [])

  /// Refuses a channel that is not signed, a dry run, and a folder that others read or that has files.
  ///
  /// - Throws: a failure, before the target is asked anything.
  package func check(
    _ channel: Channel, isDryRun: Bool, beside content: String
  ) throws(Failure) {
    guard channel.signing != nil else {
      // Without signatures, these commands have nothing to do.
      let isAboutSigning = Contentc.commands.contains {
        $0.words == command && $0.type.needsSigners
      }
      throw Failure(
        .usage, .unsignedChannel,
        "--draft is only for signed channels, and '\(channel.name)' is not signed",
        at: channel.location.path.text,
        notes: [
          isAboutSigning
            ? "nothing was changed"
            : "nothing was changed; run the same command without --draft: it needs no signature",
          "to sign the channel, take the steps of 'Turning it on and off' in docs/reference/trust.md, among them, in "
            + "content.yaml: signing: {keys: keys/\(channel.name)}",
        ])
    }
    guard !isDryRun else {
      throw Failure(.usage, .usage, "--dry-run cannot be combined with --draft")
    }
    let own = ResolvedPath(folder.path)
    let target = TargetAddress(channel.target, beside: content).folderPath
    guard !own.isInside(ResolvedPath(content)),
      target.map({ !own.isInside(ResolvedPath($0)) }) ?? true
    else {
      throw Failure(
        .usage, .signingDraft,
        "'\(folder.path.harmless)' is in the content folder or the target, which are public",
        notes: ["name a folder outside of them"])
    }
    do throws(StoreError) {
      guard try !folder.isFree() else { return }
    } catch { throw Failure(error) }
    throw Failure(
      .usage, .signingDraft, "the folder has files already", at: folder.path,
      notes: ["name a new folder, or remove this one"])
  }

  /// Writes a draft with the signatures of this machine, and reports it.
  package func write(_ drafted: Publisher.Drafted) throws -> Report {
    var draft = drafted.signing
    let failures = draft.sign(by: signers)
    try folder.write(draft, objects: drafted.objects, of: drafted.content)
    var report = draft.report("Drafted", in: folder, failures: failures)
    if !drafted.objects.isEmpty {
      report.text += "  objects  \(drafted.objects.count.grouped), which the target lacks\n"
    }
    return report
  }
}
