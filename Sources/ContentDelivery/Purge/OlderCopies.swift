import ContentModel
import PropertyLists
import Synchronization

/// Objects of earlier releases that show what was purged, in releases that look otherwise than the live one did.
///
/// There may be hundreds of releases of thousands of objects, so that of each file only what is asked for is decoded, and
/// nothing twice.
package struct OlderCopies {
  /// Each once, in order.
  package private(set) var objects: [ReleaseObject] = []

  /// Looks through all records of a channel for objects that show what must not come back, besides some that are known.
  ///
  /// - Throws: `TargetError`.
  package init(_ place: ChannelPlace, of contents: [PurgedContent], besides known: [ReleaseObject]) throws {
    if contents.isEmpty { return }
    let live = try place.live().map { Set($0.record.objects.map(\.digest)) } ?? []
    let search = Search(place.target, contents, skipped: live.union(known.map(\.digest)))
    let records = try place.target.list(below: "\(place.channel)/releases/")
    _ = try records.filter { ReleaseRecord.place(of: $0.key) != nil }.mapOverlapped { try search.look(at: $0) }
    objects = try search.candidates.mapOverlapped { try search.copy($0) }.compactMap(\.self)
  }
}

/// One look through the records of a channel.
///
/// A class, since several threads look at a time, and share what was seen.
private final class Search: Sendable {
  private struct State {
    var seen: Set<Digest>
    var candidates: [ReleaseObject] = []
  }

  private let target: any Target
  private let contents: [PurgedContent]
  /// By datatype: the rests of ids.
  private let wanted: [String: [String]]
  private let state: Mutex<State>

  init(_ target: any Target, _ contents: [PurgedContent], skipped: Set<Digest>) {
    (self.target, self.contents) = (target, contents)
    var wanted: [String: [String]] = [:]
    for id in Set(contents.map(\.entry)) {
      let halves = id.split(separator: "/", maxSplits: 1).map(String.init)
      if halves.count == 2 { wanted[halves[0], default: []].append(halves[1]) }
    }
    self.wanted = wanted
    state = Mutex(State(seen: skipped))
  }

  /// Objects that show one of the entries in any way, each once.
  var candidates: [ReleaseObject] { state.withLock { $0.candidates }.sorted { $0.digest < $1.digest } }

  /// Notes the objects of a release that show one of the entries.
  ///
  /// Objects that a prune or a purge removed are skipped; a target that does not answer, or with half a file, is an error.
  func look(at file: ListedFile) throws {
    guard let record = try read(file), let build = record["build"]?.whole?.digest else { return }
    guard isNew(build), let parts = try object(build, of: record)?["entries"] else { return }
    for (datatype, rests) in wanted {
      guard let part = parts[datatype]?.whole?.digest, isNew(part),
        let entries = try object(part, of: record)?["entries"]
      else { continue }
      for rest in rests {
        for holder in (entries[rest]?.whole?.items ?? []).compactMap(\.digest) where isNew(holder) {
          guard let object = Self.row(holder, of: record), ["plist", "json"].contains(object.fileExtension) else {
            continue
          }
          state.withLock { $0.candidates.append(object) }
        }
      }
    }
  }

  /// The object, if it shows what was purged.
  func copy(_ object: ReleaseObject) throws -> ReleaseObject? {
    guard let entries = try read(object)?["entries"] else { return nil }
    let isMeant = contents.contains { purged in entries[purged.entry]?.whole.map(purged.isShown) ?? false }
    return isMeant ? object : nil
  }

  private func isNew(_ digest: Digest) -> Bool { state.withLock { $0.seen.insert(digest).inserted } }

  private func object(_ digest: Digest, of record: PartlyRead) throws -> PartlyRead? {
    try Self.row(digest, of: record).flatMap(read)
  }

  private static func row(_ digest: Digest, of record: PartlyRead) -> ReleaseObject? {
    guard let row = record["objects"]?[digest.hex]?.whole else { return nil }
    return ReleaseObject.readAll([digest.hex: row])?.first
  }

  private func read(_ object: ReleaseObject) throws -> PartlyRead? {
    try read(ListedFile(key: object.key, size: object.size, modified: Instant(secondsSince1970: 0)))
  }

  private func read(_ file: ListedFile) throws -> PartlyRead? { try target.readWhole(file).flatMap(PartlyRead.init) }
}

/// A property list of which only what is asked for is decoded, where its format allows that.
private enum PartlyRead {
  case node(BinaryPropertyList.Node)
  case value(Value)

  init?(_ bytes: [UInt8]) {
    if let list = try? BinaryPropertyList(bytes) {
      self = .node(list.root)
    } else if let value = try? PropertyList.decode(bytes).value {
      self = .value(value)
    } else {
      return nil
    }
  }

  subscript(key: String) -> PartlyRead? {
    switch self {
    case .node(let node): (try? node[key]).flatMap { $0.map(PartlyRead.node) }
    case .value(let value): value[key].map(PartlyRead.value)
    }
  }

  /// All of it, decoded.
  var whole: Value? {
    switch self {
    case .node(let node): try? node.value
    case .value(let value): value
    }
  }
}
