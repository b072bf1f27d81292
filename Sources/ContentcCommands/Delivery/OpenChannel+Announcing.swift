import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import System

/// The result of purging config from caches and reading it back.
struct AnnouncementReport {
  var outcome = ConfigAnnouncement.Outcome()
  /// The reasons for which caches could not be purged, as sentences.
  var problems: [String] = []
  /// What to do about environment variables that are not set, as sentences.
  var advice: [String] = []
  /// The caches and machines that were not purged.
  var unreached: [OmittedCache] = []
  /// The names of caches that cannot be purged, because content.yaml has no settings for them.
  var withoutSettings: [String] = []
  /// The target that has the release, if readers get a release of another one; otherwise `nil`.
  var unusedTarget: String?
  /// `true` if a purgeable cache may hold old bytes, or if readers get old bytes although no cache
  /// failed.
  var isUnfinished: Bool {
    !problems.isEmpty || !outcome.failures.isEmpty
      || (withoutSettings.isEmpty && (outcome.problem ?? outcome.objectProblem) != nil)
  }
}

extension OpenChannel {
  /// Purges config from the caches, and reads back the config that readers get.
  ///
  /// The release is live by then, so problems are part of the result. `times` decides whether
  /// caches are purged twice. Caches are also purged of `returned` objects, which they may take for
  /// missing.
  func announce(
    _ release: ReleaseRecord.Identity, returned: [ReleaseObject] = [],
    times: ConfigAnnouncement.Times,
    console: PurgeConsole? = nil
  ) -> AnnouncementReport {
    var announcement = AnnouncementReport()
    announcement.withoutSettings = cachesWithoutSettings
    let reachable = reachableCaches()
    var caches = reachable.purge
    (announcement.problems, announcement.advice) = (reachable.problems, reachable.advice)
    if channel.url == nil {
      announcement.unreached = unreachedCaches(by: [], without: [])
      return announcement
    }
    if let console { caches.progress = console.bar.advance }
    // Without a console, the line of a publication's progress stays on the terminal.
    let steps = SlowSteps(notes)
    defer {
      steps.end()
      console?.bar.end()
    }
    var times = times
    // Waiting is of use only if all caches were purged.
    if caches.isEmpty || caches.count < channel.caches.count { times.verification = 0 }
    announcement.outcome = ConfigAnnouncement(
      place, caches: caches, site: site, environment: .system
    )
    .run(release: release, format: project.format, returned: returned, times: times) { event in
      if let console { return console.watch(event) }
      steps.begin(PurgeConsole.title(event.step))
    }
    let isUnread = announcement.outcome.problem != nil
    if isUnread, foreignRelease(above: release.number) != nil {
      announcement.unusedTarget = place.target.location
    }
    announcement.unreached = unreachedCaches(by: announcement.outcome.caches, without: [])
    return announcement
  }

  /// Returns the objects of a publication that were missing at the target, although a release or a
  /// purge had named them: caches may remember that.
  private func returned(by sent: Publisher.Sent) -> [ReleaseObject] {
    if channel.url == nil || sent.new.isEmpty { return [] }
    let live = try? place.live()
    // Without a purge, only objects of the live release can have been missed. A config that cannot be
    // read may have purges.
    let hadPurges = live.map { ($0.purge?["sequence"]?.number ?? 1) > 0 } ?? true
    guard hadPurges else { return sent.lost }
    let removed = try? PurgeList(place, live: live).removedObjects()
    let lost = Set(sent.lost)
    return sent.new.filter { lost.contains($0) || removed?.contains($0.digest) ?? true }
  }

  /// Returns whether readers get an earlier release or one of another target, and a cache can be
  /// purged, as after a cache refused the purge of an earlier publication.
  private func isHeldBack(_ release: ReleaseRecord.Identity) -> Bool {
    guard let site, !channel.purgeableCaches.isEmpty else { return false }
    return SlowStep.run(site.url, tell: notes.waits) {
      site.isBehind(release, of: place, format: project.format)
    }
  }

