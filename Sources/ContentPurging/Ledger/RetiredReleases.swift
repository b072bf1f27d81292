import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists

/// The releases of a channel in which purges have nothing left to look for.
///
/// A release is retired once each object in it that shows an entry is gone, or is shown by a later
/// release. Purges keep the list in `<channel>/retired.plist`, so that the next one does not read
/// the records of all releases again. Only releases that were live are in the list: what they name
/// was sent before.
struct RetiredReleases {
  /// The first eight bytes of a record's hash, which its name has, too.
  typealias Mark = UInt64

  /// The releases that need no look.
  private(set) var retired: Set<Mark> = []
  /// The releases that a purge has read completely, and that show the remaining objects of the
  /// retired ones.
  private(set) var searched: Set<Mark> = []
  /// The release that was live when the list was written, which every later one follows.
  private(set) var live: Mark?
  private var tag: String?
  private var isNewer = false

  private static let format = 1

  /// The list of a channel; empty where none can be read.
  init(_ place: ChannelPlace) throws(TargetError) {
    guard let stored = try place.target.readAny(place.retiredReleasesKey) else { return }
    tag = stored.tag
    guard let value = try? PropertyList.decode(stored.bytes).value,
      let format = value["format"]?.number
    else { return }
    isNewer = format > Self.format
    if isNewer { return }
    (retired, searched) = (Self.marks(value["retired"]), Self.marks(value["searched"]))
    live = Self.marks(value["live"]).first
    // A list that does not say it fits no history.
    if live == nil { forget() }
  }

  /// Drops what the file says: it does not fit the target.
  mutating func forget() { (retired, searched) = ([], []) }

  /// Writes the present state, unless another purge has written the list meanwhile.
  func write(retired: Set<Mark>, searched: Set<Mark>, live: Mark?, at place: ChannelPlace) throws {
    if isNewer || retired == self.retired && searched == self.searched { return }
    let value: Value = [
      "format": .integer(Int64(Self.format)), "retired": Self.data(retired),
      "searched": Self.data(searched),
      "live": Self.data(live.map { [$0] } ?? []),
    ]
    let file = OutgoingFile(
      bytes: try PropertyList.encode(value, as: .binary),
      headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
    _ = try place.target.replace(place.retiredReleasesKey, file, tagged: tag)
  }

  static func mark(of record: Digest) -> Mark {
    record.withBytes { $0.loadUnaligned(as: Mark.self).bigEndian }
  }

  /// The mark of a record's key; `nil` for other keys.
  static func mark(ofKey key: String) -> Mark? {
    guard let dash = key.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = key[key.index(after: dash)...].prefix { $0 != "." }
    return digits.utf8.count == 16 ? Mark(digits, radix: 16) : nil
  }

  private static func marks(_ value: Value?) -> Set<Mark> {
    guard case .data(let bytes) = value else { return [] }
    return bytes.withUnsafeBytes { bytes in
      Set(
        (0..<bytes.count / 8).map {
          bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Mark.self).bigEndian
        })
    }
  }

  private static func data(_ marks: Set<Mark>) -> Value {
    .data(marks.sorted().flatMap { mark in withUnsafeBytes(of: mark.bigEndian) { Array($0) } })
  }
}
