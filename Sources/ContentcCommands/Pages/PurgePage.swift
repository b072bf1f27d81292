import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import System

/// The text and the JSON of finished and unfinished purges.
struct PurgePage {
  let opened: OpenChannel
  let outcomes: [Purge.Outcome]
  /// `true` if the command only finishes earlier purges.
  var onlyFinishes = false
  /// The round of `--caches`; `nil` if there was none.
  var round: CacheRoundPage?
  /// The reason why `--caches` made no round, as a sentence; `nil` for other commands.
  var reasonForNoRound: String?

  init(_ opened: OpenChannel, outcomes: [Purge.Outcome]) {
    (self.opened, self.outcomes) = (opened, outcomes)
  }

  /// The advice of a command that has no earlier purge to finish.
  static let repeatAdvice =
    "a purge that ended before its release was live changed nothing: run it again with what it named"

  var report: Report {
    if !outcomes.isEmpty || round != nil { return report(text: text) }
    if let reasonForNoRound { return report(text: "Nothing to do: \(reasonForNoRound)\n") }
    guard onlyFinishes else {
      let channel = opened.channel.name
      let next =
        ["if a backup brought removed files back: contentc prune \(channel)"]
        + (opened.channel.purgeableCaches.isEmpty
          ? [] : ["if a cache still has removed files: contentc purge \(channel) --caches"])
      return report(
        text: "Nothing to do: this purge is done, and no purge is unfinished\n"
          + "  next      \(next.joined(separator: "\n            "))\n")
    }
    return report(text: "Nothing to do: no purge is unfinished\n  next      \(Self.repeatAdvice)\n")
  }

  /// Returns the report of the purges that were finished before an error.
  ///
  /// - Throws: An error that is neither a failure, nor raised warnings, nor a mistake in a file, nor
  ///   an error of delivery.
  func report(of error: any Error) throws -> Report {
    switch error {
    case let raised as RaisedWarnings: return report(raised.report.diagnostics, status: .gate)
    case let error as TargetError:
      let next = "run the same command again to continue; 'contentc status' shows what is live"
      return report(Failure(error).noting(next))
    case let error as DeliveryError: return report(Failure(error))
    case let failure as Failure: return report(failure)
    case let mistakes as ContentMistakes:
      var page = report(mistakes.diagnostics, status: ExitStatus(after: mistakes.diagnostics))
      page.sources = mistakes.sources
      return page
    default: throw error
    }
  }

  private func report(_ failure: Failure) -> Report {
    report([failure.diagnostic], status: failure.status)
  }

  private func report(_ diagnostics: [Diagnostic], status: ExitStatus) -> Report {
    var report = report(text: text)
    report.diagnostics += diagnostics
    report.status = status
    return report
  }

  private func report(text: String) -> Report {
    var report = Report(text: text, json: ["purges": .array(outcomes.map(members))])
    for outcome in outcomes {
      report.diagnostics += failures(of: outcome)
      report.diagnostics += shownElsewhere(outcome.kept)
      report.diagnostics += outcome.warnings.map { .warning(.leftAlone, at: nil, message: $0) }
    }
    report.diagnostics += round?.diagnostics ?? []
    report.json["sent"] = round?.value
    if !outcomes.isEmpty || round != nil || reasonForNoRound != nil {
      report.diagnostics += opened.unpurgedWarnings
    }
    if !outcomes.allSatisfy(\.isRecorded) || round?.round.isConfirmed == false {
      report.status = .unavailable
    }
    if let last = outcomes.last { report.lasting = "purge \(last.begun.number) is done" }
    return report
  }

  /// Returns an error for each failure; the first one names the commands that continue the purge.
  ///
  /// The text has these commands, too. Without it, the first error also has the remedies.
  private func failures(of outcome: Purge.Outcome) -> [Diagnostic] {
    let again = "purge \(outcome.begun.number) is not finished; \(nextStep(after: outcome))"
    let first = [again] + (opened.notes.areWanted ? [] : remedies(for: outcome))
    return outcome.failures.enumerated().map { index, failure in
      Diagnostic(
        .error, rule: .purgeUnfinished, at: nil, message: failure,
        notes: index == 0 ? first.map { Diagnostic.Note($0) } : [])
    }
  }

  /// The caches and machines that a purge left out.
  private func omitted(by outcome: Purge.Outcome) -> [OmittedCache] {
    outcome.without.map(OmittedCache.init)
  }

  private func unreached(by outcome: Purge.Outcome) -> [OmittedCache] {
    opened.unreachedCaches(by: outcome.caches, without: omitted(by: outcome))
  }

  /// What to do about environment variables that a purge needs, as sentences.
  private func advice(for outcome: Purge.Outcome) -> [String] {
    opened.reachableCaches(without: omitted(by: outcome)).advice
  }

