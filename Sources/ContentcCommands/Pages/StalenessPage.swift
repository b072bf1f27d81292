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

  private typealias Change = (name: String, words: String, change: StalenessBound.Change)

  private var changes: [Change] {
    [
      ("correction", "a correction", .correction), ("purge", "a purge", .purge(time: purgeTime)),
      ("maintenance", "a maintenance switch", .maintenanceOn(time: purgeTime)),
    ]
  }

  /// Changes that take equally long for the same reasons, in order of the first of each.
  private var groups: [(first: Change, others: [Change])] {
    changes.reduce(into: []) { groups, change in
      let same = groups.firstIndex {
        bound.parts(of: $0.first.change) == bound.parts(of: change.change)
      }
      if let same { groups[same].others.append(change) } else { groups.append((change, [])) }
    }
  }

  /// Each bound with its layers, each layer with its numbers and their rules.
  package var text: String {
    var lines = ["\(channel.name) at \(channel.target)"]
    for (first, others) in groups {
      let span = bound.span(of: first.change)
      lines.append("  \(first.words.padded(to: 21)) \(span)")
      for part in bound.parts(of: first.change) {
        for (index, term) in part.terms.enumerated() {
          let layer = index == 0 ? part.layer : ""
          lines.append(
            "    \(layer.padded(to: 10)) \("\(term.span)".padded(to: 8)) \(term.name): \(term.rule)"
          )
        }
      }
      let longer = bound.span(of: first.change, originAnswers: false)
      if longer > span {
        lines.append(
          "    \(longer) while the origin does not answer: ttl.staleIfError, "
            + "\(project.lifetimes.staleIfError) in each share of a cache (RFC 5861, 4)")
      }
      lines += others.map { "  \($0.words.padded(to: 21)) \(span), as \(first.words)" }
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

  /// An error for each bound that exceeds `stalenessLimit`, and for the others that equal it.
  package var diagnostics: [Diagnostic] {
    guard let limit = project.stalenessLimit else { return [] }
    return groups.filter { bound.span(of: $0.first.change) > limit.limit }.map { first, others in
      let rest = others.map(\.words).joined(separator: " and ")
      let verb = others.count == 1 ? "does" : "do"
      return Diagnostic(
        .error, rule: .staleness, at: limit.location,
        message:
          "'stalenessLimit' is \(limit.limit), but \(first.words) in '\(channel.name)' takes up to "
          + "\(bound.span(of: first.change))" + (others.isEmpty ? "" : ", and so \(verb) \(rest)"),
        notes: bound.parts(of: first.change).map { Diagnostic.Note("\($0.layer): \($0.span)") })
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
