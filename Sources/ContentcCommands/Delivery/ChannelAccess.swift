import ArgumentParser
import CommandParts
import CommandReports
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import Notifications

/// The options of a command that name the project and its channel.
protocol ChannelAccess: ParsableArguments {
  var input: ContentOptions { get }
  var channelOption: ChannelOption { get }
  var singleWriter: Bool { get }
  var trust: TrustOptions { get }
}

extension ChannelAccess {
  /// Returns the project of `content.yaml`; reads no other file.
  func project() throws -> Project { try ContentPlace(path: input.content).project() }

  /// Returns the channel that an argument or `--channel` names; without either, the only one.
  func channel(_ word: String?, of project: Project) throws(Failure) -> Channel {
    try channel(named: try name(word), of: project)
  }

  /// Returns the name of the channel in the argument or `--channel`.
  func name(_ word: String?) throws(Failure) -> String? {
    guard let word, let named = channelOption.named, word != named else {
      return word ?? channelOption.named
    }
    throw Failure(
      .usage, "which-channel", "'\(word)' and --channel '\(named)' name two channels")
  }

  /// Returns the channel with a name; without a name, the only one.
  func channel(named name: String?, of project: Project) throws(Failure) -> Channel {
    let known = project.channels.map(\.name)
    guard let name else {
      if project.channels.count == 1 { return project.channels[0] }
      throw Failure(
        .usage, "which-channel",
        known.isEmpty
          ? "the project has no channel; declare one in content.yaml: "
            + "channels: {qa: {target: site}}"
          : "name a channel: the project has \(known.joined(separator: ", "))",
        notes: known.isEmpty ? [] : ["name it as an argument or by --channel \(known[0])"])
    }
    guard let channel = project.channels.first(where: { $0.name == name }) else {
      throw Failure(.usage, unknown: "channel", name, known: known)
    }
    return channel
  }

  /// Returns the named channel, or all channels.
  ///
  /// - Throws: a failure if the project has no channel.
  func channels(_ word: String?, of project: Project) throws(Failure) -> [Channel] {
    let name = try name(word)
    guard name == nil, !project.channels.isEmpty else {
      return [try channel(named: name, of: project)]
    }
    return project.channels
  }

  /// Opens a channel for reading and, with `writes`, for writing; with `emergency`, its writes have
  /// priority over those of waiting commands.
  ///
  /// Signed configs are signed by the signers of `settings`.
  func open(
    _ name: String?, writes: Bool, settings: SettingsOptions? = nil,
    offline: OfflineSigning? = nil, emergency: EmergencyPatience? = nil
  ) throws -> OpenChannel {
    let project = try project()
    return try open(
      try channel(name, of: project), of: project, writes: writes, settings: settings,
      offline: offline, emergency: emergency)
  }

  /// Opens a channel of a project that was read before.
  ///
  /// With `offline`, its configs are signed elsewhere.
  func open(
    _ channel: Channel, of project: Project, writes: Bool, settings: SettingsOptions? = nil,
    offline: OfflineSigning? = nil, isSource: Bool = false, emergency: EmergencyPatience? = nil
  ) throws -> OpenChannel {
    try offline?.check(channel, isDryRun: !writes, beside: input.content)
    let writes = writes && offline?.prepares != true
    let target = try target(of: channel, emergency: emergency)
    let memory = ConditionsMemory(beside: input.content)
    if writes, !singleWriter, try !memory.honorsConditions(target) {
      throw Failure(
        .unavailable, "no-conditions",
        "\(target.name) does not support conditional writes, "
          + "so two publishers could mix their releases",
        notes: ["use --single-writer if no other publisher runs meanwhile"])
    }
    var place = ChannelPlace(target: target, channel: channel.name, app: project.app)
    place.format = project.format
    let signers =
      channel.signing == nil
      ? nil : try settings?.signers(app: project.app, channel: channel.name)
    place.signing = try signing(
      of: channel, in: project, at: target.name, by: signers, isSource: isSource)
    var opened = OpenChannel(
      project: project, channel: channel, place: place, content: input.content, memory: memory,
      isEmergency: emergency != nil)
    guard let offline, let signers, let document = place.signing?.newest else { return opened }
    opened.preparation = offline.preparation(by: signers)
    opened.place.signing?.prepared = try offline.prepared(
      for: channel.name, of: project.app, by: document, and: signers)
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
      .usage, "target-address",
      "the target of '\(channel.name)' is in \(place); choose a folder of its own")
  }

  /// Returns a channel's target; a failure names its line, but hides it: it may hold a password.
  private func target(of channel: Channel, emergency: EmergencyPatience?) throws -> any Target {
    do {
      return try TargetAddress(channel.target, beside: input.content).open(emergency: emergency)
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
  var delivery: Delivery { get }
}

extension ChannelCommand {
  var project: ContentOptions? { delivery.input }
}
