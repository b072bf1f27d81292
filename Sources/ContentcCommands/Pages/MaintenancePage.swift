import CommandParts
import CommandReports
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import Notifications
import Platform
import PropertyLists

/// The text and the JSON of a channel's maintenance.
struct MaintenancePage {
  let opened: OpenChannel
  let live: LiveRelease?
  let now: Instant
  /// The content that has the texts.
  let content: ReleaseContent?
  /// `true` if the page shows a switch that would be made.
  let isDry: Bool

  init(
    _ opened: OpenChannel, live: LiveRelease?, now: Instant, content: ReleaseContent? = nil,
    isDry: Bool = false
  ) {
    (self.opened, self.live, self.now, self.isDry) = (opened, live, now, isDry)
    self.content = content ?? live?.content(at: opened.place.target)
  }

  private var setting: MaintenanceSwitch { MaintenanceSwitch(live?.maintenance) }
  private var phase: MaintenanceSwitch.Phase { setting.phase(at: now) }
  private var retryAfter: Int? { live?.maintenance?["retryAfter"]?.number }

  /// The channel and its target, such as `production at site`, and below them the state and the
  /// times of maintenance, and the texts that readers see.
  var text: String {
    let name = "\(opened.channel.name) at \(opened.place.target.name)"
    guard live != nil else {
      let reason = (try? opened.place.reasonForNoConfig()) ?? "nothing is published yet"
      return "\(name)\n  \(reason)\n"
    }
    var lines = [name, "  \(state)"]
    if phase != .off, phase != .over {
      if let retryAfter, let span = TimeSpan(seconds: retryAfter) {
        lines.append("  readers ask again every \(span)")
      }
      let texts = texts
      lines += texts.prefix(8).map { "  \($0.locale.padded(to: 8)) \(Self.sentence($0.text))" }
      if texts.count > 8 {
        lines.append("  … and \((texts.count - 8).counted("more locale")); --json lists all")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var state: String {
    let setting = setting
    let since = (setting.from ?? setting.since).map { " since \($0.rfc3339)" } ?? ""
    let until = setting.until.map { " until \($0.rfc3339)" } ?? ""
    if isDry {
      return switch phase {
      case .off, .over: "maintenance would be off"
      case .on:
        "maintenance would be on\(since)\(until.isEmpty ? ", until it is switched off" : until)"
      case .scheduled: "maintenance would be scheduled: from \(setting.from?.rfc3339 ?? "")\(until)"
      }
    }
    return switch phase {
    case .off: "maintenance is off"
    case .on: "MAINTENANCE is on\(since)\(until.isEmpty ? ", until it is switched off" : until)"
    case .scheduled: "maintenance is scheduled: from \(setting.from?.rfc3339 ?? "")\(until)"
    case .over: "maintenance is over since \(setting.until?.rfc3339 ?? "")"
    }
  }

  /// The texts that readers see on an undeclared device, by locale.
  private var texts: [(locale: String, text: Members)] {
    guard let content, let payloads = live?.maintenance?["payloads"]?.members else { return [] }
    let reader = ReleaseReader(content)
    return payloads.compactMap { locale, devices in
      guard let hash = devices["any"]?.digest, let text = try? reader.value(of: hash).members else {
        return nil
      }
      return (locale, text)
    }
  }

  private static func sentence(_ text: Members) -> String {
    let words = [text["title"]?.text, text["message"]?.text ?? text["body"]?.text].compactMap(
      \.self)
    return words.isEmpty
      ? "no title or message: apps show their own words" : words.joined(separator: " – ")
  }

  var members: Members {
    var members: Members = [
      "channel": .string(opened.channel.name), "target": .string(opened.place.target.name),
      "state": .string(phase.rawValue), "active": .boolean(setting.isActive),
      "texts": .dictionary(Members(texts.map { ($0.locale, .dictionary($0.text)) })),
    ]
    members["release"] = live.map { .integer(Int64($0.number)) }
    members["retryAfter"] = retryAfter.map { .integer(Int64($0)) }
    members["from"] = setting.from.map { .string($0.rfc3339) }
    members["until"] = setting.until.map { .string($0.rfc3339) }
    members["since"] = setting.since.map { .string($0.rfc3339) }
    return members
  }
}

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
      record.number, headline: "\(headline): maintenance \(action.rawValue)", showing: page,
      in: opened)
    report.diagnostics += large.map(\.warning)
    settings.notifier(of: opened).notify(
      .maintenance, release: record.number, changed: [], reportingIn: &report)
    opened.lookAfter(endangered, reportingIn: &report)
    return report
  }

  /// Purges config from caches twice, and reports whether readers get a release.
  func announce(
    _ release: Int, headline: String, showing page: MaintenancePage, in opened: OpenChannel
  ) -> Report {
    let console = PurgeConsole(isWanted: !common.quiet && !common.json)
    console.say(headline)
    let announcement = opened.announce(
      release,
      times: ConfigAnnouncement.Times(
        cacheDeadline: 60, verification: 30, originTimeout: opened.channel.originTimeout.seconds),
      console: console)
    var report = Report(text: page.text, json: page.members)
    report.text += announcement.line ?? ""
    let last = opened.lastReader(after: change(page, in: opened))
    report.text += "  readers  the last connected one knows by \(last)\n"
    for (name, value) in announcement.members { report.json[name] = value }
    report.json["release"] = .integer(Int64(release))
    report.diagnostics = announcement.diagnostics(.error)
    report.lasting = "release \(release) of '\(opened.channel.name)' is live"
    if announcement.isUnfinished { report.status = .unavailable }
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
  /// The time by which the last connected reader has requested config, if caches are purged by now.
  fileprivate func lastReader(after change: StalenessBound.Change) -> String {
    let seconds = bound.span(of: change).seconds
    return Instant(secondsSinceReferenceDate: Clock.now.secondsSinceReferenceDate + Double(seconds))
      .rfc3339
  }
}
