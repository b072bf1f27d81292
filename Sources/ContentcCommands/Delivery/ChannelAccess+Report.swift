import CommandParts
import CommandReports
import ContentModel
import ContentSource
import Diagnostics

extension ChannelAccess {
  /// Returns a report with the page of the named channel, or of all channels.
  ///
  /// `addPage` adds the page of a channel to the report, and returns its members. If the channel
  /// cannot be read, a warning has the reason, and the other channels are shown. It is an error if
  /// no channel can be read, or one that is needed.
  func report(
    on word: String?, needing isNeeded: (Channel) -> Bool = { _ in false },
    addPage: (Channel, Project, inout Report) throws -> Members
  ) throws -> Report {
    let project = try project()
    let channels = try channels(word, of: project)
    var report = Report(isResult: true)
    var all: [(String, Value)] = []
    for channel in channels {
      let members: Members
      do {
        members = try Failure.ofDelivery { try addPage(channel, project, &report) }
      } catch let failure as Failure {
        report.note(failure, toRead: channel, of: channels, isNeeded: isNeeded(channel))
        members = ["error": .string(failure.diagnostic.message)]
      }
      all.append((channel.name, .dictionary(members)))
    }
    report.json["channels"] = .dictionary(Members(all))
    return report
  }
}

extension Report {
  /// Adds the failure to read a channel.
  fileprivate mutating func note(
    _ failure: Failure, toRead channel: Channel, of channels: [Channel], isNeeded: Bool
  ) {
    text += "\(channel.name)\n  cannot be read\n"
    guard channels.count > 1 else {
      diagnostics.append(failure.diagnostic)
      status = failure.status
      return
    }
    diagnostics.append(
      .warning(
        "unreadable-channel", at: nil,
        message: "'\(channel.name)' cannot be read: \(failure.diagnostic.message)",
        notes: failure.diagnostic.notes))
    let unreadable = diagnostics.indices.filter { diagnostics[$0].id == "unreadable-channel" }
    if isNeeded, let last = unreadable.last {
      status = failure.status
      diagnostics[last].severity = .error
    }
    if unreadable.count == channels.count {
      status = failure.status
      for index in unreadable { diagnostics[index].severity = .error }
    }
  }
}
