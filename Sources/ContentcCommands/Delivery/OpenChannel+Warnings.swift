import CommandParts
import CommandReports
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics

extension OpenChannel {
  /// Returns a warning if config is older than a purge of the channel.
  func restoredConfigWarning(_ ledger: PurgeLedger) -> [Diagnostic] {
    restoredConfigWarning(try? ledger.warningOfOlderConfig())
  }

  /// Returns the warning with a sentence about a restored config; none for `nil`.
  func restoredConfigWarning(_ sentence: String?) -> [Diagnostic] {
    sentence.map { [Diagnostic(.warning, id: "restored-config", at: nil, message: $0)] } ?? []
  }

  /// Notes in the report of a publication that config was older than a purge, which the release
  /// takes into account.
  func noteRestoredConfig(after outcome: Publisher.Outcome, in report: inout Report) {
    guard case .released(_, let sent) = outcome, let first = sent.coveredPurge else { return }
    report.text +=
      "  purges  config was older than purge \(first); this release takes it into account\n"
  }

  /// Reads the warning if the live config is older than a purge; none if the target cannot be read.
  func restoredConfigWarnings() -> [Diagnostic] {
    (try? PurgeLedger(place, live: place.live())).map(restoredConfigWarning) ?? []
  }

  /// Returns a warning if a comparison with the live release left out entries, because the target
  /// lacks objects.
  func missingObjectsWarning(
    _ live: LiveRelease?, in diff: ReleaseDiff
  ) throws -> [Diagnostic] {
    guard let live, !diff.isComplete else { return [] }
    let present = Set(names: try place.target.list(below: "objects/").map(\.key))
    let missing = live.record.objects.count { !present.contains($0.key) }
    let lack =
      missing == 0 ? "has damaged objects" : "lacks \(missing.counted("object"))"
    return [
      .warning(
        "missing-objects", at: nil,
        message:
          "\(place.target.name) \(lack) of release \(live.number): "
          + "the changes of what they show are not listed",
        notes: [
          Diagnostic.Note(
            "'contentc publish \(channel.name) --repair' sends them if the content is not refused")
        ])
    ]
  }

  /// Returns whether the channel has finished or unfinished purges; `false` if the target cannot be
  /// read.
  func hasPurges() -> Bool {
    guard let live = try? place.live(), let ledger = try? PurgeLedger(place, live: live) else {
      return false
    }
    return !ledger.isEmpty
  }

  /// The warnings about caches that cannot be purged.
  var unpurgedWarnings: [Diagnostic] {
    cachesWithoutSettings.map { name in
      Diagnostic(
        .warning, id: "cache-purge", at: nil,
        message: "\(name) is not purged: content.yaml has no settings for it",
        notes: [Diagnostic.Note("its copies expire; 'contentc staleness' shows when")])
    }
  }
}
