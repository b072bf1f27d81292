package import ContentModel
package import ContentReleases
package import Diagnostics
import SiteFormat
import System

/// The text and the JSON of a release.
package struct ReleasePage {
  package let record: ReleaseRecord
  /// `true` if the target lacks objects that a purge removed, so that a rollback to it is impossible.
  package var isPurged = false

  package init(record: ReleaseRecord, isPurged: Bool = false) {
    (self.record, self.isPurged) = (record, isPurged)
  }

  /// The line in lists, such as `41  2026-11-21T12:00:00Z  Christmas prices`.
  package var line: String {
    let parts = [
      String(record.number), record.issued?.rfc3339 ?? "?",
      record.contentRelease == record.number ? nil : "content of \(record.contentRelease)",
      record.rollout.map { "rollout of \($0.release): \($0.percent)" },
      record.by.map { "by \($0)".harmless },
      record.commit.map { String($0.prefix(7)).harmless },
      record.message.map(\.harmless),
      isPurged ? "purged" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
  }

  package var members: Members {
    var members: Members = [
      "release": .integer(Int64(record.number)), "of": .integer(Int64(record.contentRelease)),
      "record": .string(record.digest.hex), "objects": .integer(Int64(record.objects.count)),
      "bytes": .integer(Int64(record.objects.map(\.size).reduce(0, +))),
    ]
    members["issued"] = record.issued.map { .string($0.rfc3339) }
    members["message"] = record.message.map(Value.string)
    if isPurged { members["purged"] = true }
    members["rollout"] = record.rollout.map { .dictionary($0.members) }
    members["commit"] = record.commit.map(Value.string)
    members["by"] = record.by.map(Value.string)
    return members
  }
}

extension ReleaseRecord {
  /// A warning if the release is dated more than an hour after the current time.
  ///
  /// A release is never dated before the one that it follows, so a wrong clock affects later ones.
  package var clockWarnings: [Diagnostic] {
    guard let issued, issued.secondsSinceReferenceDate > Clock.now.secondsSinceReferenceDate + 3_600
    else { return [] }
    return [
      Diagnostic(
        .warning, rule: .clockAhead, at: nil,
        message:
          "release \(number) is issued at \(issued.rfc3339), after an earlier one: the clock of the "
          + "machine that published that one was ahead, or this machine's is behind",
        notes: [
          Diagnostic.Note(
            "readers are not affected; 'contentc prune' counts its waiting time "
              + "from when it first sees the release")
        ])
    ]
  }
}
