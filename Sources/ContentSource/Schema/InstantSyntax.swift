package import ContentModel
package import Diagnostics
package import YAML

/// The syntax of instants in content: RFC 3339 with an offset, or a local time and an IANA zone.
///
/// Time zones are those of `TimeZoneDatabase`, so that the version of contentc determines them.
package enum InstantSyntax {
  /// The error of a text that is not an instant.
  package enum Problem: Error, Hashable, Sendable {
    case noInstant
    case unknownZone(String)
    /// A local time that clocks skip or show twice.
    case notOnce(String, skipped: Bool)
    case fraction
    /// A time that is not in the years 1 to 9999 of UTC, which other readers of property lists refuse.
    case otherYear
  }

  /// Reads an instant of whole seconds.
  package static func parse(_ text: String) throws(Problem) -> Instant {
    if let instant = Instant(rfc3339: text) {
      guard instant.secondsSinceReferenceDate.rounded() == instant.secondsSinceReferenceDate else {
        throw .fraction
      }
      return try instant.requiringYear()
    }
    let parts = text.split(separator: " ")
    guard parts.count == 2, let local = localTime(parts[0]) else { throw .noInstant }
    return try instant(of: local, in: String(parts[1]))
  }

  private static func instant(of local: CivilTime, in name: String) throws(Problem) -> Instant {
    guard isZoneName(name), let zone = TimeZoneDatabase.current.zone(named: name) else {
      throw .unknownZone(name)
    }
    return try instant(of: local, in: zone)
  }

  static func instant(of local: CivilTime, in zone: TimeZoneRules) throws(Problem) -> Instant {
    // A local time is right for an offset if the zone has that offset at the moment which it then
    // names; a day around it, the zone has at most two.
    let (before, after) = zone.offsets(around: local)
    let offsets = before == after ? [before] : [before, after]
    let fitting = offsets.filter { zone.offset(at: local.secondsSince1970 - $0) == $0 }
    guard let offset = fitting.first else { throw .notOnce(zone.name, skipped: true) }
    guard fitting.count == 1 else { throw .notOnce(zone.name, skipped: false) }
    return try Instant(secondsSince1970: local.secondsSince1970 - offset).requiringYear()
  }

  /// Returns `true` for an area such as `Europe/Paris`; abbreviations such as `CET` are ambiguous.
  static func isZoneName(_ name: String) -> Bool {
    name == "UTC" || name.utf8.contains(UInt8(ascii: "/"))
  }

  /// Reads `YYYY-MM-DDTHH:MM`, with optional seconds.
  static func localTime(_ text: Substring) -> CivilTime? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let date = numbers(halves[0], separator: "-", lengths: [4, 2, 2])
    let time =
      numbers(halves[1], separator: ":", lengths: [2, 2, 2])
      ?? numbers(halves[1], separator: ":", lengths: [2, 2])
    guard let date, let time else { return nil }
    return CivilTime(
      year: date[0], month: date[1], day: date[2], hour: time[0], minute: time[1],
      second: time.count > 2 ? time[2] : 0)
  }

  static func numbers(_ text: Substring, separator: Character, lengths: [Int]) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.map(\.utf8.count) == lengths else { return nil }
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil
    }
    return numbers.count == lengths.count ? numbers : nil
  }
}

extension InstantSyntax {
  /// The names that errors suggest.
  ///
  /// Names below `Etc` are not among them: a wrong number there is no slip for another one.
  fileprivate static var suggestedZones: [String] {
    TimeZoneDatabase.current.names.filter { isZoneName($0) && !$0.hasPrefix("Etc/") }
  }

  /// Returns the texts to write instead of a time that clocks in a zone skip or show twice: one for
  /// a skipped time, two for an ambiguous one.
  static func alternatives(to text: String, in name: String) -> [String] {
    guard let zone = TimeZoneDatabase.current.zone(named: name),
      let local = text.split(separator: " ").first.flatMap(localTime)
    else {
      return []
    }
    let (before, after) = zone.offsets(around: local)
    if after > before {
      let shown = CivilTime(secondsSince1970: local.secondsSince1970 + after - before)
      return ["\(shown.minutes) \(name)"]
    }
    return [before, after].map { local.minutes + ":\(local.second.twoDigits)" + $0.asOffset }
  }
}

extension InstantSyntax.Problem {
  /// Returns the error for the node of a text that is no instant; `name` begins its message.
  package func diagnostic(for name: String, at node: YAMLNode) -> Diagnostic {
    switch self {
    case .noInstant:
      let slip = InstantSlip(node.text)
      let example =
        "be an instant such as 2026-12-24T18:00:00+01:00 or '2026-12-24T18:00 Europe/Paris'"
      let fixIt = slip?.replacement.map { Diagnostic.FixIt(node.range, replacement: $0) }
      return .wrongType(name, must: slip?.rule ?? example, at: node.location, fixIt: fixIt)
    case .fraction: return .wrongType(name, must: "be a whole second", at: node.location)
    case .otherYear:
      return .wrongType(
        name, must: "be in the years 1 to 9999 of UTC, such as 9999-12-31T00:00:00Z",
        at: node.location)
    case .unknownZone(let zone): return unknownZone(zone, in: node)
    case .notOnce(let zone, let skipped): return notOnce(name, at: node, in: zone, skipped: skipped)
    }
  }

  private func notOnce(
    _ name: String, at node: YAMLNode, in zone: String, skipped: Bool
  ) -> Diagnostic {
    let times = InstantSyntax.alternatives(to: node.text, in: zone)
    let cause = skipped ? "skip this time" : "show this time twice"
    let advice =
      times.isEmpty ? "" : "; write \(times.joined(separator: ", or for the second time "))"
    let fixIt = times.count == 1 ? Diagnostic.FixIt(node.range, replacement: times[0]) : nil
    return Diagnostic(
      .error, rule: .ambiguousTime, at: node.location,
      message: "\(name) must be a time that exists once: clocks in \(zone) \(cause)\(advice)",
      fixIt: fixIt)
  }

  private func unknownZone(_ zone: String, in node: YAMLNode) -> Diagnostic {
    let isUTC = ["GMT", "Z", "Zulu"].contains { $0.lowercased() == zone.lowercased() }
    let nearest = isUTC ? "UTC" : zone.nearest(among: InstantSyntax.suggestedZones)
    let fixIt = nearest.map {
      Diagnostic.FixIt(node.range, replacement: "\(node.text.dropLast(zone.count))\($0)")
    }
    return Diagnostic(
      .error, rule: .unknownTimeZone, at: node.location,
      message:
        "unknown time zone '\(zone)'; \(nearest.map { "did you mean '\($0)'?" } ?? "write one such as Europe/Paris, or UTC")",
      notes: [Diagnostic.Note("time zones have IANA names such as Europe/Paris, or are UTC")],
      fixIt: fixIt)
  }
}

extension Instant {
  /// Returns the instant.
  ///
  /// - Throws: `.otherYear` if RFC 3339 cannot write it in UTC.
  fileprivate func requiringYear() throws(InstantSyntax.Problem) -> Instant {
    guard hasRFC3339 else { throw .otherYear }
    return self
  }
}

extension TimeZoneRules {
  /// Returns the offsets a day before and a day after a local time.
  fileprivate func offsets(around local: CivilTime) -> (before: Int64, after: Int64) {
    let seconds = local.secondsSince1970
    return (offset(at: seconds - 86_400), offset(at: seconds + 86_400))
  }
}
