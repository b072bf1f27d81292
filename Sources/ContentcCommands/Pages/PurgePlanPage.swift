import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import System

/// The text and the JSON of a purge's plan.
struct PurgePlanPage {
  let opened: OpenChannel
  let plan: PurgePlan
  let live: LiveRelease
  /// The earlier purges that would be finished, too.
  let left: [KnownPurge]
  /// The objects that only earlier releases show, and that would be removed, too.
  private let older: [ReleaseObject]
  private let caches: CachePurge
  private let problems: [String]

  init(
    _ opened: OpenChannel, plan: PurgePlan, live: LiveRelease, left: [KnownPurge],
    older: [ReleaseObject] = []
  ) {
    self.opened = opened
    self.plan = plan
    self.live = live
    self.left = left
    self.older = older
    let reachable = opened.reachableCaches()
    (caches, problems) = (reachable.purge, reachable.problems)
  }

  /// Returns the report if no purge would begin.
  ///
  /// `isNamed` is `false` for a command that only finishes earlier purges.
  static func nothing(left: [KnownPurge], isNamed: Bool) -> Report {
    let done = isNamed ? "this purge is done, and " : ""
    let lines =
      left.isEmpty
      ? ["Nothing to do: \(done)no purge is unfinished"] : left.map(line)
    return Report(
      text: lines.joined(separator: "\n") + "\nNothing was changed: --dry-run\n",
      json: ["entries": [:]], isResult: true
    )
  }

  private static func line(_ left: KnownPurge) -> String {
    "Purge \(left.begun.number) (\(left.begun.reason.harmless)) would be finished, too, "
      + "release \(left.begun.release)"
  }

  /// The first line, such as `Purging 1 entry from 40 contexts of 'production' (release 41)`.
  var headline: String {
    if plan.contexts.isEmpty, plan.contentRelease == live.record.contentRelease {
      let channel = opened.channel.name
      return "Purging what only earlier releases of '\(channel)' show: readers keep the content of "
        + "release \(live.number)"
    }
    let entries = plan.entries.count.counted("entry", plural: "entries")
    let contexts = plan.contexts.count.counted("context")
    let work =
      plan.sources.isEmpty
      ? "Purging \(entries) from \(contexts)" : "Restoring \(entries) for \(contexts)"
    return "\(work) of '\(opened.channel.name)' (release \(live.number))"
  }

  private var scopes: [PurgeScope] {
    guard let site = opened.site else { return [] }
    let app = opened.project.app
    return [
      .config(app: app, channel: opened.channel.name, format: live.format, at: site.url),
      .objects((plan.gone + older).map(\.key), app: app, at: site.url),
    ]
  }

  var report: Report {
    var report = Report(text: text, json: members, isResult: true)
    report.diagnostics =
      (problems + caches.plan(scopes).filter(\.emptiesAll).map(\.emptiesAllSentence)).map {
        Diagnostic(.warning, rule: .cachePurge, at: nil, message: $0)
      } + warnings + opened.unpurgedWarnings
    return report
  }

  /// Warnings about fields that refer to a purged entry, about readers of other locales who keep its
  /// texts, and about readers who do not get a restored entry, or not in its last form.
  var warnings: [Diagnostic] { referenceWarnings + localeWarnings + restorationWarnings }

  private var referenceWarnings: [Diagnostic] {
    let fields = plan.referring.map { "'\($0.field)' of \($0.id)" }
    guard let last = fields.last else { return [] }
    let others = fields.dropLast().joined(separator: ", ")
    let clause = others.isEmpty ? "\(last) still refers" : "\(others) and \(last) still refer"
    return [
      .warning(
        .purgedReference, at: nil, message: "\(clause) to a purged entry",
        notes: [
          Diagnostic.Note("correct the content and publish; --restore or --replace keeps the entry")
        ])
    ]
  }

