import ContentModel

/// The offsets of a time zone from UTC, of all times.
///
/// The bytes are the second part of a TZif file (RFC 9636, section 3): a header, a data block with
/// times of 64 bits, and a footer. They are not decoded but searched, so that a zone costs nothing
/// but the moments that are looked up.
struct TimeZoneRules {
  let name: String
  private let bytes: BigEndianBytes
  private let transitionCount: Int
  private let typeCount: Int
  /// The rule after the last transition; `nil` if the last offset stays.
  private let footer: TimeZoneFooter?

  private static let headerSize = 44

  /// Creates a zone; `nil` if the bytes are no such part, or count leap seconds.
  init?(_ name: String, _ bytes: BigEndianBytes) {
    let magic = UInt32(0x545A_6966)  // TZif
    guard bytes.integer(UInt32.self, at: 0) == magic,
      let version = bytes.integer(UInt8.self, at: 4), version >= UInt8(ascii: "2")
    else { return nil }
    func count(_ index: Int) -> Int { Int(bytes.integer(UInt32.self, at: 20 + index * 4) ?? 0) }
    let (utcFlags, standardFlags, leapSeconds, abbreviations) = (
      count(0), count(1), count(2), count(5)
    )
    (transitionCount, typeCount) = (count(3), count(4))
    guard leapSeconds == 0, typeCount > 0 else { return nil }
    let end =
      Self.headerSize + transitionCount * 9 + typeCount * 6 + abbreviations + standardFlags
      + utcFlags
    guard let line = bytes.slice(from: end, count: bytes.buffer.count - end)?.buffer,
      line.count >= 2, line.first == UInt8(ascii: "\n"), line.last == UInt8(ascii: "\n")
    else { return nil }
    footer = TimeZoneFooter(UnsafeRawBufferPointer(rebasing: line.dropFirst().dropLast()))
    guard line.count == 2 || footer != nil else { return nil }
    (self.name, self.bytes) = (name, bytes)
  }

  /// Returns the difference between local time and UTC at a moment, in seconds.
  func offset(at secondsSince1970: Int64) -> Int64 {
    if let footer, isAfterTransitions(secondsSince1970) {
      return footer.offset(at: secondsSince1970)
    }
    let index = transitions(until: secondsSince1970)
    // The first type is that of the time before the first transition.
    let types = Self.headerSize + transitionCount * 8
    let type = index == 0 ? 0 : bytes.integer(UInt8.self, at: types + index - 1).map(Int.init) ?? 0
    guard type < typeCount else { return 0 }
    let offset = bytes.integer(Int32.self, at: types + transitionCount + type * 6)
    return Int64(offset ?? 0)
  }

  /// Returns the moments up to the end of a year at which the offset or its name changes.
  ///
  /// The footer's changes may include moments before the last transition, at which nothing changes.
  func transitions(through year: Int) -> [Int64] {
    let listed = (0..<transitionCount).compactMap(transition)
    let first = CivilTime(secondsSince1970: listed.last ?? 0).year
    let yearly = footer.map { footer in (first...max(first, year)).flatMap(footer.changes) } ?? []
    return listed + yearly
  }

  private func transition(_ index: Int) -> Int64? {
    bytes.integer(Int64.self, at: Self.headerSize + index * 8)
  }

  private func isAfterTransitions(_ secondsSince1970: Int64) -> Bool {
    transitionCount == 0 || transition(transitionCount - 1) ?? .max <= secondsSince1970
  }

  /// Returns the number of transitions that are not after a moment.
  private func transitions(until secondsSince1970: Int64) -> Int {
    var (low, high) = (0, transitionCount)
    while low < high {
      let middle = (low + high) / 2
      if transition(middle) ?? .max <= secondsSince1970 { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
