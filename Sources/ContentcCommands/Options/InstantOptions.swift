package import ArgumentParser
package import ContentModel
package import ContentSource
import System

/// The moment of a build.
package struct InstantOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The moment that decides 'from', 'until' and 'embargo', such as '2026-12-24T18:00 "
        + "Europe/Paris'. Default: now.",
      valueName: "instant"),
    transform: InstantOptions.parse)
  package var at: Instant?

  /// The given instant, or now.
  package var instant: Instant { at ?? Clock.now }

  private static func parse(_ text: String) throws -> Instant {
    do { return try InstantSyntax.parse(text) } catch {
      let rule = error == .noInstant ? InstantSyntax.brokenRule(text) : nil
      throw ValidationError(rule.map { "the instant must \($0)" } ?? error.sentence)
    }
  }
}

extension InstantSyntax.Problem {
  /// The message of the error.
  package var sentence: String {
    switch self {
    case .noInstant:
      "the instant must have a form such as 2026-12-24T18:00:00+01:00 or "
        + "'2026-12-24T18:00 Europe/Paris'"
    case .fraction: "it must be a whole second"
    case .otherYear: "it must be in the years 1 to 9999 of UTC"
    case .unknownZone(let zone):
      "unknown time zone '\(zone)'; zones have names such as Europe/Paris"
    case .notOnce(let zone, true):
      "clocks in \(zone) skip this time; an offset such as +02:00 says what is meant"
    case .notOnce(let zone, false):
      "clocks in \(zone) show this time twice; an offset such as +02:00 says which is meant"
    }
  }
}
