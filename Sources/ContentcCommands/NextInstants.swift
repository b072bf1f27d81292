package import ContentModel
package import ContentReleases
package import Diagnostics
import PropertyLists
import System

/// The moments at which the live release of a channel changes next without an edit.
package struct NextInstants {
  /// The next date that readers apply without a publication; `nil` if there is none.
  package let date: Instant?
  /// The end of the next embargo; `nil` if there is none.
  ///
  /// From then on, a publication includes the withheld content.
  ///
  /// The end can be in the past.
  package let embargo: Instant?
  private let now: Instant
  private let isPublished: Bool
  /// `true` if a rollout is on, during which no other content is published.
  private let isInRollout: Bool

  package init(of record: ReleaseRecord?, at now: Instant = Clock.now) {
    date = (record?.dates ?? []).filter { $0 > now }.min()
    embargo = [record?.members["changes"], record?.members["next"]?["changes"]]
      .compactMap { $0?.instant }.min()
    isPublished = record != nil
    isInRollout = record?.rollout != nil
    self.now = now
  }

  /// `true` if an embargo has ended, so that a publication would have more content.
  package var isDue: Bool { embargo.map { $0 <= now } ?? false }

  /// Returns the lines that `publish` and `status` print, each with its label.
  package func lines(of channel: String) -> [String] {
    let date = date.map {
      "  next     \($0.rfc3339): readers show or hide something by date, without a publication"
    }
    let command = "contentc publish \(channel)"
    let embargo = embargo.map { end in
      if isInRollout {
        return isDue
          ? "  EMBARGO  ended at \(end.rfc3339): end the rollout, then '\(command)' publishes the withheld content"
          : "  embargo  until \(end.rfc3339): end the rollout before, since '\(command) --if-due' ends with 2 then"
      }
      return isDue
        ? "  EMBARGO  ended at \(end.rfc3339): '\(command)' publishes the withheld content"
        : "  embargo  until \(end.rfc3339): '\(command) --if-due' publishes it then"
    }
    return [date, embargo].compactMap(\.self)
  }

  /// Returns a warning if an embargo has ended and the content is still withheld.
  package func diagnostics(of channel: String) -> [Diagnostic] {
    guard isDue, let embargo else { return [] }
    return [
      Diagnostic(
        .warning, rule: .embargoEnded, at: nil,
        message:
          "an embargo in '\(channel)' ended at \(embargo.rfc3339), "
          + "but the withheld content is not published",
        notes: [
          Diagnostic.Note(
            isInRollout
              ? "'contentc rollout \(channel) --finish' or '--abort' must end the rollout first"
              : "'contentc publish \(channel)' publishes it; does cron run it with --if-due?")
        ])
    ]
  }

  /// The members of the JSON output.
  package var members: Members {
    var members = Members()
    members["nextDate"] = date.map { .string($0.rfc3339) }
    members["embargoUntil"] = embargo.map { .string($0.rfc3339) }
    return members
  }

  /// Returns the report of `publish --if-due` if nothing is due; `nil` if it must publish.
  package func reportUnlessDue(_ channel: String) -> Report? {
    if isDue { return nil }
    var members = members
    members["channel"] = .string(channel)
    members["due"] = false
    members["changed"] = false
    let reason =
      if !isPublished {
        "nothing was published to '\(channel)' yet"
      } else if let embargo {
        "the next embargo in '\(channel)' ends at \(embargo.rfc3339)"
      } else {
        "no embargo withholds anything in '\(channel)'"
      }
    return Report(text: "Nothing is due: \(reason)\n", json: members)
  }

  /// Returns the report of `publish --if-due` for a channel that was rolled back.
  ///
  /// A publication of the content folder would undo the rollback.
  package func reportOfRollback(_ channel: String) -> Report {
    var members = members
    members["channel"] = .string(channel)
    members["due"] = true
    members["changed"] = false
    let warning = Diagnostic(
      .warning, rule: .embargoEnded, at: nil,
      message:
        "an embargo in '\(channel)' ended, but the live release is a rollback, "
        + "which --if-due does not undo",
      notes: [
        Diagnostic.Note("'contentc publish \(channel)' publishes the content folder as it is")
      ])
    return Report(
      text: "Nothing was published: '\(channel)' was rolled back\n", json: members,
      diagnostics: [warning])
  }
}