  /// Returns the next step, which needs a variable or 'url' if a cache cannot be purged without it.
  ///
  /// Once a picture is corrected, its path names the good file, and the same command would purge that.
  private func nextStep(after outcome: Purge.Outcome) -> String {
    var steps = advice(for: outcome)
    if opened.site == nil, !unreached(by: outcome).isEmpty {
      steps.append("add 'url' to '\(opened.channel.name)' in content.yaml")
    }
    let without = outcome.without.map { " --without \($0)" }.joined()
    let again =
      outcome.begun.assets.isEmpty
      ? "run the same command again" : "run 'contentc purge \(opened.channel.name)\(without)'"
    return steps.isEmpty ? again : "\(steps.joined(separator: ", ")), then \(again)"
  }

  /// Returns the remedies if the same command fails again, as sentences: a correction of 'url', and
  /// the purge without the caches that failed, with its cost.
  private func remedies(for outcome: Purge.Outcome) -> [String] {
    let channel = opened.channel.name
    var remedies: [String] = []
    if opened.site != nil, outcome.freshSeconds == nil, advice(for: outcome).isEmpty {
      remedies.append("if 'url' of '\(channel)' in content.yaml is wrong, correct it first")
    }
    let failed = unreached(by: outcome)
    if failed.isEmpty { return remedies }
    let isOne = failed.count == 1
    let flags = (outcome.without + failed.map(\.word)).map { " --without \($0)" }.joined()
    remedies.append(
      "if \(failed.map(\.name).joined(separator: " and ")) \(isOne ? "stays" : "stay") out of service: "
        + "contentc purge \(channel)\(flags)")
    remedies.append(
      "readers behind \(isOne ? "it" : "them") may then see old content for up to "
        + "\(opened.bound.correction), and as long as \(isOne ? "it serves" : "they serve") "
        + "stale answers")
    return remedies
  }

  /// Returns warnings about kept objects, one for each channel that shows them.
  private func shownElsewhere(_ kept: [(object: ReleaseObject, channels: [String])]) -> [Diagnostic]
  {
    Set(names: kept.flatMap(\.channels)).names.map { channel in
      let kept = kept.filter { $0.channels.contains { $0.hasSameBytes(as: channel) } }
      let isOne = kept.count == 1
      let name = kept.map(\.object.digest.hex).sorted().first?.prefix(16) ?? ""
      let isOwn = channel == opened.channel.name
      return Diagnostic(
        .warning, rule: .shownElsewhere, at: nil,
        message:
          "\(kept.count.counted("object")) such as \(name)… \(isOne ? "stays" : "stay"), "
          + "since the live release of '\(channel)' shows \(isOne ? "it" : "them")",
        notes: [
          Diagnostic.Note(
            isOwn
              ? "it was published since; purge it again if it is bad"
              : "purge it there, too: --channel \(channel)")
        ])
    }
  }

  private var text: String {
    outcomes.map { $0.isRecorded ? done($0) : unfinished($0) }.joined() + (round?.text ?? "")
  }

  private func done(_ outcome: Purge.Outcome) -> String {
    let (app, offline) = lastReaders(outcome)
    let read = outcome.readBack > 0 ? ", and \(outcome.readBack.counted("read")) found no copy" : ""
    return """
      Purge \(outcome.begun.number) is done: release \(outcome.begun.release) of '\(opened.channel.name)'
        removed   \(outcome.objects.count.counted("object"))\(read)
        online    the last connected app drops it by \(app)
        offline   an app without a connection by \(offline)
      \(without(outcome))\(otherForms(outcome))\(elsewhere(outcome))
      """
  }

  /// Returns the line on earlier forms that a purge of whole entries without options leaves, with the
  /// command that removes them; empty for other purges.
  ///
  /// Once a correction is live, that command removes it, too.
  private func otherForms(_ outcome: Purge.Outcome) -> String {
    let (words, count) = (outcome.begun.commandWords, outcome.otherForms)
    // Of a purge with options, the count would include forms that other readers keep.
    guard count > 0, !words.isEmpty, !words.contains(where: { $0.hasPrefix("--") }) else {
      return ""
    }
    let channel = opened.channel.name
    let command = ["contentc", "purge", channel] + words + ["--history", "--reason"]
    let reason = outcome.begun.reason.harmless
    let verb = count == 1 ? "shows" : "show"
    let entries = outcome.begun.entries.count == 1 ? "it" : "them"
    let objects = count.counted("object")
    return "  earlier   \(objects) of earlier releases \(verb) another form of \(entries); "
      + "if that is bad, too, before you correct it: "
      + (command + [reason]).map(\.shellWord).joined(separator: " ") + "\n"
  }

