package import Diagnostics

/// The nodes of a file as they are written: with aliases, anchors, merge keys and duplicate keys,
/// which the tree of `YAMLReader` has replaced by their meaning.
///
/// Offsets count in `bytes`.
package struct YAMLSyntax: Sendable {
  /// The notation of a node.
  package enum Form: UInt8, Sendable {
    case plain
    case singleQuoted
    case doubleQuoted
    case literal
    case folded
    case alias
    case blockMapping
    case flowMapping
    case blockSequence
    case flowSequence

    package var isMapping: Bool { self == .blockMapping || self == .flowMapping }
    package var isSequence: Bool { self == .blockSequence || self == .flowSequence }
    package var isFlow: Bool { self == .flowMapping || self == .flowSequence }
    package var isBlockScalar: Bool { self == .literal || self == .folded }
    package var isScalar: Bool { rawValue <= Form.folded.rawValue }
  }

  /// One node.
  package struct Node: Sendable {
    package var form: Form
    /// The bytes of the node with its anchor and tag.
    package var outer: Range<Int>
    /// The bytes of the node; those of a block scalar include the line break and the blank lines
    /// after it.
    package var inner: Range<Int>
    /// The name after `&`, or after the `*` of an alias.
    package var anchor: String?
    /// The URI of the tag, or `!`.
    package var tag: String?
    /// The index of the collection that the node is in; `nil` for the root.
    package var parent: Int?
    /// A Boolean value that indicates whether a flow collection contains the node.
    package var isInFlow = false
    /// The indices of the items, or of each key and its value in turn.
    package var children: [Int] = []
    /// The index of the node that an alias repeats; `nil` for an undefined alias.
    package var target: Int?
    /// The place of a scalar's decoded text in `texts`.
    var text: Range<Int> = 0..<0
  }

  /// The text of the file without a byte-order mark, and with stand-ins for U+0085, U+2028 and
  /// U+2029.
  package let bytes: [UInt8]
  /// The nodes in the order in which they begin.
  package internal(set) var nodes: [Node] = []
  /// The index of the outermost node; `nil` if the file has none.
  package var root: Int? { nodes.isEmpty ? nil : 0 }
  var texts: [UInt8] = []
  private let path: String
  private let standIns: YAMLStandIns
  private let hasMark: Bool
  private let endsWithAddedLineFeed: Bool

  /// The nodes of a file; `nil` if it is no UTF-8 text, or libyaml cannot read it to its end.
  package init?(of file: [UInt8], path: String) {
    guard let text = YAMLText.checked(file, path: path).output else { return nil }
    self.path = path
    bytes = text.bytes
    standIns = text.standIns
    endsWithAddedLineFeed = text.endsWithAddedLineFeed
    hasMark = file.starts(with: Self.mark)
    guard text.bytes.withUnsafeBufferPointer({ read(text, bytes: $0) }) else { return nil }
    if !standIns.isEmpty { restoreTexts() }
  }

  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The decoded text of a scalar, or of an alias's target; empty for collections.
  package func text(of index: Int) -> String {
    let node = nodes[index]
    let text = node.form == .alias ? node.target.map { nodes[$0].text } ?? 0..<0 : node.text
    return String(decoding: texts[text], as: UTF8.self)
  }

  /// Returns the bytes of a file whose `bytes` are the edited ones.
  package func file(of edited: [UInt8]) -> [UInt8] {
    var edited = edited[...]
    if endsWithAddedLineFeed, edited.last == 0x0A { edited.removeLast() }
    let text = standIns.isEmpty ? Array(edited) : standIns.originals(in: edited)
    return hasMark ? Self.mark + text : text
  }

  /// Returns the locations of nodes, for which the lines of the file are counted once.
  package func locations(of indices: [Int]) -> [SourceLocation] {
    bytes.withUnsafeBufferPointer { bytes in
      let lines = YAMLLines(bytes)
      return indices.map { index in
        let range = nodes[index].inner
        return SourceLocation(
          path: path,
          range: SourceRange(
            from: lines.mark(at: range.lowerBound, in: bytes).position,
            to: lines.mark(at: range.upperBound, in: bytes).position))
      }
    }
  }

  private mutating func restoreTexts() {
    let stored = texts
    texts = []
    for index in nodes.indices where nodes[index].form.isScalar {
      let start = texts.count
      texts += standIns.originals(in: stored[nodes[index].text])
      nodes[index].text = start..<texts.count
    }
  }
}
