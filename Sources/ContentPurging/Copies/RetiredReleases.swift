import ContentModel
import ContentReleases
import ContentTargets
import PropertyLists

/// The releases of a channel that purges need not search.
///
/// A release is retired once each object in it that shows an entry is gone, or is shown by a later
/// release. Purges keep the list in `<channel>/retired.plist`, so that the next one does not read
/// the records of all releases again. The list has only releases that were live, whose objects were
/// sent before.
struct RetiredReleases {
  /// The first eight bytes of a record's hash, which are also in its key.
  typealias Mark = UInt64

  /// The releases that need no search.
  private(set) var retired: Set<Mark> = []
  /// The releases that a purge has read completely, and that show the remaining objects of the
  /// retired ones.
  private(set) var searched: Set<Mark> = []
  /// The release that was live when the list was written.
  private(set) var live: Mark?
  private var tag: String?
  private var isNewer = false

  private static let format = 1

  /// Reads the list of a channel, which is empty if the file is missing or unreadable.
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
    // Without a live release, the list cannot be compared with the channel's history.
    if live == nil { forget() }
  }

  /// Drops all releases, because the list does not fit the target.
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
    _ = try place.target.replace(place.retiredReleasesKey, with: file, tagged: tag)
  }

  static func mark(of record: Digest) -> Mark {
    record.withBytes { $0.loadUnaligned(as: Mark.self).bigEndian }
  }

  /// Returns the mark in a record's key; `nil` for other keys.
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
