import PropertyLists
import ContentModel
import ContentReleases
import Diagnostics
import Platform

/// When the live release of a channel changes next without an edit.
struct NextInstants {
  /// The next date that readers apply by themselves; `nil` where there is none.
  let date: Instant?
  /// When an embargo ends, perhaps in the past, and a publication brings what it withholds; `nil`
  /// where there is none.
  let embargo: Instant?
  private let now: Instant
  private let isPublished: Bool

  init(of record: ReleaseRecord?, at now: Instant = Clock.now) {
    date = (record?.members["dates"]?.items ?? []).compactMap(\.instant).filter { $0 > now }.min()
    embargo = record?.members["changes"]?.instant
    isPublished = record != nil
    self.now = now
  }

  /// True if an embargo has ended, so that a publication brings more.
  var isDue: Bool { embargo.map { $0 <= now } ?? false }

  /// The lines that `publish` and `status` print, each with its label.
  func lines(of channel: String) -> [String] {
    let date = date.map {
      "  next     \($0.rfc3339): readers show or hide something by date, without a publication"
    }
    let embargo = embargo.map { end in
      isDue
        ? "  EMBARGO  ended at \(end.rfc3339): 'contentc publish \(channel)' publishes the withheld content"
        : "  embargo  until \(end.rfc3339): 'contentc publish \(channel) --if-due' publishes it then"
    }
    return [date, embargo].compactMap(\.self)
  }

  /// An embargo that has ended and still hides content.
  func diagnostics(of channel: String) -> [Diagnostic] {
    guard isDue, let embargo else { return [] }
    return [
      Diagnostic(
        .warning, id: "embargo-ended", at: nil,
        message:
          "an embargo in '\(channel)' ended at \(embargo.rfc3339), but the withheld content is not published",
        notes: [
          Diagnostic.Note(
            "'contentc publish \(channel)' publishes it; does cron run it with --if-due?")
        ])
    ]
  }

  /// For a program.
  var members: Members {
    var members = Members()
    members["nextDate"] = date.map { .string($0.rfc3339) }
    members["embargoUntil"] = embargo.map { .string($0.rfc3339) }
    return members
  }

  /// The report of `publish --if-due` if nothing is due; `nil` if it must publish.
  func reportUnlessDue(_ channel: String) -> Report? {
    if isDue { return nil }
    var members = members
    members["channel"] = .string(channel)
    members["due"] = false
    members["changed"] = false
    let why =
      !isPublished
      ? "nothing was published to '\(channel)' yet"
      : embargo.map { "the next embargo in '\(channel)' ends at \($0.rfc3339)" }
        ?? "no embargo withholds anything in '\(channel)'"
    return Report(text: "Nothing is due: \(why)\n", json: members)
  }

  /// The report of `publish --if-due` for a channel that was rolled back: publishing the folder
  /// would undo that.
  func reportOfRollback(_ channel: String) -> Report {
    var members = members
    members["channel"] = .string(channel)
    members["due"] = true
    members["changed"] = false
    let warning = Diagnostic(
      .warning, id: "embargo-ended", at: nil,
      message:
        "an embargo in '\(channel)' ended, but the live release is a rollback, which --if-due does not undo",
      notes: [
        Diagnostic.Note("'contentc publish \(channel)' publishes the content folder as it is")
      ])
    return Report(
      text: "Nothing was published: '\(channel)' was rolled back\n", json: members,
      diagnostics: [warning])
  }
}
