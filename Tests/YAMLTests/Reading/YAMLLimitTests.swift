import Diagnostics
import TestInputs
import Testing

@testable import YAML

@Suite struct YAMLLimitTests {
  static let deep: [String] = [
    String(repeating: "[", count: 1 << 20), String(repeating: "{", count: 1 << 20),
    String(repeating: "[\n", count: 1 << 19), String(repeating: "- ", count: 1 << 19),
    String(repeating: "[", count: 10_000) + String(repeating: "x, ", count: 1 << 18),
    String(repeating: "{a: ", count: 10_000) + String(repeating: "x ", count: 1 << 18),
    (0..<1_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
  ]

  @Test(arguments: deep.indices)
  func stopsAtTheDepthLimit(index: Int) {
    let bytes = Array(Self.deep[index].utf8)
    let start = processorSeconds()
    let read = YAMLReader().read(bytes, path: "a")
    #expect(processorSeconds() - start < 1)
    #expect(read.output == nil)
    #expect(read.diagnostics.map(\.id).contains("nesting-too-deep"))
  }

  @Test(arguments: ["x: y\n- \n", "x: y\n- \nz: 1\n", "- \n  a: b\n x: y\n"])
  func reportsErrorsBesideAnEmptyItemWithASpace(text: String) {
    let read = YAMLReader().read(Array(text.utf8), path: "a")
    #expect(read.diagnostics.contains { $0.severity == .error })
  }

  @Test(arguments: [(64, []), (65, ["nesting-too-deep"])])
  func allowsTheDocumentedDepth(depth: Int, ids: [String]) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(YAMLReader().read(Array(text.utf8), path: "a").diagnostics.map(\.id) == ids)
  }

  @Test func countsTheDepthThatAliasesAdd() {
    let text = "a: &a [[1]]\nb: &b [*a]\nc: &c [*b]\nd: [*c]\n"
    func ids(_ depth: Int) -> [String] {
      YAMLReader(maximumDepth: depth).read(Array(text.utf8), path: "a").diagnostics.map(\.id)
    }
    #expect(ids(6).isEmpty)
    #expect(ids(5) == ["nesting-too-deep"])
  }

  @Test func refusesExponentialAliases() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...30 {
      text +=
        "a\(level): &a\(level) [\(Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", "))]\n"
    }
    #expect(
      YAMLReader().read(Array(text.utf8), path: "a").diagnostics.map(\.id) == ["alias-expansion"])
  }

  @Test func countsAliasedText() {
    let text =
      "a: &a \"\(String(repeating: "x", count: 100_000))\"\nb: [\(String(repeating: "*a, ", count: 1_000))]\n"
    #expect(
      YAMLReader().read(Array(text.utf8), path: "a").diagnostics.map(\.id) == ["alias-expansion"])
  }

  @Test func countsExpandedNodesExactly() {
    let text = "a: &a [1, 2]\nb: [*a, *a]\n"
    func ids(_ limit: Int) -> [String] {
      YAMLReader(maximumExpandedNodes: limit).read(Array(text.utf8), path: "a").diagnostics.map(
        \.id)
    }
    #expect(ids(6).isEmpty)
    #expect(ids(5) == ["alias-expansion"])
  }

  @Test func limitsErrorsOfABinaryFile() {
    let bytes = [UInt8](repeating: 0xFF, count: 100_000)
    let read = YAMLReader().read(bytes, path: "a")
    #expect(read.output == nil)
    #expect(read.diagnostics.count == 20)
  }
}
