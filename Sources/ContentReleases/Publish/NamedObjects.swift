package import ContentModel
package import ContentTargets
import PropertyLists

/// The objects that must stay at a target because a channel names them.
package struct NamedObjects {
  /// The objects of live releases, with the channels.
  package private(set) var shown: [Digest: [String]] = [:]
  /// The records of live releases, by channel.
  package private(set) var live: [ExactString: ReleaseRecord] = [:]
  /// The objects of releases that are being published, with the channel.
  package private(set) var underWay: [Digest: String] = [:]
  /// Warnings about files that were left out, as sentences.
  package private(set) var warnings: [String] = []

  /// The longest duration of a publication, in seconds: an older record that follows the live one
  /// belongs to a killed publisher.
  static let longest = 86_400.0

  /// Reads the live release of every channel of a target.
  ///
  /// A channel whose config cannot be read keeps the objects of its latest releases.
  ///
  /// - Throws: `TargetError`.
  package init(shownAround own: ChannelPlace) throws {
    try self.init(ChannelSurvey(own.target, own: own))
  }

  /// Reads every channel of a target, which the caller holds `exclusively`.
  ///
  /// A channel whose config cannot be read keeps the objects of its latest releases. The config of
  /// the caller's `own` channel is read in its format, and verified. `beat` is called repeatedly: it
  /// renews the caller's lock.
  ///
  /// - Throws: `TargetError`; `DeliveryError` for a record of a newer version; the errors of
  ///   `beat`.
  package init(
    at target: any Target, own: ChannelPlace?, now: Instant, beat: () throws -> Void = {}
  ) throws {
    let survey = try ChannelSurvey(target, own: own, beat: beat)
    self.init(survey)
    // No publisher is at work there: it would hold the lock that the caller has.
    if target.hasLock { return }
    for name in survey.names {
      for file in try target.list(below: "\(name)/releases/") {
        guard let (channel, number) = ReleaseRecord.place(of: file.key),
          number > live[channel]?.number ?? 0,
          now.secondsSinceReferenceDate - file.modified.secondsSinceReferenceDate < Self.longest,
          let record = try target.record(in: file),
          record.previous == live[channel]?.digest
        else { continue }
        try beat()
        for object in record.objects { underWay[object.digest] = channel }
      }
    }
  }

  private init(_ survey: ChannelSurvey) {
    for channel in survey.channels {
      let release = channel.live
      for digest in Set(
        release.record.objects.map(\.digest) + MaintenanceSwitch.objects(of: release.maintenance))
      {
        shown[digest, default: []].append(channel.place.channel)
      }
      live[channel.place.channel] = release.record
    }
    for channel in survey.unreadable {
      let digests = Set(channel.objects.map(\.digest))
      for digest in digests { shown[digest, default: []].append(channel.name) }
      warnings.append("what the latest releases of '\(channel.name)' show stays: \(channel.reason)")
    }
    warnings += survey.foreign
  }
}
