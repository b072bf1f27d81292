import ArgumentParser
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics

/// `--caches`: finished purges that all caches are told to forget again.
extension PurgeCommand {
  /// Refuses options with `--caches` that describe a new purge.
  func validateCaches() throws {
    guard how.caches else { return }
    let describesPurge =
      namesSubject || !what.field.isEmpty || !what.locale.isEmpty || what.history
      || !how.unpurge.isEmpty || how.restore || how.replace != nil || how.again
    if describesPurge {
      throw ValidationError(
        "--caches sends finished purges to caches again, and purges nothing new: use only --without with it."
      )
    }
    if drafting.draft != nil {
      throw ValidationError(
        "--caches publishes nothing, so there is nothing to sign: omit --draft.")
    }
  }

  /// The work of `--caches`.
  enum CacheWork {
    case purges([KnownPurge], besides: [String])
    /// There is no work, for a reason.
    case nothing(String)
  }

  /// Returns the finished purges that a cache has not confirmed, or else the newest one unless the command
  /// has just `finished` purges.
  func cacheWork(
    in opened: OpenChannel, _ list: PurgeList, hasFinished: Bool = false
  ) throws -> CacheWork {
    let layers = opened.channel.purgeableCaches(without: how.omittedCaches)
    if layers.isEmpty {
      return .nothing("content.yaml has no settings for a cache of '\(opened.channel.name)'")
    }
    let (purges, problems) = try list.purgesToSendAgain(to: layers, orNewest: !hasFinished)
    if purges.isEmpty, let problem = problems.first { throw DeliveryError(.missing, problem) }
    return purges.isEmpty
      ? .nothing("every cache has confirmed every finished purge")
      : .purges(purges, besides: problems)
  }

  /// Sends finished purges to caches again, and adds the result to the page.
  func sendAgain(
    in opened: OpenChannel, by purge: Purge, console: PurgeConsole, to page: inout PurgePage
  ) throws {
    guard let live = try opened.place.live() else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    try opened.place.requireSigned(live)
    let hasFinished = page.outcomes.contains(where: \.isRecorded)
    let list = try PurgeList(opened.place, live: live)
    switch try cacheWork(in: opened, list, hasFinished: hasFinished) {
    case .nothing(let reason): page.reasonForNoRound = reason
    case .purges(let purges, let problems):
      console.say(
        "Sending \(purges.map(\.begun.number).purgeNames) of '\(opened.channel.name)' to caches again"
      )
      page.round = purge.sendAgain(purges, besides: problems, live: live, watch: console.watch).map
      {
        CacheRoundPage(opened: opened, round: $0)
      }
    }
  }

  /// Returns the report of a dry run.
  func plannedCaches(in opened: OpenChannel, _ list: PurgeList, live: LiveRelease) throws -> Report
  {
    switch try cacheWork(in: opened, list) {
    case .purges(let purges, let problems):
      var report = try CacheRoundPage.planned(
        purges, without: how.omittedCaches, in: opened, live: live)
      report.diagnostics += problems.map { .warning(.cachePurge, at: nil, message: $0) }
      return report
    case .nothing(let reason):
      return Report(
        text: "Nothing to do: \(reason)\nNothing was changed: --dry-run\n",
        json: ["sent": ["purges": [], "objects": 0]], isResult: true)
    }
  }
}
