import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import HTTPTransport
import Platform

/// The text and the JSON of a release.
struct ReleasePage {
  let record: ReleaseRecord
  /// `true` if a purge removed some of its objects, so that a rollback to it is impossible.
  var isPurged = false

  /// The line in lists, such as `41  2026-11-21T12:00:00Z  Christmas prices`.
  var line: String {
    let parts = [
      String(record.number), record.issued?.rfc3339 ?? "?",
      record.of == record.number ? nil : "content of \(record.of)",
      record.by.map { "by \($0)".harmless },
      record.commit.map { String($0.prefix(7)).harmless },
      record.message.map(\.harmless),
      isPurged ? "purged" : nil,
    ]
    return parts.compactMap(\.self).joined(separator: "  ")
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
  /// The beginning of the text, such as `Published` or `Rolled back to the content of 3 as`.
  let verb: String
  let seconds: Double

  var text: String {
    let name = opened.channel.name
    switch outcome {
    case .unchanged(let record, let sent):
      let repaired =
        sent.objects > 0
        ? "; sent \(sent.objects.counted("object")) that were missing at the target" : ""
      return
        "Nothing to do: release \(record.number) of '\(name)' shows this content already"
        + "\(repaired)\n\(next(record))"
    case .released(let record, let sent):
      let url =
        opened.configURL
        ?? "\(opened.place.target.name)/\(name)/config.\(opened.project.format.fileExtension)"
      let size = "\(sent.objects.counted("object")), \(sent.bytes.asByteCount)"
      return """
        \(verb) release \(record.number) of '\(name)' in \(seconds.rounded(toPlaces: 2)) s
          sent    \(size); the target has \(record.objects.count.grouped)
          config  \(url)
          bound   \(opened.bound.sentence)

        """ + next(record)
    }
  }

  /// Returns the lines about the moments at which the release changes next without an edit.
  private func next(_ record: ReleaseRecord) -> String {
    NextInstants(of: record).lines(of: opened.channel.name).map { $0 + "\n" }.joined()
  }

  /// The report, for which caches are purged and config is read from the public URL.
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
  /// A warning if the release is dated more than an hour after the current time.
  ///
  /// A release is never dated before the one that it follows, so a wrong clock affects later ones.
  var clockWarnings: [Diagnostic] {
    guard let issued, issued.secondsSinceReferenceDate > Clock.now.secondsSinceReferenceDate + 3_600
    else { return [] }
    return [
      Diagnostic(
        .warning, id: "clock-ahead", at: nil,
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
