package import ContentModel
package import ContentSource
package import Diagnostics

/// The text and the JSON of a channel's staleness bounds.
package struct StalenessPage {
  private let project: DeliverySettings
  private let channel: Channel
  private let bound: StalenessBound
  private let purgeTime: TimeSpan

  /// Creates the page of a channel whose caches are purged in `purgeTime`.
  package init(_ channel: Channel, of project: DeliverySettings, purgeTime: TimeSpan) {
    self.project = project
    self.channel = channel
    self.purgeTime = purgeTime
    bound = project.bound(of: channel)
  }

  private var changes: [(name: String, words: String, change: StalenessBound.Change)] {
    [
      ("correction", "a correction", .correction), ("purge", "a purge", .purge(time: purgeTime)),
      ("maintenance", "a maintenance switch", .maintenanceOn(time: purgeTime)),
    ]
  }

  /// Each bound with its layers, each layer with its numbers and their rules.
  package var text: String {
    var lines = ["\(channel.name) at \(channel.target)"]
    for (_, words, change) in changes {
      lines.append("  \(words.padded(to: 21)) \(bound.span(of: change))")
      for part in bound.parts(of: change) {
        for (index, term) in part.terms.enumerated() {
          let layer = index == 0 ? part.layer : ""
          lines.append(
            "    \(layer.padded(to: 10)) \("\(term.span)".padded(to: 8)) \(term.name): \(term.rule)"
          )
        }
      }
      let longer = bound.span(of: change, originAnswers: false)
      if longer > bound.span(of: change) {
        lines.append(
          "    \(longer) while the origin does not answer: ttl.staleIfError, "
            + "\(project.lifetimes.staleIfError) in each share of a cache (RFC 5861, 4)")
      }
    }
    return (lines + notes).joined(separator: "\n") + "\n"
  }

  private var notes: [String] {
    let unpurged = channel.caches.dropFirst(bound.purged.count).map(\.name.rawValue)
    let left =
      unpurged.isEmpty
      ? []
      : [
        "  A purge does not reach \(unpurged.joined(separator: ", ")): "
          + "content.yaml has no settings for it, or for a cache nearer the origin"
      ]
    let offline = project.lifetimes.offline
    return [
      "  In maintenance, readers ask every retryAfter instead of ttl.app: "
        + "once it is off, they notice within that time",
      "  Without a connection, an app shows content for up to \(offline) (ttl.offline)",
    ] + signing + left
  }

  private var signing: [String] {
    guard let validFor = channel.signing?.validFor else { return [] }
    return [
      "  If someone keeps all news from an app that pins a key, it says that its content is stale "
        + "after \(validFor) (signing.validFor)"
    ]
  }

  /// An error for each bound that exceeds `stalenessLimit`.
  package var diagnostics: [Diagnostic] {
    guard let limit = project.stalenessLimit else { return [] }
    return changes.filter { bound.span(of: $0.change) > limit.limit }.map { _, words, change in
      Diagnostic(
        .error, rule: .staleness, at: limit.location,
        message:
          "'stalenessLimit' is \(limit.limit), but \(words) in '\(channel.name)' takes up to "
          + "\(bound.span(of: change))",
        notes: bound.parts(of: change).map { Diagnostic.Note("\($0.layer): \($0.span)") })
    }
  }

  /// The members of the JSON output; all times are in seconds.
  package var members: Members {
    var members = Members(changes.map { ($0.name, .dictionary(self.members(of: $0.change))) })
    members["offline"] = .integer(Int64(project.lifetimes.offline.seconds))
    members["validFor"] = channel.signing.map { .integer(Int64($0.validFor.seconds)) }
    members["limit"] = project.stalenessLimit.map { .integer(Int64($0.limit.seconds)) }
    members["purged"] = .array(bound.purged.map { .string($0.name.rawValue) })
    return members
  }

  private func members(of change: StalenessBound.Change) -> Members {
    let layers = bound.parts(of: change).map { part -> Value in
      let terms = part.terms.map { term -> Value in
        [
          "name": .string(term.name), "seconds": .integer(Int64(term.span.seconds)),
          "rule": .string(term.rule),
        ]
      }
      return [
        "layer": .string(part.layer), "seconds": .integer(Int64(part.span.seconds)),
        "terms": .array(terms),
      ]
    }
    return [
      "seconds": .integer(Int64(bound.span(of: change).seconds)), "layers": .array(layers),
      "originFails": .integer(Int64(bound.span(of: change, originAnswers: false).seconds)),
    ]
  }
}
