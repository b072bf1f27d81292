import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
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
  /// The reason for which readers may not have the switch, although it is published; `nil` if they have
  /// it, or if nobody knows.
  var delay: Delay?

  /// A published switch that readers do not have yet.
  struct Delay {
    /// The readers who lack it, such as `readers do NOT have it yet`.
    let sentence: String
    /// What to do, as a sentence; `nil` if only time helps.
    let next: String?
  }

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
      let reason = (try? opened.reasonForNoConfig()) ?? "nothing is published yet"
      return "\(name)\n  \(reason)\n"
    }
    var lines = [name] + (delay.map(delayed) ?? ["  \(state)"])
    if phase != .off, phase != .over {
      if let retryAfter, let span = TimeSpan(seconds: retryAfter) {
        lines.append("  readers ask again every \(span)")
      }
      let texts = texts
      if !texts.isEmpty, texts.allSatisfy({ Self.words(of: $0.text).isEmpty }) {
        lines.append(
          "  no title or message: apps show their own words; those of maintenance.yaml come with "
            + "'contentc publish \(opened.channel.name)'")
        return lines.joined(separator: "\n") + "\n"
      }
      lines += texts.prefix(8).map { "  \($0.locale.padded(to: 8)) \(Self.sentence($0.text))" }
      if texts.count > 8 {
        lines.append("  … and \((texts.count - 8).counted("more locale")); --json lists all")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the lines about a switch that readers do not have yet.
  private func delayed(_ delay: Delay) -> [String] {
    let what =
      switch phase {
      case .off, .over: "The end of maintenance"
      case .on, .scheduled: "MAINTENANCE"
      }
    let first = "  \(what) is published, but \(delay.sentence)"
    let next = delay.next.map { ["  next     \($0)"] } ?? []
    return switch phase {
    case .off, .over: [first] + next
    case .on:
      [first] + next + ["  period  \(since)\(until.isEmpty ? ", until it is switched off" : until)"]
    case .scheduled: [first] + next + ["  period   from \(setting.from?.rfc3339 ?? "")\(until)"]
    }
  }

  private var since: String {
    (setting.from ?? setting.since).map { " since \($0.rfc3339)" } ?? ""
  }
  private var until: String { setting.until.map { " until \($0.rfc3339)" } ?? "" }

  private var state: String {
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
      // The members of these texts are those of the project, also one that is named 'format'.
      guard let hash = devices["any"]?.digest, let bytes = try? reader.bytes(of: hash),
        let text = (try? PropertyList.decode(bytes))?.value.members
      else { return nil }
      return (locale, text)
    }
  }

  private static func words(of text: Members) -> [String] {
    [text["title"]?.text, text["message"]?.text ?? text["body"]?.text].compactMap(\.self)
  }

  private static func sentence(_ text: Members) -> String {
    let words = words(of: text)
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
