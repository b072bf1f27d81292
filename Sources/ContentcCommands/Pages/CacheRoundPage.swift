import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import PropertyLists

/// The text and the JSON of finished purges that caches were told to forget again.
struct CacheRoundPage {
  let opened: OpenChannel
  let round: CacheRound

  /// The purges in words, such as `purges 3 to 118`.
  private var names: String { round.purges.map(\.begun.number).purgeNames }

  var text: String {
    let subject = "\(names) of '\(opened.channel.name)'"
    if !round.isConfirmed {
      let next = [nextStep] + remedies
      return """
        NOT confirmed by every cache: \(subject)
          next      \(next.joined(separator: "\n            "))

        """
    }
    let (objects, reads) = (round.outcome.objects.count, round.outcome.readBack)
    let found = reads > 0 ? ", and \(reads.counted("read")) found no copy" : ""
    let without = omitted.map(\.name).joined(separator: ", ")
    return """
      Sent to caches again: \(subject)
        dropped   config and \(objects.counted("object"))\(found)
        caches    \(round.outcome.caches.map(\.cache).distinct.joined(separator: ", "))

      """ + (without.isEmpty ? "" : "  without   \(without): not purged, and not confirmed\n")
  }

  /// The caches and machines that the round left out.
  private var omitted: [OmittedCache] { round.outcome.without.map(OmittedCache.init) }

  /// The next step, which needs a variable if a cache cannot be purged without it.
  private var nextStep: String {
    let again = "run the same command again"
    let advice = opened.reachableCaches(without: omitted).advice
    return advice.isEmpty ? again : "\(advice.joined(separator: ", ")), then \(again)"
  }

  /// The command without the caches that failed; empty if none of them did.
  private var remedies: [String] {
    let failed = opened.unreachedCaches(by: round.outcome.caches, without: omitted)
    if failed.isEmpty { return [] }
    let flags = (omitted + failed).map { " --without \($0.word)" }.joined()
    return [
      "if \(failed.map(\.name).joined(separator: " and ")) \(failed.count == 1 ? "stays" : "stay") out of service: "
        + "contentc purge \(opened.channel.name) --caches\(flags)"
    ]
  }

  /// The failures, the first of which names the commands that continue.
  var diagnostics: [Diagnostic] {
    let again = "not every cache has confirmed \(names); \(nextStep)"
    let first = [again] + (opened.notes.areWanted ? [] : remedies)
    return round.outcome.failures.enumerated().map { index, failure in
      Diagnostic(
        .error, rule: .cachePurge, at: nil, message: failure,
        notes: index == 0 ? first.map { Diagnostic.Note($0) } : [])
    }
  }

  var value: Value {
    let outcome = round.outcome
    var members: Members = [
      "purges": .array(round.purges.map { .integer(Int64($0.begun.number)) }),
      "objects": .integer(Int64(outcome.objects.count)),
      "readBack": .integer(Int64(outcome.readBack)), "done": .boolean(round.isConfirmed),
      "caches": .array(outcome.caches.map(\.value)),
    ]
    members["freshSeconds"] = outcome.freshSeconds.map(Value.real)
    if !outcome.failures.isEmpty {
      members["left"] = .array(outcome.failures.map(Value.string))
    }
    return .dictionary(members)
  }

  /// Returns the report of a round that would be made.
  static func planned(
    _ purges: [KnownPurge], without: [OmittedCache], in opened: OpenChannel, live: LiveRelease
  ) throws -> Report {
    let objects = try opened.place.objectsInCaches(of: purges)
    let scopes =
      opened.site.map { site -> [PurgeScope] in
        let (app, channel) = (opened.project.app, opened.channel.name)
        return [
          .config(app: app, channel: channel, format: live.format, at: site.url),
          .objects(objects.map(\.key), app: app, at: site.url),
        ]
      } ?? []
    let caches = opened.reachableCaches(without: without)
    let plans = caches.purge.plan(scopes)
    var lines = [
      "Would be sent to caches again: \(purges.map(\.begun.number).purgeNames) of '\(opened.channel.name)'",
      "  drops     config and \(objects.count.counted("object"))",
    ]
    if let urls = PurgePlanPage.listed(scopes.flatMap(\.urls)) {
      lines.append("  urls      \(urls)")
    }
    lines += plans.map(\.line)
    var report = Report(
      text: lines.joined(separator: "\n") + "\nNothing was changed: --dry-run\n",
      json: [
        "sent": [
          "purges": .array(purges.map { .integer(Int64($0.begun.number)) }),
          "objects": .integer(Int64(objects.count)),
        ],
        "urls": .array(scopes.flatMap(\.urls).map(Value.string)),
        "caches": .array(plans.map(\.value)),
      ], isResult: true)
    report.diagnostics =
      (caches.problems + plans.filter(\.emptiesAll).map(\.emptiesAllSentence)).map {
        .warning(.cachePurge, at: nil, message: $0)
      } + opened.unpurgedWarnings
    return report
  }
}

extension CachePurge.Outcome {
  /// The JSON of a purge at one cache.
  var value: Value {
    [
      "name": .string(cache), "requests": .integer(Int64(requests)), "seconds": .real(seconds),
      "ok": .boolean(failure == nil),
    ]
  }
}

extension [ResultRow] {
  /// The keys of a release about the caches that were made to forget config.
  static let cacheRound = [
    ResultRow(
      [
        "caches[].name?": .string, "caches[].requests?": .integer, "caches[].seconds?": .number,
        "caches[].ok?": .boolean,
      ],
      "each cache that was made to forget config"),
    ResultRow(["unpurged[]?": .string], "caches without settings, which let go by themselves"),
    ResultRow(
      ["freshSeconds?": .number],
      "the seconds after which the channel's URL answered with the release"),
  ]
}
