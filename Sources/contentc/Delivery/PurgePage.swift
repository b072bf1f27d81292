import ContentDelivery
import ContentModel
import ContentSource
import Diagnostics

/// What a purge would do.
struct PurgePlanPage {
  let opened: OpenChannel
  let plan: PurgePlan
  let live: LiveRelease
  let caches: CachePurge

  init(_ opened: OpenChannel, _ plan: PurgePlan, _ live: LiveRelease, _ caches: CachePurge) {
    (self.opened, self.plan, self.live, self.caches) = (opened, plan, live, caches)
  }

  /// As in `Purging 1 entry from 40 contexts of 'production' (release 41)`.
  var headline: String {
    "Purging \(plan.entries.count.of("entry", "entries")) from \(plan.contexts.count.of("context")) of "
      + "'\(opened.channel.name)' (release \(live.number))"
  }

  private var scopes: [PurgeScope] {
    guard let site = opened.site else { return [] }
    let (app, channel) = (opened.project.app, opened.channel.name)
    return [
      PurgeScope(
        urls: [opened.configURL].compactMap(\.self), keys: ["\(app)-\(channel)-config"],
        prefix: "\(site.url)/\(channel)/"),
      PurgeScope(
        urls: plan.gone.map { site.url(of: $0.key) }, keys: ["\(app)-objects"], prefix: "\(site.url)/objects/"),
    ]
  }

  var report: Report { Report(text: text, json: members, isResult: true) }

  private var text: String {
    var lines = [headline]
    let width = plan.entries.prefix(20).map(\.id.count).max() ?? 0
    for entry in plan.entries.prefix(20) {
      lines.append("  \(entry.id.padded(to: width))  \(entry.contexts.count.of("context"))")
    }
    if plan.entries.count > 20 { lines.append("  … and \(plan.entries.count - 20) more; --json tells all") }
    if let number = plan.restoredFrom { lines.append("  as in     release \(number)") }
    if !plan.unlisted.isEmpty {
      lines.append(
        "  unlisted  from lists of \(plan.unlisted.prefix(5).joined(separator: ", "))"
          + (plan.unlisted.count > 5 ? ", …" : ""))
    }
    let bytes = plan.gone.map(\.size).reduce(0, +)
    lines.append("  removes   \(plan.gone.count.of("object")), \(bytes.asByteCount)")
    if opened.site == nil { lines.append("  no 'url' in content.yaml: no cache is purged, and nothing read back") }
    for cache in caches.plan(scopes) {
      let selectors = cache.selectors.map(\.rawValue).joined(separator: " and ")
      lines.append(
        "  \(cache.cache.padded(to: 9)) \(cache.requests.of("request")) by \(selectors), twice; at least "
          + "\(cache.seconds.rounded(toPlaces: 1)) s by its quota")
    }
    lines.append("  bound     \(bound)")
    return lines.joined(separator: "\n") + "\nNothing was changed: --dry-run\n"
  }

  private var bound: String {
    let after = opened.bound.afterPurge
    return "the purge itself, and \(after) (app" + (opened.project.lifetimes.origin > .zero ? " and origin" : "")
      + "); offline up to \(opened.project.lifetimes.offline)"
  }

  private var members: Members {
    let caches = caches.plan(scopes).map { cache -> Value in
      [
        "name": .string(cache.cache), "requests": .integer(Int64(cache.requests)),
        "selectors": .array(cache.selectors.map { .string($0.rawValue) }), "seconds": .real(cache.seconds),
      ]
    }
    var members: Members = [
      "entries": .dictionary(
        Members(plan.entries.map { ($0.id, .array($0.contexts.map { .string($0.description) })) })),
      "objects": .array(plan.gone.map { .string($0.digest.hex) }), "unlisted": .array(plan.unlisted.map(Value.string)),
      "urls": .array(scopes.flatMap(\.urls).map(Value.string)), "caches": .array(caches),
      "bound": .integer(Int64(opened.bound.afterPurge.seconds)),
    ]
    members["restoredFrom"] = plan.restoredFrom.map { .integer(Int64($0)) }
    return members
  }
}

/// What became of purges.
struct PurgePage {
  let opened: OpenChannel
  let outcomes: [Purge.Outcome]
  /// The steps, where they were not shown as they happened.
  let steps: String

  init(_ opened: OpenChannel, _ outcomes: [Purge.Outcome], _ steps: String) {
    (self.opened, self.outcomes, self.steps) = (opened, outcomes, steps)
  }

  var report: Report {
    var report = Report(text: steps + text, json: ["purges": .array(outcomes.map(members))])
    for outcome in outcomes {
      report.diagnostics += outcome.failures.map { failure in
        Diagnostic(
          .error, "purge-unfinished", at: nil, failure,
          notes: [Diagnostic.Note("purge \(outcome.manifest.sequence) is not finished; run the same command again")])
      }
      if let first = outcome.kept.first {
        report.diagnostics.append(
          Diagnostic(
            .warning, "shown-elsewhere", at: nil,
            "\(outcome.kept.count.of("object")) such as \(first.digest.hex.prefix(16))… stay, since another channel at "
              + "\(opened.place.target.name) shows them", notes: [Diagnostic.Note("purge it there, too: --channel")]))
      }
    }
    if !outcomes.allSatisfy(\.failures.isEmpty) { report.status = .unavailable }
    return report
  }

  private var text: String {
    if outcomes.isEmpty { return "Nothing to do: no live release shows it any more, and no purge is unfinished\n" }
    return outcomes.filter(\.failures.isEmpty).map { outcome in
      let (app, offline) = lastReaders(outcome)
      let manifest = outcome.manifest
      let read = outcome.readBack > 0 ? ", and \(outcome.readBack.of("read")) found no copy" : ""
      return """
        Purge \(manifest.sequence) is done: release \(manifest.release) of '\(opened.channel.name)'
          removed   \(manifest.objects.count.of("object"))\(read)
          online    the last reader has let go at \(app)
          offline   the last reader has let go at \(offline)

        """
    }.joined()
  }

  /// When the last app has let go that asks, and the last one that has no connection.
  private func lastReaders(_ outcome: Purge.Outcome) -> (online: String, offline: String) {
    let times = opened.project.lifetimes
    func moment(after seconds: Int) -> String {
      Instant(secondsSinceReferenceDate: Clock.now.secondsSinceReferenceDate + Double(seconds)).rfc3339
    }
    // Without somewhere to read back, caches keep config for as long as they may.
    let shared = outcome.freshSeconds == nil ? opened.bound.correction.seconds : opened.bound.afterPurge.seconds
    return (moment(after: shared), moment(after: shared - times.app.seconds + times.offline.seconds))
  }

  private func members(_ outcome: Purge.Outcome) -> Value {
    let (app, offline) = lastReaders(outcome)
    var members: Members = [
      "sequence": .integer(Int64(outcome.manifest.sequence)), "release": .integer(Int64(outcome.manifest.release)),
      "entries": .array(outcome.manifest.entries.map(Value.string)),
      "objects": .integer(Int64(outcome.manifest.objects.count)), "kept": .integer(Int64(outcome.kept.count)),
      "readBack": .integer(Int64(outcome.readBack)), "online": .string(app), "offline": .string(offline),
      "caches": .array(
        outcome.caches.map { cache in
          [
            "name": .string(cache.cache), "requests": .integer(Int64(cache.requests)), "seconds": .real(cache.seconds),
            "ok": .boolean(cache.failure == nil),
          ]
        }),
    ]
    members["freshSeconds"] = outcome.freshSeconds.map(Value.real)
    return .dictionary(members)
  }
}
