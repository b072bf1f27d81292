import TestInputs
import Testing

@testable import ContentSource

/// Bytes that are no time zones.
@Suite struct BrokenTimeZoneTests {
  private let bytes: [UInt8]
  private let moments: [Int64] = [.min, -5_000_000_000, 0, 1_780_000_000, 9_000_000_000, .max]

  init() { bytes = Array(TimeZoneDatabase.current.bytes.buffer) }

  @Test func survivesChangedBytes() {
    var random = SeededGenerator(seed: 45)
    let names = TimeZoneDatabase.current.names
    // The header, the table of names, and everything.
    let ranges = [12, 12 + names.count * 38, bytes.count]
    for _ in 0..<300 {
      var broken = bytes
      for _ in 0...random.below(200) {
        broken[random.below(random.one(of: ranges))] = UInt8(random.below(256))
      }
      use(broken, names: (0..<20).map { _ in random.one(of: names) })
    }
  }

  @Test func survivesChangedZones() {
    var random = SeededGenerator(seed: 46)
    // 44 bytes of header, a transition, two types, an abbreviation and a footer.
    let zone: [UInt8] =
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
      + [0, 0, 0, 1, 2, 4].flatMap { [0, 0, 0, $0] } + [0, 0, 0, 0, 0x40, 0, 0, 0] + [1]
      + [0, 0, 0x0E, 0x10, 0, 0] + [0, 0, 0x1C, 0x20, 1, 0] + Array("CET\0".utf8)
      + Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
    zone.withUnsafeBytes { zone in
      let rules = TimeZoneRules("", BigEndianBytes(zone))
      #expect(rules?.offset(at: 0) == 3_600 && rules?.offset(at: 0x4000_0000) == 3_600)
    }
    for _ in 0..<20_000 {
      var broken = zone
      for _ in 0...random.below(4) {
        let index = random.below(broken.count)
        switch random.below(4) {
        case 0: broken.remove(at: index)
        case 1: broken.insert(UInt8(random.below(256)), at: index)
        case 2: broken[index] = random.one(of: Array(",/.:-+<>JM\n0123456789AZ".utf8))
        default: broken[index] = UInt8(random.below(256))
        }
      }
      broken.withUnsafeBytes { broken in
        guard let rules = TimeZoneRules("", BigEndianBytes(broken)) else { return }
        for moment in moments { check(rules.offset(at: moment)) }
      }
    }
  }

  /// A zone in bytes that end too early is missing; no zone is read beyond their end.
  @Test func hasNoZoneBeyondTheEnd() {
    let database = TimeZoneDatabase.current
    var random = SeededGenerator(seed: 47)
    bytes.withUnsafeBytes { all in
      let ends = (0..<100).map { _ in random.below(all.count) } + [0, 1, 8, 11, 12, 13]
      for end in ends {
        let cut = TimeZoneDatabase(UnsafeRawBufferPointer(rebasing: all[..<end]))
        for name in database.names {
          guard let zone = cut.zone(named: name) else { continue }
          #expect(
            moments.allSatisfy { zone.offset(at: $0) == database.zone(named: name)?.offset(at: $0) }
          )
        }
      }
      #expect(TimeZoneDatabase(UnsafeRawBufferPointer(rebasing: all[..<20])).names == [])
      let last = TimeZoneDatabase(UnsafeRawBufferPointer(rebasing: all.dropLast()))
      let missing = database.names.filter { last.zone(named: $0) == nil }
      #expect(!missing.isEmpty && missing.count < 20)
    }
  }

  private func use(_ broken: [UInt8], names: [String]) {
    broken.withUnsafeBytes { broken in
      let database = TimeZoneDatabase(broken)
      _ = database.release
      for name in names + database.names.prefix(20) {
        guard let zone = database.zone(named: name) else { continue }
        for moment in moments { check(zone.offset(at: moment)) }
      }
    }
  }

  private func check(_ offset: Int64) {
    #expect(Int64(Int32.min)...Int64(Int32.max) ~= offset)
  }
}
