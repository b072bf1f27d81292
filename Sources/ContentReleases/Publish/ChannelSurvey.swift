import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import System

/// The channels at a target, of all apps, and the folders that only resemble channels.
struct ChannelSurvey {
  /// A channel whose config can be read.
  struct Channel {
    let place: ChannelPlace
    let live: LiveRelease
  }

  /// A channel of contentc whose config cannot be read: it is damaged, or of a newer version.
  struct Unreadable {
    let name: String
    let reason: String
    /// The objects of its latest releases.
    let objects: [ReleaseObject]
  }

  private(set) var channels: [Channel] = []
  private(set) var unreadable: [Unreadable] = []
  /// Warnings about folders with a foreign config, as sentences.
  private(set) var foreign: [String] = []
  /// The names of folders that may hold records, including those without a live release.
  private(set) var names: [String] = []

  /// The folders at the top of a target that are no channels.
  private static let shared: Set<String> = ["objects", "prune", ".probe", "maintenance"]

  /// Reads every folder at the top of a target, several at a time.
  ///
  /// The config of the caller's `own` channel is read in the format of its project, and verified.
  /// `beat` is called repeatedly: it renews the caller's lock.
  ///
  /// - Throws: `TargetError` if the target does not answer; `DeliveryError` for a config or a record
  ///   of a newer version whose objects are unknown; the errors of `beat`.
  init(
    _ target: any Target, own: ChannelPlace?, beat: () throws -> Void = {}
  ) throws {
    names = try target.folders().filter { !Self.shared.contains($0) }
    for start in stride(from: 0, to: names.count, by: Self.atOnce) {
      let part = Array(names[start..<min(start + Self.atOnce, names.count)])
      for finding in try part.mapOverlapped({ try Self.finding(in: $0, at: target, own: own) }) {
        switch finding {
        case .channel(let channel): channels.append(channel)
        case .unreadable(let channel): unreadable.append(channel)
        case .foreign(let warning): foreign.append(warning)
        case nil: break
        }
      }
      try beat()
    }
  }

  private static let atOnce = 16

  private enum Finding {
    case channel(Channel)
    case unreadable(Unreadable)
    case foreign(String)
  }

  private static func finding(
    in name: String, at target: any Target, own: ChannelPlace?
  ) throws -> Finding? {
    do {
      let own = own.flatMap { $0.channel == name ? [$0] : nil }
      let places = try own ?? places(of: name, at: target)
      guard places.count < 2 else {
        return try finding(
          inUnreadable: name,
          reason: "it has config in two formats; remove the file that no app asks for", at: target)
      }
      guard let place = places.first, let live = try place.live() else {
        return try finding(withoutConfig: name, at: target)
      }
      return .channel(Channel(place: place, live: live))
    } catch let error as DeliveryError {
      let found = try finding(inUnreadable: name, reason: "\(error)", at: target)
      // A later version may have its records elsewhere, and its objects must stay.
      if case .foreign = found, try hasNewerConfig(name, at: target) { throw error }
      return found
    } catch let error as TargetError
      where [.denied, .unusable, .tooLarge, .damaged].contains(error.kind)
    {
      return try finding(inUnreadable: name, reason: error.description, at: target)
    }
  }

  /// Returns whether a folder has a config of a newer version, which names an app.
  private static func hasNewerConfig(_ name: String, at target: any Target) throws -> Bool {
    try places(of: name, at: target).contains { place in
      guard !place.app.isEmpty, let stored = try target.read(place.configKey(place.format)) else {
        return false
      }
      let value = try? PropertyList.decode(Envelope.config(in: stored.bytes)).value
      return NewerFormat(value?["format"], above: LiveRelease.knownFormat) != nil
    }
  }

  /// Returns the finding for a folder without config: it is a channel if it has releases.
  private static func finding(withoutConfig name: String, at target: any Target) throws -> Finding?
  {
    let place = ChannelPlace(target: target, channel: name, app: "")
    guard try place.hasReleases() else { return nil }
    return try finding(
      inUnreadable: name,
      reason:
        "its config is gone, although releases were published; put the file of a backup back, publish, or "
        + "remove the folder '\(name)/' if nobody needs it",
      at: target)
  }

  /// Returns one channel for each format in which a folder has a config.
  ///
  /// Files that are no config count only if there is no config.
  private static func places(of name: String, at target: any Target) throws -> [ChannelPlace] {
    var places: [ChannelPlace] = []
    var foreign: ChannelPlace?
    for format in [PropertyListFormat.binary, .json] {
      var place = ChannelPlace(target: target, channel: name, app: "")
      place.format = format
      guard let stored = try target.read(place.configKey(format)) else { continue }
      let config = try? PropertyList.decode(Envelope.config(in: stored.bytes)).value
      if let app = config?["app"]?.text {
        place.app = app
        places.append(place)
      } else {
        foreign = foreign ?? place
      }
    }
    return places.isEmpty ? [foreign].compactMap(\.self) : places
  }

  /// Returns the finding for a folder whose config cannot be read: it is a channel of contentc if it
  /// has records.
  private static func finding(
    inUnreadable name: String, reason: String, at target: any Target
  ) throws -> Finding {
    let listed = try target.list(below: "\(name)/releases/").compactMap { file in
      ReleaseRecord.place(of: file.key).map { (number: $0.number, file: file) }
    }.sorted { $0.number > $1.number }
    var latest: [ReleaseRecord] = []
    for (number, file) in listed {
      // The one after the live one may be on its way.
      if let last = latest.first, number < last.numberBefore { break }
      if let record = try target.record(in: file) { latest.append(record) }
    }
    if latest.isEmpty {
      return .foreign(
        "'\(name)/' at \(target.name) has a config that contentc did not write; it was left alone")
    }
    return .unreadable(Unreadable(name: name, reason: reason, objects: latest.flatMap(\.objects)))
  }
}
