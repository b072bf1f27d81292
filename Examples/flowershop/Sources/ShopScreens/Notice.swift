package import ContentClient
import Foundation

/// Short texts about the content: its state, its age and its changes.
package enum Notice {
  /// The most ids that a line names.
  private static let mostIDs = 3

  /// Returns the line for an update; `nil` for one that the page itself shows.
  package static func text(
    release: Int, reason: ContentUpdate.Reason, changes: ChangeSummary
  ) -> String? {
    switch reason {
    case .release: "Release \(release): \(text(changes))"
    case .purge: "The shop withdrew content."
    case .time: "Content appeared or disappeared on its date."
    case .context, .state: nil
    }
  }

  private static func text(_ changes: ChangeSummary) -> String {
    if changes.isEverything { return "everything is new" }
    var parts = changes.kinds.map { name, ids in
      "\(ids.count) \(name) (\(list(ids.map(\.text))))"
    }
    if !changes.others.isEmpty {
      parts.append("other bundles (\(list(changes.others.map(\.text))))")
    }
    return parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(mostIDs).joined(separator: ", ") + (names.count > mostIDs ? ", …" : "")
  }

  /// Returns the line below each page: release, language, device, country and age.
  package static func status(
    of snapshot: ContentSnapshot, for reader: ReaderContext, isOffline: Bool
  ) -> String {
    var parts = ["release \(snapshot.release)", snapshot.locale ?? "no language", reader.device]
    if let country = reader.country { parts.append(country) }
    parts.append(text(snapshot.freshness))
    if isOffline { parts.append("offline") }
    return parts.joined(separator: " · ")
  }

  private static func text(_ freshness: ContentSnapshot.Freshness) -> String {
    switch freshness {
    case .fresh(let until): "fresh until \(time(until))"
    case .stale(let since?): "stale since \(time(since))"
    case .stale(nil): "never checked"
    }
  }

  private static func time(_ instant: Instant) -> String {
    let style = Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false)
    return Date(timeIntervalSinceReferenceDate: instant.secondsSinceReferenceDate).formatted(style)
  }
}
