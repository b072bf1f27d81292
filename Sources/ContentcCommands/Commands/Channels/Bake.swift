import ArgumentParser
import ContentBuild
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import System

/// Writes the live content of a channel into a folder that an app ships with.
struct Bake: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "bake",
    abstract: "Write the live content of a channel into a folder that an app ships with.",
    discussion: help(
      """
      The folder gets config as published and every object that its readers reach, decoded: the \
      first start of an app shows it without a connection. The files are read from the channel's \
      'url', as apps read them, or else from its target. Files of earlier content are removed.

      With --check, nothing is written. It needs the options with which the folder was written. \
      This is a gate for the app's own CI.
      """))

  static let examples = """
    contentc bake qa --to App/Content
    contentc bake qa --to App/Content --check --max-age 7d
    contentc bake qa --to App/Content --locale en --locale fr --device phone
    contentc bake qa --to App/Content --bundle catalog --assets startup
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(
      .contentErrors,
      "with --check: files are missing or damaged, or 'bake' did not write them"),
    CommandStatus(
      .gate,
      "with --check: the live release is newer than the one in the folder by more than "
        + "--max-age"),
  ]
  static let result: [ResultRow] = [
    ResultRow(
      ["channel": .string, "release": .integer, "folder": .string],
      "the channel, the release in the folder, and the folder"),
    ResultRow(
      ["objects?": .integer, "bytes?": .integer, "removed?": .integer],
      "objects, the bytes of all files, and the removed files of earlier content"),
    ResultRow(
      ["liveRelease?": .integer, "behindSeconds?": .integer],
      "with `--check`: the live release, and the seconds by which it is newer, 0 for the same "
        + "content"),
  ]

  static let uses = Set<ProjectSetting>.ofTarget.union([.url])

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp("The folder, which is created; required.", valueName: "folder"),
    completion: .directory)
  var to: String
  @Option(
    help: ArgumentHelp(
      "A declared locale; may be repeated. Default: all of them.", valueName: "tag"),
    completion: .locales)
  var locale: [String] = []
  @Option(
    help: ArgumentHelp(
      "A declared device, or 'any'; may be repeated. Default: all of them.", valueName: "name"),
    completion: .devices)
  var device: [String] = []
  @Option(
    help: ArgumentHelp(
      "A bundle besides those of the start, also one of a split one, such as product/rose; may be "
        + "repeated. Default: all of them.", valueName: "name"), completion: .bundles)
  var bundle: [String] = []
  @Option(
    help: ArgumentHelp(
      "The assets: 'none', those of 'startup' bundles, or 'all'. Default: all.", valueName: "kind"))
  var assets = BakeOrder.Assets.all
  @Flag(help: "Read the channel's target, even if the channel has a 'url'.")
  var fromTarget = false
  @Flag(help: "Only check the folder; write nothing.")
  var check = false
  @Option(
    help: ArgumentHelp(
      "With --check, how much newer the live release may be, such as 7d. Default: 0.",
      valueName: "span"),
    transform: Bake.span)
  var maxAge = TimeSpan.zero
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if maxAge > .zero, !check { throw ValidationError("--max-age needs --check") }
  }

  func perform() throws -> Report {
    let opened = try delivery.open(
      channel, using: Self.uses, writes: false, notes: common.waitNotes)
    var order = BakeOrder()
    (order.locales, order.devices, order.bundles) = (locale, device, bundle)
    order.assets = assets
    let files = publishedFiles(of: opened)
    // The purges of a channel are known at its target only.
    if readsTarget(of: opened) { try opened.refuseRestoredConfig(opened.place.live()) }
    do {
      let live = try config(in: files, of: opened)
      return check
        ? try checkFolder(against: live, for: order, of: opened)
        : try bake(live, from: files, for: order, of: opened)
    } catch let error as BakeError {
      let failure = Failure(error)
      throw error.kind == .missing
        ? failure.noting(
          "'contentc publish \(opened.channel.name) --repair' checks every object at the target, and "
            + "sends missing ones again")
        : failure
    } catch StoreError.notOurs(let folder, let example) {
      throw Failure(
        .inputOutput, .unwritable,
        "'\(folder)' holds files that 'bake' did not write, such as '\(example)'",
        notes: ["name an empty folder, or one for baked content only, with --to"])
    }
  }

  private func readsTarget(of opened: OpenChannel) -> Bool {
    fromTarget || opened.channel.url == nil
  }

  private func publishedFiles(of opened: OpenChannel) -> PublishedFiles {
    guard !readsTarget(of: opened), let url = opened.channel.url else {
      return PublishedFiles(opened.place.target)
    }
    return PublishedFiles(
      at: url.withoutTrailingSlashes, send: OpenChannel.send(requestSeconds: 30))
  }

  private func config(in files: PublishedFiles, of opened: OpenChannel) throws -> BakedConfig {
    for key in opened.place.configKeys {
      guard let bytes = try files.read(key) else { continue }
      try opened.place.verify(
        bytes, at: "'\(key)' at \(files.name)", notEndedBy: Clock.now)
      return try BakedConfig(
        bytes, of: opened.channel.name, app: opened.project.app, at: "'\(key)' at \(files.name)")
    }
    throw Failure(
      .missingInput, .missingRelease,
      "nothing is published in '\(opened.channel.name)' yet: \(files.name) has no config")
  }

  private func bake(
    _ config: BakedConfig, from files: PublishedFiles, for order: BakeOrder, of opened: OpenChannel
  ) throws -> Report {
    let progress = Progress("Baking", isWanted: !common.quiet)
    defer { progress.finish() }
    let outcome = try BakedFolder(to.withoutTrailingSlashes).write(
      config, from: files, for: order, progress: { progress.advance(bytes: $0) })
    let removed =
      outcome.removed == 0 ? "" : "; removed \(outcome.removed.counted("file")) of earlier content"
    return Report(
      text: """
        Baked release \(config.release) of '\(opened.channel.name)' into \(to)
          \(outcome.objects.count.counted("object")), \(outcome.bytes.asByteCount)\(removed)

        """,
      json: [
        "channel": .string(opened.channel.name), "release": .integer(Int64(config.release)),
        "folder": .string(to), "objects": .integer(Int64(outcome.objects.count)),
        "bytes": .integer(Int64(outcome.bytes)), "removed": .integer(Int64(outcome.removed)),
      ])
  }

  private func checkFolder(
    against live: BakedConfig, for order: BakeOrder, of opened: OpenChannel
  ) throws -> Report {
    let folder = BakedFolder(to.withoutTrailingSlashes)
    let baked: BakedConfig
    do {
      baked = try folder.config(of: opened.channel.name, app: opened.project.app)
    } catch { throw Failure(.contentErrors, .bakedFiles, error.description) }
    let behind = baked.secondsBehind(live)
    var report = Report(
      text: "Release \(baked.release) is baked into \(to); release \(live.release) is live\n",
      json: [
        "channel": .string(opened.channel.name), "release": .integer(Int64(baked.release)),
        "liveRelease": .integer(Int64(live.release)), "folder": .string(to),
        "behindSeconds": .integer(Int64(behind)),
      ])
    for problem in try folder.problems(baked, for: order) {
      report.diagnostics.append(
        Diagnostic(
          .error, rule: .bakedFiles, at: nil, message: problem,
          notes: [
            Diagnostic.Note(
              "'bake' without '--check' writes the folder again, unless it has files of others")
          ]))
    }
    if baked.purges < live.purges {
      report.diagnostics.append(
        Diagnostic(
          .error, rule: .bakedAge, at: nil,
          message:
            "a purge removed content since release \(baked.release), which is in '\(to)'; bake again"
        ))
    } else if behind > maxAge.seconds {
      let age = TimeSpan(seconds: behind).map { "\($0)" } ?? "\(behind)s"
      report.diagnostics.append(
        Diagnostic(
          .error, rule: .bakedAge, at: nil,
          message:
            "release \(live.release) is live, and newer by \(age) than release \(baked.release) in '\(to)'; bake again"
        ))
    }
    return report
  }

  private static func span(_ text: String) throws -> TimeSpan {
    guard let span = TimeSpan(text) else {
      throw ValidationError("the duration must be seconds or have a form such as 7d")
    }
    return span
  }
}

extension BakeOrder.Assets: ExpressibleByArgument {}

extension Failure {
  /// Creates the failure for content that cannot be baked.
  fileprivate init(_ error: BakeError) {
    switch error.kind {
    case .unknown(let rule, let word, let known):
      self.init(.missingInput, unknown: rule, word, known: known)
    case .unreachable: self.init(.unavailable, .publicURL, error.description)
    case .missing: self.init(.unavailable, .missingTarget, error.description)
    case .refused: self.init(.unavailable, .refused, error.description)
    }
  }
}
