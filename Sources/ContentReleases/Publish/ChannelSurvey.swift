import Parallel
import ContentModel
import ContentTargets
import Platform
import PropertyLists

/// Every channel at a target, of whatever app, and what only looks like one.
struct ChannelSurvey {
  /// A channel whose config can be read.
  struct Channel {
    let place: ChannelPlace
    let live: LiveRelease
  }

  /// A channel of ours whose config cannot be read: damaged, or of a newer version.
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
  /// The names of folders that may hold records, also where no release is live yet.
  private(set) var names: [String] = []

  // String keys: all are ASCII
  /// The folders that belong to a target as a whole.
  private static let shared: Set<String> = ["objects", "prune", ".probe", "maintenance"]

  /// Looks into every folder at the top of a target, several at a time; `beat` is called again and
  /// again meanwhile.
  ///
  /// - Throws: `TargetError` where the target does not answer.
  init(_ target: any Target, beat: () throws -> Void = {}) throws {
    names = try target.folders().filter { !Self.shared.contains($0) }
    for start in stride(from: 0, to: names.count, by: Self.atOnce) {
      let part = Array(names[start..<min(start + Self.atOnce, names.count)])
      for finding in try part.mapOverlapped({ try Self.look(at: $0, target) }) {
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

  private static func look(at name: String, _ target: any Target) throws -> Finding? {
    do {
      guard let app = try app(of: name, target) else { return nil }
      let place = ChannelPlace(target: target, channel: name, app: app)
      return try place.live().map { .channel(Channel(place: place, live: $0)) }
    } catch let error as DeliveryError {
      return try finding(name, "\(error)", target)
    } catch let error as TargetError
      where [.denied, .unusable, .tooLarge, .damaged].contains(error.kind)
    {
      return try finding(name, error.description, target)
    }
  }

  /// The app that a config names, empty if it names none; `nil` where there is no config.
  private static func app(of name: String, _ target: any Target) throws -> String? {
    for key in ["\(name)/config.plist", "\(name)/config.json"] {
      guard let stored = try target.read(key) else { continue }
      return (try? PropertyList.decode(stored.bytes).value["app"]?.text) ?? ""
    }
    return nil
  }

  /// Judges a folder whose config cannot be read: one that has records is a channel of contentc.
  private static func finding(_ name: String, _ reason: String, _ target: any Target) throws
    -> Finding
  {
    let listed = try target.list(below: "\(name)/releases/").compactMap { file in
      ReleaseRecord.place(of: file.key).map { (number: $0.number, file: file) }
    }.sorted { $0.number > $1.number }
    var latest: [ReleaseRecord] = []
    for (number, file) in listed {
      // The one after the live one may be on its way.
      if let last = latest.first, number < last.number - 1 { break }
      if let record = try target.record(in: file) { latest.append(record) }
    }
    if latest.isEmpty {
      return .foreign(
        "'\(name)/config' at \(target.name) is no config of contentc; it was left alone")
    }
    return .unreadable(Unreadable(name: name, reason: reason, objects: latest.flatMap(\.objects)))
  }
}

extension ReleaseRecord {
  /// The channel and number that a record's key tells; `nil` for other keys.
  package static func place(of key: String) -> (channel: String, number: Int)? {
    let parts = key.split(separator: "/").map(String.init)
    guard parts.count == 3, parts[1] == "releases" else { return nil }
    let halves = parts[2].prefix { $0 != "." }.split(
      separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, let number = Int(halves[0]), LiveRelease.numbers.contains(number),
      halves[1].count == 16,
      halves[1].allSatisfy(\.isHexDigit)
    else { return nil }
    return (parts[0], number)
  }
}