  /// Purges config in the caches and reads it back if a publication made a new release, or if
  /// readers do not get the live one; returns the report.
  ///
  /// A command that `finishesCaches` purges them twice, and fails until that succeeds. `again` is the
  /// command that purges the caches again if one of them fails.
  func announceAndReport(
    _ page: PublicationPage, finishesCaches: Bool = false, again: String? = nil
  ) -> Report {
    var report = Report(text: page.text, json: page.members)
    if place.signing != nil {
      let live = try? place.live(known: page.outcome.record)
      report.diagnostics += signingWarnings(live)
    }
    let (record, sent): (ReleaseRecord, Publisher.Sent)
    let isNew: Bool
    switch page.outcome {
    case .released(let new, let all): (record, sent, isNew) = (new, all, true)
    case .unchanged(let live, let all): (record, sent, isNew) = (live, all, false)
    }
    let returned = returned(by: sent)
    if !isNew, returned.isEmpty, !isHeldBack(record.identity) { return report }
    var times = ConfigAnnouncement.Times(
      cacheDeadline: finishesCaches ? 60 : 30, verification: finishesCaches ? 30 : 5)
    // An answer under way may say that a returned object is missing.
    if finishesCaches || !returned.isEmpty { times.originTimeout = channel.originTimeout.seconds }
    let announcement = announce(record.identity, returned: returned, times: times)
    report.text += announcement.line ?? ""
    report.diagnostics += announcement.diagnostics(
      finishesCaches ? .error : .warning, again: channel.url == nil ? nil : again)
    if finishesCaches, announcement.isUnfinished { report.status = .unavailable }
    if isNew { report.diagnostics += record.clockWarnings + sent.large.map(\.warning) }
    report.lasting = "release \(record.number) of '\(channel.name)' is live"
    for (name, value) in announcement.members { report.json[name] = value }
    return report
  }
}

extension OpenChannel {
  /// Returns the warnings that are known before a publication: about caches that cannot be purged,
  /// and about a clock that is ahead.
  func knownWarnings(_ live: LiveRelease?) -> [Diagnostic] {
    let problems = reachableCaches().problems.map {
      Diagnostic(.warning, rule: .cachePurge, at: nil, message: $0)
    }
    return problems + (live?.record.clockWarnings ?? [])
  }

  /// Sends objects again that an emergency's release needs and another command removes, until that
  /// command has ended.
  func lookAfter(_ endangered: EndangeredObjects, reportingIn report: inout Report) {
    let patience = RemovalPatience(.system) { holder in
      try? Terminal.error.write("The release is live; checking its objects until \(holder) ends\n")
    }
    do {
      try endangered.putBackUntilSafe(at: place, patience)
      try deliver(endangered.resent, reportingIn: &report)
    } catch {
      report.diagnostics.append(
        Diagnostic(
          .error, rule: .missingTarget, at: nil,
          message: "objects of the release may be missing: \(error)",
          notes: [
            Diagnostic.Note(
              "the release is live; 'contentc publish --repair' sends the missing objects")
          ]))
      report.status = .unavailable
    }
  }
}

extension OpenChannel {
  /// Purges objects that were sent again in all caches, and requests them: readers may have asked for
  /// them while they were missing.
  private func deliver(_ objects: [ReleaseObject], reportingIn report: inout Report) throws {
    guard !objects.isEmpty, let live = try place.live() else { return }
    let announcement = announce(
      live.record.identity, returned: objects,
      times: ConfigAnnouncement.Times(
        cacheDeadline: 60, verification: 30, originTimeout: channel.originTimeout.seconds))
    report.diagnostics += announcement.diagnostics(.error)
    if announcement.isUnfinished { report.status = .unavailable }
  }
}