  private var localeWarnings: [Diagnostic] {
    plan.kept.map { id, fields, contexts in
      let names = fields.map { "'\($0)'" }.joined(separator: ", ")
      return .warning(
        .keptTexts, at: nil,
        message:
          "readers of \(Self.list(contexts.map(\.description))) still get \(names) of \(id) as before",
        notes: [
          Diagnostic.Note(
            "they have no text of their own there; without --locale, the purge is for all readers")
        ])
    }
  }

  private var restorationWarnings: [Diagnostic] {
    let later = plan.removedAssets.map { asset in
      Diagnostic.warning(
        .notRestored, at: nil,
        message: "release \(asset.release) has a later form with \(asset.description)",
        notes: asset.option.map { [Diagnostic.Note("\($0) lets it return")] } ?? [])
    }
    return later
      + plan.unrestored.map { id, contexts in
        .warning(
          .notRestored, at: nil,
          message:
            "\(id) does not come back to \(Self.list(contexts.map(\.description))): every kept "
            + "release has only a purged form of it there, or one with a removed asset",
          notes: [
            Diagnostic.Note(
              "correct it and publish, with --unpurge \(id) if the form of these readers was not bad"
            )
          ])
      }
  }

  private var text: String {
    var lines = left.map(Self.line) + [headline]
    let width = plan.entries.prefix(20).map(\.id.count).max() ?? 0
    for entry in plan.entries.prefix(20) {
      let contexts =
        entry.contexts.isEmpty
        ? "in earlier releases" : Self.list(entry.contexts.map(\.description))
      lines.append("  \(entry.id.padded(to: width))  \(contexts)\(source(of: entry.id))")
    }
    if plan.entries.count > 20 {
      lines.append("  … and \(plan.entries.count - 20) more; --json lists all")
    }
    if plan.sources.isEmpty, let number = plan.restoredFrom {
      lines.append("  as in     release \(number)")
    }
    if !plan.unlisted.isEmpty {
      lines.append("  unlisted  from lists of \(Self.list(plan.unlisted))")
    }
    lines += restoredLines + withdrawals + sharedAssets
    let gone = plan.gone + older
    let size = gone.map(\.size).reduce(0, +).asByteCount
    lines.append(
      "  removes   at most \(gone.count.counted("object")), \(size)"
        + (older.isEmpty ? "" : ", \(older.count.grouped) of them from earlier releases"))
    if let urls = Self.listed(scopes.flatMap(\.urls)) { lines.append("  urls      \(urls)") }
    if opened.site == nil {
      lines.append("  no 'url' in content.yaml: no cache is purged and nothing is read back")
    }
    lines += caches.plan(scopes).map(\.line)
    lines.append("  bound     \(bound)")
    return lines.joined(separator: "\n") + "\nNothing was changed: --dry-run\n"
  }

  /// The lines on what readers of restored entries get, and on what stays as it is.
  var restoredLines: [String] {
    if plan.changes.isEmpty { return [] }
    return plan.changes.lines(limit: 10) + [
      "  All other fields stay as they are: if what is bad is among them, use --field FIELD --restore",
      "  To keep a change that was good, name the bad part with --field, or its readers with --locale",
    ]
  }

  /// The lines on bundles that lose a restored entry, such as `  withdrawn product/rose from best:
  /// that release did not have it there`.
  var withdrawals: [String] {
    plan.withdrawn.prefix(20).map { id, bundles in
      "  withdrawn \(id) from \(Self.list(bundles)): that release did not have it there"
    }
  }

  /// The line on an asset of a removed entry that other entries show, with the command that removes it.
  var sharedAssets: [String] {
    guard let first = plan.shared.first else { return [] }
    let (more, name) = (plan.shared.count - 1, first.file ?? first.object.key)
    let others = more.counted("other file", plural: "other files")
    let files = more == 0 ? "'\(name)' stays" : "'\(name)' and \(others) stay"
    let verb = first.entries.count == 1 ? "shows" : "show"
    return [
      "  shared    \(files), because \(Self.list(first.entries)) \(verb) \(more == 0 ? "it" : "them"), "
        + "too; if that is bad: contentc purge \(opened.channel.name) --asset \(name.shellWord) "
        + "--reason \"…\""
    ]
  }

