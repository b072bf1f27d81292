import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import HTTPTransport
import SiteFormat

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
      let verb =
        sent.isSignedAgain
        ? "Signed again: release \(record.number) of '\(name)', which"
        : "Nothing to do: release \(record.number) of '\(name)'"
      return
        "\(verb) shows this content already"
        + "\(repaired)\n\(ahead(sent))\(next(record))"
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

        """ + rollout(record) + sent.purgeSentences.map { "  purges  \($0)\n" }.joined()
          + next(record)
    }
  }

  /// Returns the line about the part of the readers that get the release; empty without a rollout.
  private func rollout(_ record: ReleaseRecord) -> String {
    guard let rollout = record.rollout else { return "" }
    let name = opened.channel.name
    let testers = rollout.testers.count
    // A larger part of the readers, if there is one.
    let more = ["10%", "50%", "100%"].first { Rollout.limit(percent: $0) ?? 0 > rollout.below }
    return "  rollout \(rollout.percent) of the readers"
      + (testers > 0 ? " and \(testers.counted("tester"))" : "")
      + " get release \(rollout.release)"
      + ", the others the content of \(record.contentRelease); "
      + (more.map { "'contentc rollout \(name) \($0)' goes on, and " } ?? "")
      + "'contentc rollout \(name) --finish' or '--abort' ends it\n"
  }

  /// Returns the line about a release with a higher number.
  private func ahead(_ sent: Publisher.Sent) -> String {
    sent.recordAhead.map {
      "  record  release \($0) is being published; or it was live, and config was restored from a "
        + "backup: then run 'contentc publish \(opened.channel.name) --above \($0)'\n"
    } ?? ""
  }

  /// Returns the lines about the moments at which the release changes next without an edit.
  private func next(_ record: ReleaseRecord) -> String {
    NextInstants(of: record).lines(of: opened.channel.name).map { $0 + "\n" }.joined()
  }

  var members: Members {
    var members: Members
    switch outcome {
    case .unchanged(let record, let sent):
      members = self.members(record, sent: sent, changed: false)
      if opened.place.signing != nil { members["signed"] = .boolean(sent.isSignedAgain) }
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

extension LimitedPart {
  /// The warning that clients may soon refuse the part, or do so.
  var warning: Diagnostic {
    Diagnostic(
      .warning, rule: kind.rule, at: nil, message: sentence, notes: [Diagnostic.Note(remedy)])
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
