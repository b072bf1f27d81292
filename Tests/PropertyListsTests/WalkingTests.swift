import ContentModel
import TestInputs
import Testing

@testable import PropertyLists

@Suite struct WalkingTests {
  private func root(_ value: Value) throws -> BinaryPropertyList.Node {
    try BinaryPropertyList(PropertyList.encode(value, as: .binary)).root
  }

  @Test func equalValuesOfDifferentFilesHaveTheSameBytes() throws {
    let entry: Value = ["flag": true, "list": [1, 2.5, ["é": "花"]], "title": "Rose"]
    let a = try root(["a": "before", "entry": entry])
    let b = try root(["entry": entry, "z": "after", "zz": .array(Array(repeating: 7, count: 300))])
    #expect(try #require(a["entry"]).hasSameBytes(as: try #require(b["entry"])))
    #expect(!a.hasSameBytes(as: b))
  }

  @Test(
    arguments: [
      ["a": true], ["a": false], ["a": 1], ["a": 1.0], ["a": "1"], ["b": true], ["a": [true]],
      ["a": [:]], ["a": []], ["a": "é"], ["a": true, "b": true], [:],
    ] as [Value])
  func differentValuesHaveDifferentBytes(value: Value) throws {
    let others: [Value] = [["a": true, "c": 2], ["a": ["a": 1]], ["a": 2], ["a": .data([1])]]
    for other in others { #expect(try !root(value).hasSameBytes(as: root(other))) }
    #expect(try root(value).hasSameBytes(as: root(value)))
  }

  @Test func randomValuesWithTheSameBytesAreEqual() throws {
    var generator = SeededGenerator(seed: 16)
    let values = (0..<200).map { _ in Value.random(carriedBy: .binary, using: &generator) }
    for (a, b) in zip(values, values.dropFirst()) {
      #expect(try root(a).hasSameBytes(as: root(a)))
      #expect(try root(a).hasSameBytes(as: root(b)) == (a == b))
    }
  }

  @Test func findsKeysAtAnyDepth() throws {
    let node = try root(["items": [1, ["deep": ["when": 1]]], "title": "until"])
    #expect(node.mayHaveKey(in: ["from", "when"]))
    #expect(node.mayHaveKey(in: ["title"]))
    #expect(!node.mayHaveKey(in: ["until", "whe", "whens", ""]))
    #expect(try !#require(node["title"]).mayHaveKey(in: ["title"]))
  }

  @Test func anyKeyMayBeInAMalformedFile() throws {
    let cycle = try BinaryPropertyList(binary([[0xA1, 0x00]])).root
    #expect(cycle.mayHaveKey(in: ["a"]))
    #expect(!cycle.hasSameBytes(as: cycle))
    let utf16 = try BinaryPropertyList(binary([[0xD1, 1, 1], [0x61, 0, 97]])).root
    #expect(utf16.mayHaveKey(in: ["a"]))
    let outside = try BinaryPropertyList(binary([[0xD1, 9, 1], [0x51, 0x61]])).root
    #expect(outside.mayHaveKey(in: ["b"]))
    #expect(!outside.hasSameBytes(as: outside))
  }

  /// Lists in lists of which each has the next one twice.
  @Test func unfoldsNoSharedContainersForLong() throws {
    let levels = 64
    let lists = (1...levels).map { [0xA2, UInt8($0), UInt8($0)] }
    let node = try BinaryPropertyList(binary(lists + [[0x10, 1]])).root
    #expect(!node.hasSameBytes(as: node))
    #expect(node.mayHaveKey(in: ["a"]))
  }
}
