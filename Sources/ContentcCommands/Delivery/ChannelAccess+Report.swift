import ContentModel
import ContentSource
import Diagnostics

extension ChannelAccess {
  /// Returns a report with the page of the named channel, or of all channels.
  ///
  /// `addPage` adds the page of a channel to the report, and returns its members. If the channel
  /// cannot be read, a warning has the reason, and the other channels are shown. It is an error if
  /// no channel can be read, or one that is needed. Mistakes in the settings that the command uses
  /// are always errors.
  func report(
    on word: String?, using used: Set<ProjectSetting>,
    needing isNeeded: (Channel) -> Bool = { _ in false },
    addPage: (Channel, DeliverySettings, inout Report) throws -> Members
  ) throws -> Report {
    let file = try projectFile()
    let isAll = try name(word) == nil && !file.channelNames.isEmpty
    // A mistake may hide a channel.
    if isAll { _ = try file.settings(using: [.channels], of: []) }
    if isAll, file.channelNames.count > 1, trust.notBelow != nil {
      throw Failure(
        .usage, .whichChannel,
        "--not-below is a release of one channel: the project has \(file.channelNames.joined(separator: ", "))",
        notes: ["name the channel as an argument or by --channel \(file.channelNames[0])"])
    }
    let names = isAll ? file.channelNames : [try channel(word, using: []).channel.name]
    var report = Report(isResult: true)
    var all: [(String, Value)] = []
    for name in names {
      do {
        guard let (channel, project) = try file.channel(name, using: used) else { continue }
        let members: Members
        do {
          members = try Failure.ofDelivery { try addPage(channel, project, &report) }
        } catch let failure as Failure {
          report.note(failure, toRead: channel, of: names.count, isNeeded: isNeeded(channel))
          members = ["error": .string(failure.diagnostic.message)]
        }
        all.append((name, .dictionary(members)))
      } catch let mistakes as ContentMistakes {
        report.note(mistakes, inSettingsOf: name)
        all.append((name, ["error": .string(mistakes.diagnostics.first?.message ?? "")]))
      }
    }
    report.json["channels"] = .dictionary(Members(all))
    return report
  }
}

extension Report {
  /// Adds the mistakes for which a channel is not shown; those of the project concern each channel.
  fileprivate mutating func note(_ mistakes: ContentMistakes, inSettingsOf channel: String) {
    text += "\(channel)\n  cannot be read\n"
    diagnostics += mistakes.diagnostics.filter { !diagnostics.contains($0) }
    status = ExitStatus(after: mistakes.diagnostics)
    sources = mistakes.sources
  }

  /// Adds the failure to read a channel.
  fileprivate mutating func note(
    _ failure: Failure, toRead channel: Channel, of count: Int, isNeeded: Bool
  ) {
    text += "\(channel.name)\n  cannot be read\n"
    guard count > 1 else {
      diagnostics.append(failure.diagnostic)
      status = failure.status
      return
    }
    diagnostics.append(
      .warning(
        .unreadableChannel, at: nil,
        message: "'\(channel.name)' cannot be read: \(failure.diagnostic.message)",
        notes: failure.diagnostic.notes))
    let unreadable = diagnostics.indices.filter { diagnostics[$0].rule == .unreadableChannel }
    if isNeeded, let last = unreadable.last {
      status = failure.status
      diagnostics[last].severity = .error
    }
    if unreadable.count == count {
      status = failure.status
      for index in unreadable { diagnostics[index].severity = .error }
    }
  }
}
