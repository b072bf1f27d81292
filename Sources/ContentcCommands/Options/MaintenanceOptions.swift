package import ArgumentParser
package import ContentModel
package import ContentReleases
import ContentSource
import Diagnostics

/// The options that describe a maintenance.
package struct MaintenanceOptions: ParsableArguments {
  package init() {}

  @Option(help: ArgumentHelp("The start. Default: now.", valueName: "moment"))
  package var from: String?
  @Option(
    help: ArgumentHelp(
      "The end. Default: when it is switched off.", valueName: "moment"))
  package var until: String?
  @Option(
    help: ArgumentHelp(
      "The time until readers ask again, such as 120 or 2m. Default: that of maintenance.yaml.",
      valueName: "duration"))
  package var retryAfter: String?
  @Option(
    name: .customLong("message"),
    help: ArgumentHelp(
      "A live entry that readers see instead of maintenance.yaml. Default: none.",
      valueName: "entry"), completion: .entries)
  package var entry: String?

  /// `true` if no option is set.
  package var isEmpty: Bool { from == nil && until == nil && retryAfter == nil && entry == nil }

  /// Returns the switch that the options describe, without its message.
  package func order(at now: Instant) throws(Failure) -> MaintenanceSwitch {
    let zone = InstantSyntax.zoneOfThisMachine
    let from = try from.map { text throws(Failure) in
      try Self.coming(text, option: "--from", after: now, in: zone)
    }
    let until = try until.map { text throws(Failure) -> Instant in
      if let from, from > now {
        return try Self.moment(text, option: "--until", after: from, in: zone)
      }
      return try Self.coming(text, option: "--until", after: now, in: zone)
    }
    let order = MaintenanceSwitch(
      isActive: true, from: from, until: until, since: now, retryAfter: try retryAfterSeconds())
    if let problem = order.problem(at: now) {
      throw Failure(
        .usage, .badWindow, "this maintenance is impossible: \(problem)",
        notes: ["now is \(now.rfc3339)"])
    }
    return order
  }

  private func retryAfterSeconds() throws(Failure) -> Int? {
    guard let retryAfter else { return nil }
    let span = Int(retryAfter).flatMap(TimeSpan.init(seconds:)) ?? TimeSpan(retryAfter)
    guard let span, span > .zero else {
      throw Failure(
        .usage, .badDuration, "--retry-after must be seconds or a duration such as 2m, above 0")
    }
    return span.seconds
  }

  /// Returns the moment that a text names, and refuses a time of day that has just passed.
  ///
  /// A command that is repeated after its `--until` would otherwise move the maintenance to the next
  /// day.
  private static func coming(
    _ text: String, option name: String, after now: Instant, in zone: String
  ) throws(Failure) -> Instant {
    let moment = try Self.moment(text, option: name, after: now, in: zone)
    guard let passed = InstantSyntax.passedTime(text, before: now, in: zone) else { return moment }
    let seconds = Int(now.secondsSinceReferenceDate - passed.instant.secondsSinceReferenceDate)
    let age = TimeSpan(seconds: seconds < 60 ? seconds : seconds / 60 * 60) ?? .zero
    throw Failure(
      .usage, .badWindow,
      "\(name) '\(text)' passed \(age) ago; if you mean the next one, write its date: \(passed.next)",
      notes: (name == "--from" ? ["without --from, maintenance begins now"] : [])
        + ["now is \(now.rfc3339); without a zone, the time is in \(zone)"])
  }

  private static func moment(
    _ text: String, option name: String, after now: Instant, in zone: String
  ) throws(Failure) -> Instant {
    do { return try InstantSyntax.parse(text, after: now, in: zone) } catch {
      let form = "is not a time such as 10:30, 2026-11-21T10:30 or 2026-11-21T10:30:00+01:00"
      let rule = InstantSyntax.brokenRule(text).map { "must \($0)" }
      let why = error == .noInstant ? rule ?? form : error.sentence
      throw Failure(
        .usage, .badTime, "\(name) '\(text)': \(why)",
        notes: ["without a zone, the time is in \(zone)"]
      )
    }
  }
}
