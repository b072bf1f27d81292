import SystemC
import TimeZoneData

/// IANA's time zone database, of one release.
///
/// `Scripts/generate-time-zones.py` writes the bytes, and describes their form. Nothing is decoded
/// before it is looked up.
package struct TimeZoneDatabase {
  let bytes: BigEndianBytes
  private let count: Int
  private let nameWidth: Int

  private static let headerSize = 12
  /// The size of a zone's offset and length, which follow a name.
  private static let placeSize = 6

  /// The database in this program.
  package static var current: TimeZoneDatabase {
    let data = time_zone_data()
    return TimeZoneDatabase(UnsafeRawBufferPointer(start: data.bytes, count: data.count))
  }

  /// Creates a database, which is empty if the bytes have no table of names; they must outlive it.
  init(_ buffer: UnsafeRawBufferPointer) {
    bytes = BigEndianBytes(buffer)
    nameWidth = Int(bytes.integer(UInt16.self, at: 10) ?? 0)
    let count = Int(bytes.integer(UInt16.self, at: 8) ?? 0)
    let end = Self.headerSize + count * (nameWidth + Self.placeSize)
    self.count = end <= buffer.count ? count : 0
  }

  /// The release, such as `2026f`.
  package var release: String {
    bytes.slice(from: 0, count: 8).map { Self.text($0.buffer) } ?? ""
  }

  /// The names of all zones, sorted by their bytes; some zones have several names.
  var names: [String] {
    (0..<count).compactMap { bytes.slice(from: record($0), count: nameWidth) }
      .map { Self.text($0.buffer) }
  }

  /// Returns the zone with a name; `nil` if there is none.
  func zone(named name: String) -> TimeZoneRules? {
    var copy = name
    let found = copy.withUTF8 { utf8 -> Int? in
      // A NUL would match the padding.
      guard utf8.count <= nameWidth, !utf8.contains(0) else { return nil }
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        let order = order(ofName: middle, and: utf8)
        if order == 0 { return middle }
        if order < 0 { low = middle + 1 } else { high = middle }
      }
      return nil
    }
    return found.flatMap { zone(at: $0, named: name) }
  }

  /// Returns the offset of a record.
  private func record(_ index: Int) -> Int {
    Self.headerSize + index * (nameWidth + Self.placeSize)
  }

  /// Compares a name of the table with another one, which is not longer than those can be: negative
  /// if it sorts first, zero if they are equal.
  private func order(ofName index: Int, and other: UnsafeBufferPointer<UInt8>) -> Int {
    let name = bytes.buffer[record(index)..<record(index) + nameWidth]
    guard let start = UnsafeRawBufferPointer(rebasing: name).baseAddress,
      let otherStart = other.baseAddress
    else { return 1 }
    let order = memcmp(start, otherStart, other.count)
    if order != 0 { return Int(order) }
    return other.count == nameWidth || name[name.startIndex + other.count] == 0 ? 0 : 1
  }

  private func zone(at index: Int, named name: String) -> TimeZoneRules? {
    let place = record(index) + nameWidth
    guard let offset = bytes.integer(UInt32.self, at: place),
      let count = bytes.integer(UInt16.self, at: place + 4),
      let zone = bytes.slice(from: Int(offset), count: Int(count))
    else { return nil }
    return TimeZoneRules(name, zone)
  }

  /// Returns a text without its padding.
  private static func text(_ padded: UnsafeRawBufferPointer) -> String {
    String(decoding: padded.prefix { $0 != 0 }, as: UTF8.self)
  }
}
