import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import System

extension Maintenance {
  /// Publishes a switch, purges config from caches and reads it back.
  ///
  /// After a faster publisher, the switch is planned again.
  func publish(
    _ draft: Draft, showing page: MaintenancePage, after live: LiveRelease, in opened: OpenChannel,
    now: Instant
  ) throws -> Report {
    var draft = draft
    var page = page
    var known = live
    let endangered = EndangeredObjects()
    let outcome = try opened.publishUrgently(after: live, endangered: endangered) { live in
      if live.record.digest != known.record.digest {
        (draft, page) = try planned(after: live, in: opened, now: now)
        known = live
      }
      return draft
    }
    let record: ReleaseRecord
    var large: [LimitedPart] = []
    switch outcome {
    case .released(let new, let sent): (record, large) = (new, sent.large)
    // After an interruption, caches may still have the config before it.
    case .unchanged(let live, _): record = live
    }
    let headline = "Release \(record.number) of '\(opened.channel.name)' is live"
    var report = announce(
      record.identity, headline: "\(headline): maintenance \(action.rawValue)", showing: page,
      in: opened)
    report.diagnostics += large.map(\.warning)
    settings.notifier(of: opened).notify(
      .maintenance, release: record.number, changed: [], reportingIn: &report)
    opened.lookAfter(endangered, reportingIn: &report)
    return report
  }

  /// Purges config from caches twice, and reports whether readers get a release.
  func announce(
    _ release: ReleaseRecord.Identity, headline: String, showing page: MaintenancePage,
    in opened: OpenChannel
  ) -> Report {
    let console = PurgeConsole(opened.notes)
    console.say(headline)
    let announcement = opened.announce(
      release,
      times: ConfigAnnouncement.Times(
        cacheDeadline: 60, verification: 30, originTimeout: opened.channel.originTimeout.seconds),
      console: console)
    var page = page
    page.delay = announcement.delay
    var report = Report(text: page.text, json: page.members)
    report.text += announcement.line ?? ""
    let last = opened.lastReader(
      after: change(page, in: opened), isPurged: !announcement.isUnfinished)
    let condition = announcement.delay == nil ? "" : "without that, "
    report.text += "  readers  \(condition)the last connected one knows by \(last)\n"
    for (name, value) in announcement.members { report.json[name] = value }
    report.json["release"] = .integer(Int64(release.number))
    report.diagnostics = announcement.diagnostics(.error)
    report.lasting = "release \(release.number) of '\(opened.channel.name)' is live"
    if announcement.isUnfinished {
      report.status = .unavailable
      let note = Diagnostic.Note("\(announcement.nextStep) until it succeeds")
      for index in report.diagnostics.indices.suffix(1) {
        report.diagnostics[index].notes.append(note)
      }
    }
    return report
  }

  /// Returns the change that readers receive, for the staleness bound.
  private func change(_ page: MaintenancePage, in opened: OpenChannel) -> StalenessBound.Change {
    guard action == .off else { return .maintenanceOn(time: .zero) }
    let seconds = page.live?.maintenance?["retryAfter"]?.number ?? 0
    // A reader that does not know of the maintenance yet requests config as usual.
    return .maintenanceOff(
      time: .zero,
      retryAfter: max(TimeSpan(seconds: seconds) ?? .zero, opened.project.lifetimes.app))
  }
}

extension OpenChannel {
  /// Returns the time by which every connected reader has the new config.
  ///
  /// `isPurged` is `false` if a cache may still have the config before it.
  fileprivate func lastReader(after change: StalenessBound.Change, isPurged: Bool) -> String {
    let share = isPurged ? 0 : bound.correction.seconds - bound.afterPurge.seconds
    let seconds = bound.span(of: change).seconds + share
    return Instant(secondsSinceReferenceDate: Clock.now.secondsSinceReferenceDate + Double(seconds))
      .rfc3339
  }
}
