import ContentModel
import PropertyLists

/// Objects that must stay at a target, whatever channel names them.
struct NamedObjects {
  /// Of live releases, with the channels.
  private(set) var shown: [Digest: [String]] = [:]
  /// Of releases that are being published, with the channel.
  private(set) var underWay: [Digest: String] = [:]

  /// How long a publication may take, in seconds: a record that is newer than its channel's live one and older than this
  /// is of one that was killed.
  private static let longest = 86_400.0

  /// Looks at every channel of a target, which is held `exclusively`; `beat` is called between any two files.
  ///
  /// - Throws: `DeliveryError` where a config cannot be read; `TargetError`.
  init(at target: any Target, now: Instant, beat: () throws -> Void = {}) throws {
    let files = try target.list(below: "")
    var live: [String: Int] = [:]
    for channel in Prune.channels(files) {
      let stored = try target.read(channel.config)
      let app = stored.flatMap { try? PropertyList.decode($0.bytes).value["app"]?.text } ?? ""
      let place = ChannelPlace(target: target, channel: channel.name, app: app)
      guard let release = try place.live() else { continue }
      try beat()
      for digest in Set(release.record.objects.map(\.digest) + MaintenanceSwitch.objects(of: release.maintenance)) {
        shown[digest, default: []].append(channel.name)
      }
      live[channel.name] = release.number
    }
    // Whoever publishes there holds the lock that the caller has.
    if target.hasLock { return }
    for file in files {
      guard let (channel, number) = ReleaseRecord.place(of: file.key), number > live[channel] ?? 0,
        now.secondsSinceReferenceDate - file.modified.secondsSinceReferenceDate < Self.longest,
        let record = try target.read(file.key).flatMap({ ReleaseRecord(bytes: $0.bytes) })
      else { continue }
      try beat()
      for object in record.objects { underWay[object.digest] = channel }
    }
  }
}

extension ReleaseRecord {
  /// The channel and number that a record's key tells; `nil` for other keys.
  fileprivate static func place(of key: String) -> (channel: String, number: Int)? {
    let parts = key.split(separator: "/").map(String.init)
    guard parts.count == 3, parts[1] == "releases", let number = Int(parts[2].prefix { $0 != "-" }) else { return nil }
    return (parts[0], number)
  }
}
