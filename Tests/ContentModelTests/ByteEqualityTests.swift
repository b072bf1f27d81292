import TestInputs
import Testing

/// Comparisons and searches by the bytes of strings, as all modules with a link to
/// `String+ByteEquality.swift` have them.
@Suite struct ByteEqualityTests {
  private static let composed = "caf\u{E9}"
  private static let decomposed = "cafe\u{301}"

  @Test func distinguishesCanonicallyEquivalentNames() {
    let (name, other) = (Self.composed, Self.decomposed)
    let optional: String? = other
    #expect(name != other && !(name == other) && name != optional)
    #expect([name].firstIndex(of: other) == nil && ![name].contains(other))
    #expect(!Set([name]).contains(other) && Set([name]).firstIndex(of: other) == nil)
    let keys = [name: 1].keys
    #expect(!keys.contains(other) && keys.firstIndex(of: other) == nil)
    #expect(Set([name]).contains(name) && keys.contains(name))
  }

  /// The searches of sequences, which compare name by name, must not shadow those by hash.
  @Test func findsNamesOfSetsAndKeysByHash() {
    let names = (1_000..<5_000).map { "name \($0)" }
    let set = Set(names)
    let keys = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) }).keys
    // The list has 80 searches and the set 4,000: only hashes make those of the set faster.
    let missing = (5_000..<5_080).map { "name \($0)" }
    let ofList = time { missing.count { names.contains($0) } == 0 }
    #expect(time { names.allSatisfy { set.contains($0) } } < ofList)
    #expect(time { names.allSatisfy { set.firstIndex(of: $0) != nil } } < ofList)
    #expect(time { names.allSatisfy { keys.contains($0) } } < ofList)
    #expect(time { names.allSatisfy { keys.firstIndex(of: $0) != nil } } < ofList)
  }

  /// Returns the seconds of this thread's processor that an expectation takes.
  private func time(_ work: () -> Bool) -> Double {
    let start = processorSeconds()
    let isMet = work()
    let end = processorSeconds()
    #expect(isMet)
    return end - start
  }
}
