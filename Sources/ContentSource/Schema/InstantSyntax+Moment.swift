package import ContentModel
import System

/// Instants as users type them in options: also without a zone, and times of day.
extension InstantSyntax {
  /// The time zone of this machine, such as `Europe/Paris`.
  package static var zoneOfThisMachine: String {
    TimeZoneDatabase.current.zoneOfMachine(variable: Environment.value(of: "TZ"))
  }

  /// Reads an instant as in content, or a local time in a zone; a time of day such as `10:30` is
  /// the first one after `now`.
  ///
  /// `2026-11-21T10:30` and `10:30` are local times in `zone`, unless they name a zone as in
  /// content.
  package static func parse(_ text: String, after now: Instant, in zone: String) throws(Problem)
    -> Instant
  {
    let parts = text.split(separator: " ")
    guard (1...2).contains(parts.count), Instant(rfc3339: text) == nil else {
      return try parse(text)
    }
    let name = parts.count == 2 ? String(parts[1]) : zone
    guard parts.count == 1 || isZoneName(name),
      let zone = TimeZoneDatabase.current.zone(named: name)
    else {
      throw .unknownZone(name)
    }
    if let local = localTime(parts[0]) { return try instant(of: local, in: zone) }
    let time =
      numbers(parts[0], separator: ":", lengths: [2, 2, 2])
      ?? numbers(parts[0], separator: ":", lengths: [2, 2])
    guard let time else { throw .noInstant }
    return try first(time, after: now, in: zone)
  }

  /// A time of day that has just passed.
  package struct PassedTime: Hashable, Sendable {
    /// The moment of the past time.
    package let instant: Instant
    /// The next time of day like it with its date, such as `2026-11-22T10:30`.
    package let next: String
  }

  /// Returns the time of day that a text names if it passed within the twelve hours before `now`;
  /// `nil` for any other text.
  ///
  /// Such a time may be meant, although `parse` takes the text for the next one.
  package static func passedTime(
    _ text: String, before now: Instant, in zone: String
  ) -> PassedTime? {
    let start = Instant(secondsSinceReferenceDate: now.secondsSinceReferenceDate - 43_200)
    let name = text.split(separator: " ").dropFirst().first.map { String($0) } ?? zone
    // Only a time of day depends on the moment after which it is.
    guard let next = try? parse(text, after: now, in: zone),
      let last = try? parse(text, after: start, in: zone), last != next,
      let zone = TimeZoneDatabase.current.zone(named: name)
    else { return nil }
    let seconds = Int64(next.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime
    let local = CivilTime(secondsSince1970: seconds + zone.offset(at: seconds))
    return PassedTime(instant: last, next: "\(local.minutes.prefix(10))T\(text)")
  }

  private static func first(_ time: [Int], after now: Instant, in zone: TimeZoneRules)
    throws(Problem) -> Instant
  {
    let seconds =
      Int64(now.secondsSinceReferenceDate.rounded(.down)) + Instant.referenceDateInUnixTime
    let offset = zone.offset(at: seconds)
    for day in Int64(0)...2 {
      let date = CivilTime(secondsSince1970: seconds + offset + day * 86_400)
      guard
        let local = CivilTime(
          year: date.year, month: date.month, day: date.day, hour: time[0], minute: time[1],
          second: time.count > 2 ? time[2] : 0)
      else { throw .noInstant }
      // A local time that clocks skip or show twice is ambiguous, unless it is past.
      if local.secondsSince1970 - offset <= seconds - 3_600 { continue }
      let instant = try instant(of: local, in: zone)
      if instant > now { return instant }
    }
    throw .noInstant
  }
}
