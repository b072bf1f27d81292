package import ContentModel
package import Diagnostics

/// The settings of `content.yaml` that deliver releases to readers.
///
/// Commands about channels know only these. They work although other content has mistakes.
package struct DeliverySettings: Sendable {
  /// The app's name, which config begins with.
  package var app: String
  package var format: PropertyListFormat
  package var lifetimes: Lifetimes
  /// The maximum time until a correction reaches every reader.
  package var stalenessLimit: (limit: TimeSpan, location: SourceLocation)?
  package var channels: [Channel]
  /// The declared locales; `nil` if they cannot be read.
  package var locales: LocaleSet?

  /// The times for which caches keep config, and apps keep content.
  package struct Lifetimes: Hashable, Sendable {
    package var app: TimeSpan = .minutes(10)
    package var edge: TimeSpan = .minutes(5)
    package var origin: TimeSpan = .zero
    package var staleWhileRevalidate: TimeSpan = .seconds(30)
    package var staleIfError: TimeSpan = .days(1)
    package var offline: TimeSpan = .days(7)
  }

  /// Returns the maximum staleness of a channel's content at its readers.
  package func bound(of channel: Channel) -> StalenessBound {
    StalenessBound(
      StalenessBound.Lifetimes(
        origin: lifetimes.origin, edge: lifetimes.edge,
        staleWhileRevalidate: lifetimes.staleWhileRevalidate,
        staleIfError: lifetimes.staleIfError, app: lifetimes.app), caches: channel.caches)
  }
}

extension DeliverySettings {
  /// Returns an error for each channel in which a correction may take longer than the project
  /// allows.
  package func stalenessProblems() -> [Diagnostic] {
    guard let limit = stalenessLimit else { return [] }
    let declaration = Diagnostic.Declaration(
      missingAt: limit.location,
      summary:
        "channels take longer for a correction than 'stalenessLimit', which is \(limit.limit)")
    return channels.compactMap { channel in
      let bound = bound(of: channel)
      guard bound.correction > limit.limit else { return nil }
      return Diagnostic(
        .error, rule: .staleness, at: limit.location,
        message:
          "'stalenessLimit' is \(limit.limit), but a correction in '\(channel.name)' takes up to "
          + "\(bound.correction)",
        notes: bound.parts.map { Diagnostic.Note("\($0.layer): \($0.span)") }
      ).breaking(declaration)
    }
  }
}