extension DeliverySettings {
  /// Returns the time until all purgeable caches are purged for the second time, after the origin's
  /// longest answer.
  func purgeTime(of channel: Channel) -> TimeSpan {
    let layers = bound(of: channel).purged
    if layers.isEmpty { return .zero }
    // The number of requests does not depend on the values of the variables.
    let caches = layers.compactMap { try? CDNSettings($0, environment: { _ in "x" }).cdn() }
    let scope = PurgeScope.config(
      app: app, channel: channel.name, format: format, at: channel.url ?? "https://example.com")
    let plans = caches.map { $0.plan(scope) }
    let seconds = plans.reduce(0) { $0 + 2 * $1.seconds }
    let gap = zip(caches, plans).map { $0.gapSeconds([$1.selector]) }.max() ?? 0
    return (TimeSpan(seconds: Int(seconds.rounded(.up))) ?? .zero)
      + max(channel.originTimeout, TimeSpan(seconds: gap) ?? .zero)
  }
}

extension AnnouncementReport {
  /// Returns the failures as diagnostics: errors if the command depends on them, else warnings.
  ///
  /// `again` is the command that purges the caches again.
  func diagnostics(_ severity: Diagnostic.Severity, again: String? = nil) -> [Diagnostic] {
    let note = Diagnostic.Note(
      "the release is live; caches expire within the bound that 'contentc staleness' shows")
    let first = self.advice.isEmpty ? "" : "\(self.advice.joined(separator: ", ")), then "
    let advice = again.map {
      Diagnostic.Note("while readers get an older one, \(first)'\($0)' purges the caches again")
    }
    // A cache that is down fails in every round.
    let failures = (problems + outcome.failures).distinct.map {
      Diagnostic(
        severity, rule: .cachePurge, at: nil, message: $0, notes: [note, advice].compactMap(\.self))
    }
    let noteOnReading =
      unusedTarget.map { Diagnostic.Note("the release is live at \($0), which readers do not use") }
      ?? note
    let reading = [outcome.problem, outcome.objectProblem].compactMap(\.self).map {
      Diagnostic(
        isUnfinished ? severity : .warning, rule: .publicURL, at: nil, message: $0,
        notes: [noteOnReading])
    }
    return failures + reading
  }

  /// The line on the caches, such as `  caches  varnish purged; fastly not purged: content.yaml has
  /// no settings for it`.
  var line: String? {
    let failed = outcome.caches.filter { $0.failure != nil }.map(\.cache)
    var names: [String] = []
    for cache in outcome.caches where !failed.contains(cache.cache) && !names.contains(cache.cache)
    {
      names.append(cache.cache)
    }
    let done = names.isEmpty ? [] : ["\(names.joined(separator: ", ")) purged"]
    let left =
      withoutSettings.isEmpty
      ? []
      : [
        "\(withoutSettings.joined(separator: ", ")) not purged: content.yaml has no settings for it"
      ]
    return done.isEmpty && left.isEmpty
      ? nil : "  caches  \((done + left).joined(separator: "; "))\n"
  }

  /// The members of the JSON: each cache, and the seconds until readers got the release.
  var members: Members {
    var members: Members = [
      "caches": .array(outcome.caches.map(\.value)),
      "unpurged": .array(withoutSettings.map(Value.string)),
    ]
    members["freshSeconds"] = outcome.freshSeconds.map(Value.real)
    return members
  }
}

extension AnnouncementReport {
  /// What to do if a cache was not purged, as a sentence.
  var nextStep: String {
    (advice.isEmpty ? "" : "\(advice.joined(separator: ", ")), then ")
      + "run the same command again"
  }

  /// The readers who do not get a switch of maintenance yet, and what to do; `nil` if readers get it, or
  /// if nobody knows.
  var delay: MaintenancePage.Delay? {
    let next =
      advice.isEmpty ? "correct what the errors name, then run the same command again" : nextStep
    if outcome.problem != nil {
      return MaintenancePage.Delay(
        sentence: "readers do NOT have it yet",
        next: isUnfinished ? next : nil)
    }
    if unreached.isEmpty { return nil }
    let names = unreached.map(\.name).joined(separator: " and ")
    return MaintenancePage.Delay(
      sentence: "readers behind \(names) may NOT have it yet", next: next)
  }
}
