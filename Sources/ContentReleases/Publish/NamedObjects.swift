package import ContentModel
package import ContentTargets
import PropertyLists

/// Objects that must stay at a target, whatever channel names them.
package struct NamedObjects {
  /// Of live releases, with the channels.
  package private(set) var shown: [Digest: [String]] = [:]
  // String keys: channel names are ASCII
  /// The records of live releases, by channel.
  package private(set) var live: [String: ReleaseRecord] = [:]
  /// Of releases that are being published, with the channel.
  package private(set) var underWay: [Digest: String] = [:]
  /// Warnings about files that were left out, as sentences.
  package private(set) var warnings: [String] = []

  /// The longest duration of a publication, in seconds: an older record after its channel's live
  /// one is that of a killed publisher.
  private static let longest = 86_400.0

  /// Looks at every channel of a target, which is held `exclusively`; `beat` is called between any
  /// two files.
  ///
  /// A channel whose config cannot be read keeps what its latest releases name.
  ///
  /// - Throws: `TargetError`.
  package init(at target: any Target, now: Instant, beat: () throws -> Void = {}) throws {
    let survey = try ChannelSurvey(target, beat: beat)
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
    // A publisher there holds the lock that the caller has.
    if target.hasLock { return }
    for name in survey.names {
      for file in try target.list(below: "\(name)/releases/") {
        guard let (channel, number) = ReleaseRecord.place(of: file.key),
          number == (live[channel]?.number ?? 0) + 1,
          now.secondsSinceReferenceDate - file.modified.secondsSinceReferenceDate < Self.longest,
          let record = try target.record(in: file),
          record.previous == live[channel]?.digest
        else { continue }
        try beat()
        for object in record.objects { underWay[object.digest] = channel }
      }
    }
  }
}
