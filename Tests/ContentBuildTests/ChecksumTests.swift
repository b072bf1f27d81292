import System
import Testing

@testable import ContentBuild

@Suite struct ChecksumTests {
  private let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }

  private func value(of pieces: ArraySlice<UInt8>...) -> UInt64 {
    var checksum = Checksum()
    for piece in pieces { piece.withUnsafeBytes { checksum.update($0) } }
    return checksum.value
  }

  @Test func doesNotDependOnTheSplitOfTheInput() {
    let whole = value(of: bytes[...])
    for first in 0..<40 {
      for second in first..<60 {
        #expect(value(of: bytes[..<first], bytes[first..<second], bytes[second...]) == whole)
      }
    }
  }

  @Test func changesWithEveryBit() {
    var seen: Set = [value(of: bytes[..<70])]
    for place in 0..<70 {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[place] ^= 1 << UInt8(bit)
        #expect(seen.insert(value(of: damaged[..<70])).inserted)
      }
    }
  }

  @Test func changesWithTheLength() {
    var seen: Set<UInt64> = []
    for count in 0..<100 {
      #expect(seen.insert(value(of: ArraySlice(repeating: 0, count: count))).inserted)
    }
  }
}
