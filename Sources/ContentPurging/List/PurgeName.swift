import ContentModel
import ContentReleases
import ContentSource

/// The name of a file below `<channel>/purges/`.
enum PurgeName: Hashable, Sendable {
  /// `7.plist`: the file that takes the number 7, or the final manifest of format 1.
  case number(Int)
  /// `7-0123456789abcdef.plist`: the pending manifest of format 1.
  case pendingManifest(PurgeFolder)
  /// `7-0123456789abcdef/begun`, or another note of the purge.
  case note(PurgeNote, in: PurgeFolder)

  /// Returns the key of the folder of a channel's purges, with the final slash.
  static func folder(of channel: String) -> String { "\(channel)/purges/" }

  /// Parses the part of a key that follows `folder(of:)`; `nil` for foreign names.
  init?(_ name: Substring.UTF8View) {
    let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.count == 2, let folder = PurgeFolder(parts[0]), let note = PurgeNote(parts[1]) {
      self = .note(note, in: folder)
      return
    }
    let ending = ".plist".utf8
    guard parts.count == 1, name.suffix(ending.count).elementsEqual(ending),
      let file = NumberedName(name.dropLast(ending.count))
    else { return nil }
    self =
      file.hash.map { .pendingManifest(PurgeFolder(number: file.number, digits: $0)) }
      ?? .number(file.number)
  }

  /// The number of the purge, from 1.
  var number: Int {
    switch self {
    case .number(let number): number
    case .pendingManifest(let folder), .note(_, let folder): folder.number
    }
  }

  /// Returns the key of the file in a channel.
  func key(in channel: String) -> String {
    let name =
      switch self {
      case .number(let number): "\(number).plist"
      case .pendingManifest(let folder): "\(folder.name).plist"
      case .note(let note, let folder): "\(folder.name)/\(note.name)"
      }
    return Self.folder(of: channel) + name
  }
}

/// The folder with the notes of one purge, such as `7-0123456789abcdef`.
package struct PurgeFolder: Hashable, Sendable {
  /// The number of the purge, from 1.
  package let number: Int
  /// The first 16 digits of the SHA-256 of `begun`; of the release's record for a purge of format 1.
  let digits: String

  var name: String { "\(number)-\(digits)" }

  init(number: Int, digits: String) { (self.number, self.digits) = (number, digits) }

  /// Creates the name of the folder of a purge whose `begun`, or record, has a hash.
  init(number: Int, of hash: Digest) { self.init(number: number, digits: hash.shortHex) }

  fileprivate init?(_ name: Substring.UTF8View) {
    guard let name = NumberedName(name), let digits = name.hash else { return nil }
    self.init(number: name.number, digits: digits)
  }
}

extension PurgeFolder: Comparable {
  package static func < (a: Self, b: Self) -> Bool {
    a.number == b.number ? a.digits < b.digits : a.number < b.number
  }
}

/// The name of a note: a small file in the folder of a purge, which is created and never changed.
///
/// Hashes in names have 16 digits. No name ends with `.plist`: contentc takes such a name for that
/// of a manifest of format 1 if it knows only that format.
enum PurgeNote: Hashable, Sendable {
  /// The purge is about to go live: see `Begun`. Without a config that names the purge, it is void.
  case begun
  /// Readers got config with the purge: see `LiveNote`.
  case live
  /// The objects that may be removed: see `CopiesNote`.
  case copies(_ hash: String)
  /// A cache confirmed its last purge: see `CacheNote`.
  case cache(CacheName, _ hash: String)
  /// Every step of the purge was seen to be done: see `DoneNote`.
  case done(_ hash: String)
  /// A publisher accepted that `begun` is lost: see `LostNote`.
  case lost

  /// Parses the name of a file; `nil` for foreign names.
  init?(_ name: Substring.UTF8View) {
    let words = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    switch (words[0], words.count) {
    case ("begun", 1): self = .begun
    case ("live", 1): self = .live
    case ("lost", 1): self = .lost
    case ("copies", 2) where words[1].isShortHex: self = .copies(words[1])
    case ("done", 2) where words[1].isShortHex: self = .done(words[1])
    case ("cache", 3) where words[2].isShortHex:
      guard let cache = CacheName(rawValue: words[1]) else { return nil }
      self = .cache(cache, words[2])
    default: return nil
    }
  }

  var name: String {
    switch self {
    case .begun: "begun"
    case .live: "live"
    case .copies(let hash): "copies-\(hash)"
    case .cache(let cache, let hash): "cache-\(cache.rawValue)-\(hash)"
    case .done(let hash): "done-\(hash)"
    case .lost: "lost"
    }
  }
}

extension Digest {
  /// The first 16 hexadecimal digits, as names have them.
  var shortHex: String { String(hex.prefix(16)) }
}

extension String {
  fileprivate var isShortHex: Bool {
    utf8.count == 16
      && utf8.allSatisfy { $0.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0) }
  }
}
