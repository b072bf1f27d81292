import Diagnostics
import TestInputs
import Testing

@testable import YAML

@Suite struct YAMLPropertyTests {
  @Test(arguments: 0..<150 as Range<UInt64>)
  func readsEveryWrittenTree(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let tree = Tree.random(depth: 4, using: &random)
    for text in [tree.flow(using: &random) + "\n", "---" + tree.block(indent: 0, using: &random)] {
      let read = YAMLReader().read(Array(text.utf8), path: "a")
      #expect(read.diagnostics.isEmpty, "\(text) \(read.diagnostics.map(\.message))")
      #expect(Tree(try #require(read.output)) == tree, "\(text)")
    }
  }

  @Test(arguments: 0..<400 as Range<UInt64>)
  func survivesDamage(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let tree = Tree.random(depth: 4, using: &random)
    var bytes = Array("x: &a [1]\ny: *a\nz: !!str 1\n<<: {b: 1}\nw:".utf8)
    bytes += Array(tree.block(indent: 0, using: &random).utf8)
    for _ in 0..<Int.random(in: 1...8, using: &random) { damage(&bytes, using: &random) }
    let read = YAMLReader().read(bytes, path: "a")
    #expect(read.output != nil || read.diagnostics.contains { $0.severity == .error })
    for diagnostic in read.diagnostics {
      guard let range = diagnostic.location?.range else { continue }
      #expect(range.start <= range.end && range.start.line >= 1 && range.start.column >= 1)
    }
    if let root = read.output { _ = Tree(root) }
  }

  private func damage(_ bytes: inout [UInt8], using random: inout SeededGenerator) {
    let marks = Array("[]{},:-?&*!|>'\"%@`#\n\r\t \\~<0\u{0}é\u{2028}".utf8)
    let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.insert(marks.randomElement(using: &random) ?? 0, at: place)
    case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2: bytes.remove(at: place)
    default: bytes += bytes[place...].prefix(40)
    }
    if bytes.isEmpty { bytes = [0x5B] }
  }
}

/// The content of a random file, independent of its notation.
private indirect enum Tree: Equatable {
  case text([UInt8])
  case list([Tree])
  case mapping([Member])

  struct Member: Equatable {
    var key: [UInt8]
    var value: Tree
  }

  init(_ node: YAMLNode) {
    switch node.kind {
    case .scalar: self = .text(Array(node.text.utf8))
    case .sequence: self = .list(node.items.map(Tree.init))
    case .mapping:
      self = .mapping(
        node.members.map { Member(key: Array($0.key.text.utf8), value: Tree($0.value)) })
    }
  }

  static func random(depth: Int, using random: inout SeededGenerator) -> Tree {
    let count = Int.random(in: 0...4, using: &random)
    switch depth == 0 ? 0 : Int.random(in: 0..<3, using: &random) {
    case 0: return .text(randomText(using: &random))
    case 1: return .list((0..<count).map { _ in Tree.random(depth: depth - 1, using: &random) })
    default:
      let members = (0..<count).map { number in
        let key = Array("k\(number)".utf8) + randomText(using: &random)
        return Member(key: key, value: Tree.random(depth: depth - 1, using: &random))
      }
      return .mapping(members)
    }
  }

  private static func randomText(using random: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "a", "word", " ", "  ", "\n", "'", "\"", "\\", ": ", " #", "é", "e\u{301}", "\u{1F337}",
      "\u{2028}", "\t", "-",
      "{", "\0",
    ]
    return (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in
      (pieces.randomElement(using: &random) ?? "").utf8
    }
  }

  func flow(using random: inout SeededGenerator) -> String {
    switch self {
    case .text(let text): return Self.quoted(text, using: &random)
    case .list(let items):
      return "[" + items.map { $0.flow(using: &random) }.joined(separator: ", ") + "]"
    case .mapping(let members):
      let shown = members.map {
        Self.quoted($0.key, using: &random) + ": " + $0.value.flow(using: &random)
      }
      return "{" + shown.joined(separator: ",\n  ") + "}"
    }
  }

  /// Returns the text that follows `key:` or `-`, including the end of the last line.
  func block(indent: Int, using random: inout SeededGenerator) -> String {
    let margin = String(repeating: " ", count: indent)
    switch self {
    case .text(let text):
      guard let literal = Self.literal(text, margin: indent == 0 ? "  " : margin) else { break }
      return " |2+\n" + literal
    case .list(let items) where !items.isEmpty:
      return "\n"
        + items.map { margin + "-" + $0.block(indent: indent + 2, using: &random) }.joined()
    case .mapping(let members) where !members.isEmpty:
      let shown = members.map {
        margin + Self.quoted($0.key, using: &random) + ":"
          + $0.value.block(indent: indent + 2, using: &random)
      }
      return "\n" + shown.joined()
    default: break
    }
    return " " + flow(using: &random) + "\n"
  }

  private static func literal(_ text: [UInt8], margin: String) -> String? {
    guard text.last == 0x0A, !text.contains(0) else { return nil }
    let lines = text.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.map { ($0.isEmpty ? "" : margin) + String(decoding: $0, as: UTF8.self) + "\n" }
      .joined()
  }

  private static func quoted(_ text: [UInt8], using random: inout SeededGenerator) -> String {
    let string = String(decoding: text, as: UTF8.self)
    if !text.contains(0x0A), !text.contains(0), Bool.random(using: &random) {
      return "'" + string.replacing("'", with: "''") + "'"
    }
    let escapes: [Unicode.Scalar: String] = [
      "\n": "\\n", "\"": "\\\"", "\\": "\\\\", "\0": "\\0", "\t": "\\t", "\u{2028}": "\\L",
    ]
    return "\"" + string.unicodeScalars.map { escapes[$0] ?? String(Character($0)) }.joined() + "\""
  }
}
