import ContentModel
import TestInputs

@testable import YAML

/// Random edits of the scalars that a file has.
struct RandomEdits {
  /// A scalar that can be edited: its path, its form, and the bytes that an edit may change.
  struct Place {
    var path: [YAMLEdit.Step]
    var form: YAMLSyntax.Form
    /// From the start of the value to its end, in `YAMLSyntax.bytes`.
    var range: Range<Int>
  }

  private(set) var places: [Place] = []
  private let syntax: YAMLSyntax

  /// The scalars that no alias repeats and no tag restricts, below keys that occur once.
  init(_ syntax: YAMLSyntax) {
    self.syntax = syntax
    let repeated = Set(syntax.nodes.compactMap(\.target))
    if let root = syntax.root { add(root, path: [], repeated: repeated) }
  }

  private mutating func add(_ index: Int, path: [YAMLEdit.Step], repeated: Set<Int>) {
    let node = syntax.nodes[index]
    guard !repeated.contains(index), path.count < 60 else { return }
    if node.form.isSequence {
      for (position, child) in node.children.enumerated() {
        add(child, path: path + [.index(position)], repeated: repeated)
      }
    } else if node.form.isMapping {
      let pairs = stride(from: 0, to: node.children.count - 1, by: 2)
      let keys = pairs.map { ExactString(syntax.text(of: node.children[$0])) }
      let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
      for (key, index) in zip(keys, pairs) where counts[key] == 1 && key.text != "<<" {
        guard syntax.nodes[node.children[index]].form.isScalar else { continue }
        add(node.children[index + 1], path: path + [.key(key)], repeated: repeated)
      }
    } else if node.tag == nil, node.form != .alias, !node.outer.isEmpty {
      let bytes = syntax.bytes
      var end = node.inner.upperBound
      if !node.form.isBlockScalar { while end < bytes.count, bytes[end] != 0x0A { end += 1 } }
      places.append(Place(path: path, form: node.form, range: node.outer.lowerBound..<end))
    }
  }

  /// Returns up to `count` random places of each form.
  func some(_ count: Int, using random: inout SeededGenerator) -> [Place] {
    let forms: [YAMLSyntax.Form] = [.plain, .singleQuoted, .doubleQuoted, .literal, .folded]
    return forms.flatMap { form in
      places.filter { $0.form == form }.shuffled(using: &random).prefix(count)
    }
  }

  /// A text that is hard to write.
  static func text(using random: inout SeededGenerator) -> String {
    let whole = [
      "Neuer Text", "it's: \"x\" # y", "- 12", "Zeile eins\nZeile zwei", "x\n\n  y\n", "  x\n\ny",
      "ünï – %{count} 🌷", "", "yes", "a, [b] {c}: d", " lead", "trail ", "tab\there", "x\u{85}y",
      "\u{7}bell", "0x1F", "\n", "two\n\n", "# no comment", "a  b   c\nd", "\u{2028}", "\\", "!tag",
      "---", "...", "x\r\ny", "key: value\nother: value\n", "&a", "*b", "?", "? x", "@x", "`x",
      "\ttab", "x\n\ty\n", "x \ny \n", "long " + String(repeating: "word ", count: 40) + "end",
    ]
    if !random.once(in: 4) { return random.one(of: whole) }
    let pieces = [
      "a", "word", " ", "\n", "'", "\"", "\\", ": ", " #", "é", "\t", "-", "{", ",", "]",
    ]
    return (0..<Int.random(in: 1...8, using: &random)).map { _ in random.one(of: pieces) }.joined()
  }
}

extension [YAMLEdit.Step] {
  /// The path in messages.
  var shown: String {
    map { step in
      switch step {
      case .key(let key): "/" + key.text
      case .index(let index): "/\(index)"
      case .item(let id): "/#" + id.text
      }
    }.joined()
  }
}