  /// Returns the release from which an entry is restored, such as `; as in release 38`.
  private func source(of id: String) -> String {
    guard let source = plan.sources.first(where: { $0.id == id }) else { return "" }
    return "; as in release \(source.releases.map(String.init).joined(separator: " and "))"
  }

  /// Returns a short list of names, such as `en/any, fr/any, fr/phone and 37 more`.
  private static func list(_ names: [String]) -> String {
    names.prefix(3).joined(separator: ", ")
      + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  /// Returns the first URL and the number of the others; `nil` without URLs.
  static func listed(_ urls: [String]) -> String? {
    urls.first.map {
      "\($0)\(urls.count > 1 ? " and \(urls.count - 1) more; --json lists all" : "")"
    }
  }

  private var bound: String {
    let after = opened.bound.afterPurge
    return "the purge itself, and \(after) (app"
      + (opened.project.lifetimes.origin > .zero ? " and origin" : "")
      + "); offline up to \(opened.project.lifetimes.offline)"
  }

  private var members: Members {
    var members: Members = [
      "entries": .dictionary(
        Members(plan.entries.map { ($0.id, .array($0.contexts.map { .string($0.description) })) })),
      "objects": .array((plan.gone + older).map { .string($0.digest.hex) }),
      "unlisted": .array(plan.unlisted.map(Value.string)),
      "urls": .array(scopes.flatMap(\.urls).map(Value.string)),
      "caches": .array(caches.plan(scopes).map(\.value)),
      "bound": .integer(Int64(opened.bound.afterPurge.seconds)),
    ]
    if !plan.unrestored.isEmpty {
      members["unrestored"] = .dictionary(
        Members(
          plan.unrestored.map { ($0.id, .array($0.contexts.map { .string($0.description) })) }))
    }
    if !plan.changes.isEmpty { members["changes"] = plan.changes.value }
    members["restoredFrom"] = plan.restoredFrom.map { .integer(Int64($0)) }
    if !plan.sources.isEmpty {
      members["sources"] = .dictionary(
        Members(plan.sources.map { ($0.id, .array($0.releases.map { .integer(Int64($0)) })) }))
    }
    if !plan.withdrawn.isEmpty {
      members["withdrawn"] = .dictionary(
        Members(plan.withdrawn.map { ($0.id, .array($0.bundles.map(Value.string))) }))
    }
    return members
  }
}

extension CachePurge.Plan {
  /// The line on the cache's requests, such as `  varnish   40 requests by url, twice; at least 0.1 s`.
  var line: String {
    let selectors = selectors.map(\.rawValue).joined(separator: " and ")
    return "  \(cache.padded(to: 9)) \(requests.counted("request")) by \(selectors), twice; "
      + "at least \(seconds.rounded(toPlaces: 1)) s\(quotas)"
  }

  /// The vendor's limits, such as `; quota 25 requests at once, 5 a minute`.
  private var quotas: String {
    guard let pace = plans.first?.pace else { return "" }
    return [("requests", pace.requests), ("units", pace.units)].map { noun, bucket in
      guard let bucket else { return "" }
      let (rate, time) =
        bucket.perSecond < 1 ? (bucket.perSecond * 60, "minute") : (bucket.perSecond, "second")
      return
        "; quota \(bucket.size.grouped) \(noun) at once, \(rate.rounded(toPlaces: 1)) a \(time)"
    }.joined()
  }

  /// The JSON of the cache's requests and limits.
  var value: Value {
    let pace = plans.first?.pace
    let quotas = [("requests", pace?.requests), ("units", pace?.units)].compactMap { name, bucket in
      bucket.map { bucket -> (String, Value) in
        (name, ["atOnce": .integer(Int64(bucket.size)), "perSecond": .real(bucket.perSecond)])
      }
    }
    return [
      "name": .string(cache), "requests": .integer(Int64(requests)),
      "units": .integer(Int64(units)), "quotas": .dictionary(Members(quotas)),
      "selectors": .array(selectors.map { .string($0.rawValue) }), "seconds": .real(seconds),
    ]
  }
}
