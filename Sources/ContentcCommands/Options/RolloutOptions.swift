import ArgumentParser
import ContentReleases
import Diagnostics
import SiteFormat

/// A part of the readers, such as `12.5%`.
struct RolloutStep: Hashable {
  /// The readers with a lower number are in.
  let below: Int

  init(_ text: String) throws {
    guard let below = Rollout.limit(percent: text) else {
      throw ValidationError(
        "the part of the readers must be from 0% to 100%, such as 10% or 0.5%")
    }
    self.below = below
  }
}

/// The readers who get the next content of a rollout whatever its percentage is.
struct TesterOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give the next content to the reader with this unit, too, which the app shows; may be "
        + "repeated, at most \(Rollout.mostTesters) times. Default: nobody.", valueName: "unit"))
  var tester: [String] = []

  func validate() throws {
    if let unit = tester.first(where: { !Rollout.isUnit($0) }) {
      throw ValidationError(
        "'\(unit.harmless)' is no unit: it has 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'."
      )
    }
    if tester.count > Rollout.mostTesters {
      throw ValidationError("--tester can be given at most \(Rollout.mostTesters) times.")
    }
  }
}

/// The options that begin a rollout.
struct RolloutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give the content to this part of the readers first, such as 10%; 'contentc rollout' goes on. "
        + "Default: to all of them.", valueName: "percent"), transform: RolloutStep.init)
  var to: RolloutStep?
  @Option(
    help: ArgumentHelp(
      "The name of the rollout, of a-z, 0-9 and '-'. It decides who is among the first. Default: 'r' and the number "
        + "of the release.", valueName: "name"))
  var rollout: String?
  @OptionGroup var testers: TesterOptions

  func validate() throws {
    if to == nil, rollout != nil || !testers.tester.isEmpty {
      throw ValidationError("--rollout and --tester need --to, such as --to 10%.")
    }
    if let rollout, !Rollout.isName(rollout) {
      throw ValidationError("--rollout must be 1 to 64 characters of a-z, 0-9 and '-'.")
    }
  }
}

extension RolloutOptions {
  /// Makes a draft the next content of a rollout after the live release, if the options ask for it.
  ///
  /// - Throws: `DeliveryError` if the channel has no release or a rollout already, or if the content
  ///   cannot be beside the live one; a failure if an earlier rollout had the name; `TargetError`.
  func apply(
    to draft: Draft, after live: LiveRelease?, in place: ChannelPlace
  ) throws -> Draft {
    guard let to else { return draft }
    guard let live else {
      throw DeliveryError(
        .unknown,
        "nothing is published in '\(place.channel)': publish a first release without '--to', for all readers"
      )
    }
    if live.rollout == nil, let name = self.rollout { try refuseUsed(name, in: place) }
    var rollout = Rollout(
      name: self.rollout ?? "r\(max(live.number, draft.above ?? 0) + 1)", below: to.below,
      release: Rollout.beginning)
    rollout.add(testers.tester)
    return try draft.beginning(rollout, after: live, of: place)
  }

  /// Refuses the name of an earlier rollout, because its groups would be the same.
  private func refuseUsed(_ name: String, in place: ChannelPlace) throws {
    var chain = try place.chain()
    while let record = try chain.next() {
      guard record.rollout?.name == name else { continue }
      throw Failure(
        .usage, .usage,
        "release \(record.number) of '\(place.channel)' was a step of a rollout '\(name)', and another one of this "
          + "name would begin with the same readers",
        notes: ["give another name with --rollout"])
    }
  }
}

extension Rollout {
  /// Adds readers who get the next content whatever the percentage is.
  mutating func add(_ units: [String]) {
    testers.formUnion(units.map { Self.number(of: $0, in: name) })
  }
}
