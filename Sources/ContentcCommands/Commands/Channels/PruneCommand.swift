import ArgumentParser
import ContentCaches
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import System

/// Removes objects and records that no kept release refers to.
struct PruneCommand: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove objects and records that no kept release refers to from a target.",
    discussion: help(
      """
      Keeps the last contents of every channel at the target, and every release of the last day. \
      Objects that no kept release refers to are only marked at first. A later run removes them, \
      after at least a day and twice the staleness bound. Objects that a purge had removed, and \
      that exist again as after a backup was restored, are removed at once unless a live release \
      shows them.
      """))

  static let examples = """
    contentc prune qa --dry-run
    contentc prune qa --keep 50
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      ["removed": .integer, "bytes": .integer, "kept": .integer],
      "files that are gone, their size, and files that stay"),
    ResultRow(["marked": .integer, "waiting": .integer], "files that were marked now, and before"),
    ResultRow(["leftovers": .integer], "temporary files of killed publishers that were removed"),
    ResultRow(["purged": .integer], "removed objects that an earlier purge had removed before"),
  ]

  static let uses = Set<ProjectSetting>.ofTarget.union([.url, .cdn, .ttl])
  /// The settings that the command reads from every channel.
  ///
  /// If channels share a target, the caches of each may have a copy of a removed file.
  private static let usesOfAll: Set<ProjectSetting> = [.channels, .target, .url, .cdn]

  @Argument(
    help: "A channel of content.yaml whose target to prune. Default: the only one.",
    completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp("The number of contents to keep for each channel.", valueName: "count"))
  var keep = 20
  @Flag(help: "Count what would be removed; change nothing.")
  var dryRun = false
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if keep < 1 { throw ValidationError("--keep must be at least 1: the live content") }
  }

  func perform() throws -> Report {
    let opened = try delivery.open(
      channel, using: Self.uses, writes: !dryRun, notes: common.waitNotes)
    // The live release decides which files are kept, so its config and record must be authentic.
    let live = try opened.live()
    if let live { try opened.place.requireSigned(live) }
    try opened.requireKnownPurges(live)
    let file = try delivery.projectFile()
    let channels = try file.settings(using: Self.usesOfAll, of: file.channelNames).channels
    let grace = TimeSpan(seconds: 2 * opened.bound.correction.seconds) ?? .days(1)
    var prune = Prune(opened.place.target, keep: keep, grace: grace, now: Clock.now)
    prune.own = opened.place
    prune.purges = PurgeList.purges
    prune.told = { try? Terminal.error.write("The removal of files waits for \($0)\n") }
    let found = try prune.run(dry: dryRun)
    let target = opened.place.target.name
    let verb = dryRun ? "Would remove" : "Removed"
    let removed = dryRun ? "would be removed" : "removed"
    let purged =
      found.purged.isEmpty
      ? ""
      : "  purged  \(found.purged.count.counted("object")) of earlier purges \(removed) again\n"
    let text = """
      \(verb) \(found.removed.counted("file")), \(found.bytes.asByteCount), from \(target)
        kept    \(found.kept.grouped)
        marked  \(found.marked.grouped) now; \(found.waiting.grouped) marked before, which wait
        left    \(found.leftovers.counted("temporary file")) of killed publishers \(removed)
      \(purged)
      """
    let json: Members = [
      "removed": .integer(Int64(found.removed)), "bytes": .integer(Int64(found.bytes)),
      "kept": .integer(Int64(found.kept)), "marked": .integer(Int64(found.marked)),
      "waiting": .integer(Int64(found.waiting)), "leftovers": .integer(Int64(found.leftovers)),
      "purged": .integer(Int64(found.purged.count)),
    ]
    var report = Report(text: text, json: json, isResult: dryRun)
    if !dryRun { report.lasting = "\(found.removed.counted("file")) removed" }
    report.diagnostics = found.warnings.map {
      Diagnostic(.warning, rule: .prune, at: nil, message: $0)
    }
    if !dryRun {
      report.diagnostics += try cacheWarnings(
        forgetting: found.purged, at: opened, among: channels)
    }
    return report
  }

  /// Purges removed objects from the caches of all channels that share the target.
  ///
  /// Returns a warning for each cache that may still have a copy.
  private func cacheWarnings(
    forgetting keys: [String], at pruned: OpenChannel, among channels: [Channel]
  ) throws -> [Diagnostic] {
    if keys.isEmpty { return [] }
    let sharing = channels.filter { $0.target.hasSameBytes(as: pruned.channel.target) }
    return try sharing.flatMap { channel in
      let opened = try delivery.open(
        channel, of: pruned.project, writes: false, notes: pruned.notes)
      let caches = opened.reachableCaches()
      let scopes = [channel.url].compactMap(\.self).map { url in
        PurgeScope.objects(keys, app: opened.project.app, at: url.withoutTrailingSlashes)
      }
      let results = scopes.isEmpty ? [] : caches.purge.run(scopes, deadlineSeconds: 300)
      return (caches.problems + results.compactMap(\.failure)).map {
        .warning(.cachePurge, at: nil, message: $0)
      } + opened.unpurgedWarnings
    }
  }
}
