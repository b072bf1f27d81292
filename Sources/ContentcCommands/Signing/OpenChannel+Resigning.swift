import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat
import System

/// New signatures of the live release.
extension OpenChannel {
  /// Refuses to sign if nothing tells the live config from an earlier one, which a thief of the
  /// target's credentials may have put back, and whose old signatures are still valid.
  ///
  /// `command` is the one to run again with `--not-below`.
  func requireMemory(by command: String) throws {
    guard let signing = place.signing, place.seen.release == 0, let live = try place.live(),
      !signing.acceptedConfigs.contains(Digest(of: live.config))
    else { return }
    let name = channel.name
    throw Failure(
      .usage, .usage,
      "this machine remembers no release of '\(name)', so an earlier config in its place would be signed as current",
      notes: [
        "keep the folder '.contentc' beside the content between runs, or say the last release: "
          + "\(command) --not-below N",
        "'contentc history \(name)' on the machine that published lists its releases",
      ])
  }

  /// Remembers the live release, which has new signatures, and returns the report.
  func reportOfResigning(_ live: LiveRelease) -> Report {
    remember(live, isOwn: false)
    let expires = live.signed?.fresh.expires ?? Clock.now
    return Report(
      text: "Signed release \(live.number) of '\(channel.name)' again, until \(expires.rfc3339)\n",
      json: membersOfResigning(expires: expires, isNew: true), diagnostics: signingWarnings(live))
  }

  /// The JSON of a command that signs the live release again.
  func membersOfResigning(expires: Instant, isNew: Bool) -> Members {
    [
      "channel": .string(channel.name), "expires": .string(expires.rfc3339),
      "signed": .boolean(isNew),
    ]
  }
}
