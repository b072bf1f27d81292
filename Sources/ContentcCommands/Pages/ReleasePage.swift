import ContentTargets
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import HTTPTransport
import Platform

/// A release in a line or two, for a person, and for a program.
struct ReleasePage {
  let record: ReleaseRecord
  /// `true` if a purge removed some of its objects, so that a rollback to it is impossible.
  var isPurged = false

  /// As in `41  2026-11-21T12:00:00Z  Christmas prices`.
  var line: String {
    let of = record.of == record.number ? "" : "  content of \(record.of)"
    let by = record.by.map { "  by \($0)" } ?? ""
    let commit = record.commit.map { "  \($0.prefix(7))" } ?? ""
    let message = record.message.map { "  \($0)" } ?? ""
    let purged = isPurged ? "  purged" : ""
    return
      "\(record.number)  \(record.issued?.rfc3339 ?? "?")\(of)\(by.harmless)\(commit.harmless)\(message.harmless)\(purged)"
  }

  var members: Members {
    var members: Members = [
      "release": .integer(Int64(record.number)), "of": .integer(Int64(record.of)),
      "record": .string(record.digest.hex), "objects": .integer(Int64(record.objects.count)),
      "bytes": .integer(Int64(record.objects.map(\.size).reduce(0, +))),
    ]
    members["issued"] = record.issued.map { .string($0.rfc3339) }
    members["message"] = record.message.map(Value.string)
    if isPurged { members["purged"] = true }
    members["commit"] = record.commit.map(Value.string)
    members["by"] = record.by.map(Value.string)
    return members
  }
}

/// The text and the JSON of a publication.
struct PublicationPage {
  let opened: OpenChannel
  let outcome: Publisher.Outcome
  /// As in `Published` or `Rolled back to`.
  let verb: String
  let seconds: Double

  var text: String {
    let name = opened.channel.name
    switch outcome {
    case .unchanged(let record, let sent):
      let repaired =
        sent.objects > 0
        ? "; sent \(sent.objects.of("object")) that were missing at the target" : ""
      return
        "Nothing to do: release \(record.number) of '\(name)' shows this content already\(repaired)\n"
        + next(record)
    case .released(let record, let sent):
      let url =
        opened.configURL
        ?? "\(opened.place.target.name)/\(name)/config.\(opened.project.format.fileExtension)"
      return """
        \(verb) release \(record.number) of '\(name)' in \(seconds.rounded(toPlaces: 2)) s
          sent    \(sent.objects.of("object")), \(sent.bytes.asByteCount); the target has \(record.objects.count.grouped)
          config  \(url)
          bound   \(opened.bound.sentence)

        """ + next(record)
    }
  }

  /// When the release changes next without an edit.
  private func next(_ record: ReleaseRecord) -> String {
    NextInstants(of: record).lines(of: opened.channel.name).map { $0 + "\n" }.joined()
  }

  /// The report after caches were purged and the public URL was read.
  var report: Report {
    var report = Report(text: text, json: members)
    guard case .released(let record, _) = outcome else { return report }
    let announcement = opened.announce(
      record.number, times: ConfigAnnouncement.Times(cacheDeadline: 30, verification: 5))
    report.text += announcement.line ?? ""
    report.diagnostics += announcement.diagnostics(.warning)
    report.diagnostics += record.clockWarnings
    report.lasting = "release \(record.number) of '\(opened.channel.name)' is live"
    for (name, value) in announcement.members { report.json[name] = value }
    return report
  }

  var members: Members {
    var members: Members
    switch outcome {
    case .unchanged(let record, let sent):
      members = self.members(record, sent: sent, changed: false)
    case .released(let record, let sent): members = self.members(record, sent: sent, changed: true)
    }
    for (name, value) in NextInstants(of: outcome.record).members { members[name] = value }
    members["channel"] = .string(opened.channel.name)
    members["target"] = .string(opened.place.target.name)
    members["seconds"] = .real(seconds)
    members["url"] = opened.configURL.map(Value.string)
    members["staleness"] = .integer(Int64(opened.bound.correction.seconds))
    if let traffic = opened.place.target.traffic {
      members["traffic"] = [
        "requests": .integer(Int64(traffic.requests)), "sent": .integer(Int64(traffic.sentBytes)),
        "received": .integer(Int64(traffic.receivedBytes)),
      ]
    }
    return members
  }

  private func members(_ record: ReleaseRecord, sent: Publisher.Sent, changed: Bool) -> Members {
    var members = ReleasePage(record: record).members
    members["changed"] = .boolean(changed)
    members["objectsSent"] = .integer(Int64(sent.objects))
    members["bytesSent"] = .integer(Int64(sent.bytes))
    return members
  }
}

extension Publisher.Outcome {
  /// The record of the release that is live now.
  fileprivate var record: ReleaseRecord {
    switch self {
    case .released(let record, _), .unchanged(let record, _): record
    }
  }
}

extension ReleaseRecord {
  /// Says that a clock is wrong: a release is never issued before the one that it follows.
  var clockWarnings: [Diagnostic] {
    guard let issued, issued.secondsSinceReferenceDate > Clock.now.secondsSinceReferenceDate + 3_600
    else { return [] }
    let note =
      "readers are not affected; 'contentc prune' counts its waiting time from when it first sees the release"
    return [
      Diagnostic(
        .warning, id: "clock-ahead", at: nil,
        message:
          "release \(number) is issued at \(issued.rfc3339), after an earlier one: the clock of the machine that "
          + "published that one was ahead, or this machine's is behind",
        notes: [Diagnostic.Note(note)])
    ]
  }
}
