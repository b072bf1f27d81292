import ContentModel
import PropertyLists
import SystemC
import TestInputs
import Testing

@Suite struct FuzzTests {
  /// The number of inputs over all formats, from the environment variable `FUZZ_INPUTS`.
  static let inputs = getenv("FUZZ_INPUTS").flatMap { Int(String(cString: $0)) } ?? 200_000

  @Test(arguments: PropertyListFormat.allCases)
  func survivesMutatedFiles(format: PropertyListFormat) throws {
    var generator = SeededGenerator(seed: UInt64(Self.inputs))
    var accepted = 0
    for round in 0..<Self.inputs / PropertyListFormat.allCases.count / 100 {
      var seeds = [
        try PropertyList.encode(.random(carriedBy: format, using: &generator), as: format)
      ]
      seeds.append(
        try PropertyList.encode(["a": [1, 2.5, "é", .data([1])], "b": ["c": true]], as: format))
      for turn in 0..<100 {
        let bytes = mutated(seeds[(round + turn) % 2], using: &generator)
        let isForced = turn % 8 > 0
        guard let (value, read) = try? PropertyList.decode(bytes, as: isForced ? format : nil)
        else { continue }
        accepted += 1
        try #require(value.nodeCount <= 8 * bytes.count + 1)
        // A value that was read in a format can be written in it.
        let again = try PropertyList.encode(value, as: read)
        if turn % 16 == 0 { try #require(try PropertyList.decode(again, as: read).value == value) }
      }
    }
    #expect(accepted > 0)
  }

  @Test func readsTheSameLazilyAndAtOnce() throws {
    var generator = SeededGenerator(seed: UInt64(Self.inputs) + 1)
    var (agreed, refused) = (0, 0)
    for round in 0..<Self.inputs / 800 {
      let value = Value.random(carriedBy: .binary, using: &generator)
      let shared: Value = ["a": [value, value], "b": value, "é": ["c": true]]
      let seed = try PropertyList.encode(round % 2 == 0 ? value : shared, as: .binary)
      for _ in 0..<100 {
        let bytes = mutated(seed, using: &generator)
        let whole = Result { try PropertyList.decode(bytes, as: .binary).value }
        let lazy = Result { try BinaryPropertyList(bytes).root.walked() }
        switch (whole, lazy) {
        case (.success(let a), .success(let b)):
          try #require(a == b)
          agreed += 1
        case (.failure, .failure): refused += 1
        case (.failure(let error as PropertyListDecodingError), .success):
          // No single step can detect these.
          try #require(error.reason == .overlappingObjects || error.reason == .expansionTooLarge)
        default: Issue.record("decodes at once, but not lazily: \(bytes)")
        }
      }
    }
    #expect(agreed > 0)
    #expect(refused > 0)
  }

  private func mutated(_ bytes: [UInt8], using g: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &g) where !bytes.isEmpty {
      let index = Int.random(in: 0..<bytes.count, using: &g)
      switch Int.random(in: 0...6, using: &g) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &g)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &g)
      case 2:
        bytes[index] =
          [0, 1, 0x7F, 0x80, 0xFF, 0xD1, 0xA2, 0x5F, 0x22, 0x3C, 0x7B, 0x5C].randomElement(
            using: &g) ?? 0
      case 3: bytes.remove(at: index)
      case 4: bytes.removeLast(bytes.count - index)
      case 5: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &g)], at: index)
      default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 12)], at: index)
      }
    }
    return bytes
  }
}

extension Value {
  /// The number of values and keys, including this value.
  fileprivate var nodeCount: Int {
    switch self {
    case .array(let items): items.reduce(1) { $0 + $1.nodeCount }
    case .dictionary(let members): members.reduce(1) { $0 + 1 + $1.value.nodeCount }
    default: 1
    }
  }
}

extension BinaryPropertyList.Node {
  /// Returns the value, read step by step, each member both by listing and by its key.
  fileprivate func walked() throws -> Value {
    switch kind {
    case .string: .string(try #require(try string))
    case .integer: .integer(try #require(try integer))
    case .real: .real(try #require(try real))
    case .boolean: .boolean(try #require(try boolean.map { [$0] }).contains(true))
    case .date: .date(try #require(try date))
    case .data: .data(try #require(try data))
    case .array: .array(try items.map { try $0.walked() })
    case .dictionary:
      .dictionary(
        Members(
          try members.map { key, node in
            let value = try node.walked()
            try #require(try self[key]?.kind == node.kind)
            return (key, value)
          }))
    }
  }
}
