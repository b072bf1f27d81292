import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics

/// The options of a command that name the project and its channel.
protocol ChannelAccess: ParsableArguments {
  var input: ContentOptions { get }
  var channelOption: ChannelOption { get }
  var singleWriter: Bool { get }
  var clockIsRight: Bool { get }
  var trust: TrustOptions { get }
}

extension ChannelAccess {
  /// Reads `content.yaml`, and no other file.
  func projectFile() throws -> ProjectFile { try ContentPlace(path: input.content).projectFile() }

  /// Returns the channel that an argument or `--channel` names, or else the only one, and the
  /// settings of its project.
  ///
  /// - Throws: `ContentMistakes` for mistakes in the settings that the command uses.
  func channel(
    _ word: String?, using used: Set<ProjectSetting>
  ) throws -> (channel: Channel, project: DeliverySettings) {
    if let name = try name(word) { return try channel(named: name, using: used) }
    let file = try projectFile()
    // A mistake may hide another channel.
    _ = try file.settings(using: [.channels], of: [])
    let known = file.channelNames
    if known.count == 1, let only = try file.channel(known[0], using: used) { return only }
    throw Failure(
      .usage, .whichChannel,
      known.isEmpty
        ? "the project has no channel; declare one in content.yaml: "
          + "channels: {qa: {target: site}}"
        : "name a channel: the project has \(known.joined(separator: ", "))",
      notes: known.isEmpty ? [] : ["name it as an argument or by --channel \(known[0])"])
  }

  /// Returns the channel with a name, and the settings of its project.
  ///
  /// - Throws: `ContentMistakes` for mistakes in the settings that the command uses.
  func channel(
    named name: String, using used: Set<ProjectSetting>
  ) throws -> (channel: Channel, project: DeliverySettings) {
    let file = try projectFile()
    if let named = try file.channel(name, using: used) { return named }
    // A mistake may hide this channel.
    _ = try file.settings(using: [.channels], of: [])
    throw Failure(.usage, unknown: .unknownChannel, name, known: file.channelNames)
  }

  /// Returns the name of the channel in the argument or `--channel`.
  func name(_ word: String?) throws(Failure) -> String? {
    guard let word, let named = channelOption.named, !word.hasSameBytes(as: named) else {
      return word ?? channelOption.named
    }
    throw Failure(
      .usage, .whichChannel, "'\(word)' and --channel '\(named)' name two channels")
  }

  /// Opens a channel for reading and, with `writes`, for writing; with `emergency`, its writes have
  /// priority over those of waiting commands.
  ///
  /// Signed configs are signed by the signers of `settings`. `notes` say what the channel's use
  /// waits for.
  ///
  /// - Throws: `ContentMistakes` for mistakes in the settings that the command uses.
  func open(
    _ word: String?, using used: Set<ProjectSetting>, writes: Bool,
    settings: SettingsOptions? = nil, drafting: DraftRequest? = nil,
    emergency: EmergencyPatience? = nil, notes: WaitNotes = .none
  ) throws -> OpenChannel {
    let (channel, project) = try channel(word, using: used)
    return try open(
      channel, of: project, writes: writes, settings: settings, drafting: drafting,
      emergency: emergency, notes: notes)
  }

  /// Opens a channel of a project that was read before.
  ///
  /// With `drafting`, the command writes a draft, and nothing to the target.
  func open(
    _ channel: Channel, of project: DeliverySettings, writes: Bool,
    settings: SettingsOptions? = nil,
    drafting: DraftRequest? = nil, isSource: Bool = false, emergency: EmergencyPatience? = nil,
    notes: WaitNotes = .none
  ) throws -> OpenChannel {
    try drafting?.check(channel, isDryRun: !writes, beside: input.content)
    let writes = writes && drafting == nil
    let target = try target(of: channel, emergency: emergency, notes: notes)
    let memory = ConditionsMemory(beside: input.content)
    if writes, !singleWriter, try !memory.honorsConditions(target) {
      throw Failure(
        .unavailable, .noConditions,
        "\(target.name) does not support conditional writes, "
          + "so two publishers could mix their releases",
        notes: ["use --single-writer if no other publisher runs meanwhile"])
    }
    var place = ChannelPlace(target: target, channel: channel.name, app: project.app)
    place.format = project.format
    let signers =
      channel.signing == nil
      ? nil : try settings?.signers(app: project.app, channel: channel.name, notes: notes)
    place.signing = try signing(
      of: channel, in: project, at: target.name, by: signers, isSource: isSource)
    remind(&place, isSource: isSource)
    var opened = OpenChannel(
      project: project, channel: channel, place: place, content: input.content, memory: memory,
      isEmergency: emergency != nil, notes: notes)
    if clockIsRight { opened.clockRule = .trust }
    opened.drafting = drafting
    if let signers { opened.drafting?.signers = signers }
    if writes { opened.setLastLine() }
    return opened
  }

  /// Refuses a target in a folder where the next build would remove it, or would read it.
  func refuseTarget(of channel: Channel, inside out: String) throws(Failure) {
    guard let path = TargetAddress(channel.target, beside: input.content).folderPath else { return }
    let target = ResolvedPath(path)
    let folders = [(out, "output"), (input.content, "content")].filter {
      target.isInside(ResolvedPath($0.0))
    }
    let place =
      folders.first.map { "the \($1) folder '\($0.harmless)'" }
      ?? (target.isInBuildOutput ? "a folder with the output of a build" : nil)
    guard let place else { return }
    throw Failure(
      .usage, .targetAddress,
      "the target of '\(channel.name)' is in \(place); choose a folder of its own")
  }

  /// Returns a channel's target; a failure names its line, but hides it: it may hold a password.
  private func target(
    of channel: Channel, emergency: EmergencyPatience?, notes: WaitNotes
  ) throws -> any Target {
    do {
      return try TargetAddress(channel.target, beside: input.content)
        .open(isSingleWriter: singleWriter, emergency: emergency, whenSlow: notes.waits)
    } catch let error as TargetError where error.kind == .unusable {
      var failure = Failure(error)
      failure.diagnostic.message = "the target of '\(channel.name)' cannot be used: \(error)"
      let line = channel.location.range.map { ", line \($0.start.line)" } ?? ""
      throw failure.noting("the channel is declared in \(channel.location.path)\(line)")
    }
  }
}

extension EmergencyPatience {
  /// A patience that prints at once, on standard error, which process the emergency waits for.
  static var telling: EmergencyPatience {
    EmergencyPatience { holder in
      try? Terminal.error.write("Waiting for \(holder)\n")
    }
  }
}

/// A command about a channel.
protocol ChannelCommand: ContentcCommand {
  associatedtype Delivery: ChannelAccess
  /// The settings of `content.yaml` that the command uses: mistakes in others do not matter to it.
  static var uses: Set<ProjectSetting> { get }
  var delivery: Delivery { get }
}

extension Set<ProjectSetting> {
  /// The settings of each command that reads a channel's target.
  static let ofTarget: Self = [.app, .format, .target, .signing]
  /// The settings of each command that makes a release live.
  static let ofRelease = ofTarget.union([
    .url, .cdn, .originTimeout, .headers, .latest, .ttl,
  ])
}

extension ChannelCommand {
  var project: ContentOptions? { delivery.input }
}