  /// Returns the line on the other channels whose live releases show objects of the removed content,
  /// such as `  elsewhere 'production' still shows it`.
  private func elsewhere(_ outcome: Purge.Outcome) -> String {
    let names = Set(names: outcome.kept.flatMap(\.channels)).names.filter {
      !$0.hasSameBytes(as: opened.channel.name)
    }
    if names.isEmpty { return "" }
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    return "  elsewhere \(list) still \(names.count == 1 ? "shows" : "show") it\n"
  }

  /// Returns the line on caches out of service, such as `  without   varnish: readers behind it may
  /// see old content until 2026-11-22T03:00:00Z`.
  private func without(_ outcome: Purge.Outcome) -> String {
    let names = omitted(by: outcome).map(\.name)
    if names.isEmpty { return "" }
    let latest = Instant(
      secondsSinceReferenceDate: Clock.now.secondsSinceReferenceDate
        + Double(opened.bound.correction.seconds))
    return
      "  without   \(names.joined(separator: ", ")): readers behind it may see old content until "
      + "\(latest.rfc3339), and as long as it serves stale answers\n"
  }

  /// Returns the text of an unfinished purge: its completed and its remaining steps.
  private func unfinished(_ outcome: Purge.Outcome) -> String {
    let count = outcome.objects.count
    let seen: String
    if opened.site == nil {
      seen = "unknown: content.yaml has no 'url' to read back"
    } else if let seconds = outcome.freshSeconds {
      seen = "got the release after \(seconds.rounded(toPlaces: 1)) s"
    } else {
      seen = "did NOT get the release: some may still get the one before"
    }
    let next = ["\(nextStep(after: outcome)) to continue"] + remedies(for: outcome)
    let objects =
      switch outcome.removed {
      case nil:
        "none of \(count.grouped) is removed yet: readers may ask for them"
      case count?: "\(count.grouped) removed at \(opened.place.target.name)"
      case let some?: "\(some.grouped) of \(count.grouped) removed at \(opened.place.target.name)"
      }
    return """
      Purge \(outcome.begun.number) is NOT finished: release \(outcome.begun.release) of \
      '\(opened.channel.name)' is live, but the purge is incomplete
        readers   \(seen)
        objects   \(objects)
        next      \(next.joined(separator: "\n            "))

      """
  }

  /// Returns the times by which the last connected app, and the last one without a connection, drop
  /// the content.
  private func lastReaders(_ outcome: Purge.Outcome) -> (online: String, offline: String) {
    let times = opened.project.lifetimes
    func moment(after seconds: Int) -> String {
      Instant(secondsSinceReferenceDate: Clock.now.secondsSinceReferenceDate + Double(seconds))
        .rfc3339
    }
    // If config was not read back, caches may keep it for its whole lifetime.
    let shared =
      outcome.freshSeconds == nil
      ? opened.bound.correction.seconds : opened.bound.afterPurge.seconds
    return (
      moment(after: shared), moment(after: shared - times.app.seconds + times.offline.seconds)
    )
  }

  private func members(_ outcome: Purge.Outcome) -> Value {
    let (app, offline) = lastReaders(outcome)
    var members: Members = [
      "sequence": .integer(Int64(outcome.begun.number)),
      "release": .integer(Int64(outcome.begun.release)),
      "entries": .array(outcome.begun.entries.map(Value.string)),
      "objects": .integer(Int64(outcome.objects.count)),
      "kept": .integer(Int64(outcome.kept.count)),
      "readBack": .integer(Int64(outcome.readBack)), "done": .boolean(outcome.isRecorded),
      "online": .string(app),
      "offline": .string(offline),
      "caches": .array(outcome.caches.map(\.value)),
    ]
    members["freshSeconds"] = outcome.freshSeconds.map(Value.real)
    members["removed"] = outcome.removed.map { .integer(Int64($0)) }
    if !outcome.failures.isEmpty { members["left"] = .array(outcome.failures.map(Value.string)) }
    return .dictionary(members)
  }
}

/// The content that was published after an unfinished purge in the same words, and that readers see in
/// another form.
struct LaterContent {
  let purge: KnownPurge
  let ids: [String]

  /// The problem, as a sentence.
  var sentence: String {
    let others = ids.count > 3 ? " and \(ids.count - 3) others" : ""
    return
      "since purge \(purge.begun.number) began, \(ids.prefix(3).joined(separator: ", "))\(others) was published in another "
      + "form, which may be the correction: it was not purged"
  }

  /// The question to the person at the terminal.
  var question: String {
    "\(sentence.replacing(": it was not purged", with: "")). Purge it, too?"
  }

  static let advice = "if it is bad, too, run the same command with --again"

  /// The error of a command that only finishes the purge.
  var diagnostic: Diagnostic {
    Diagnostic(
      .error, rule: .publishedSince, at: nil, message: sentence,
      notes: [Diagnostic.Note(Self.advice)])
  }
}
