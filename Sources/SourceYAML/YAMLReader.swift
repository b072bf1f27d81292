package import Diagnostics

/// Reads YAML into a tree that remembers where each node was written.
///
/// One document per file, scalars by the core schema of YAML 1.2. Bytes are UTF-8, with or without
/// a byte-order mark.
package struct YAMLReader: Sendable {
  /// How much a key matters that stands twice in one mapping; if it is a warning, the last one
  /// counts.
  package var duplicateKeys: Diagnostic.Severity
  /// How many collections may stand inside each other, aliases followed.
  package var maximumDepth: Int
  /// How many nodes aliases may add, each aliased collection counted with all that it holds; 64
  /// bytes of text count as one more.
  package var maximumExpandedNodes: Int
  /// Whether files of the plainest forms are read without libyaml; the answers are the same.
  var takesShortcut = true
  /// Where the trees are to stand; each has memory of its own if nobody says.
  package var store: YAMLStore?

  package init(
    duplicateKeys: Diagnostic.Severity = .error, maximumDepth: Int = 64,
    maximumExpandedNodes: Int = 1_000_000
  ) {
    self.duplicateKeys = duplicateKeys
    self.maximumDepth = maximumDepth
    self.maximumExpandedNodes = maximumExpandedNodes
  }

  /// The tree of a file and all that is wrong with its YAML, in the order of the file.
  ///
  /// Without a tree the file could not be read to its end; with errors and a tree, later stages may
  /// still look at it for further mistakes.
  package func read(_ bytes: [UInt8], path: String) -> Diagnosed<YAMLNode?> {
    let checked = YAMLText.checked(bytes, path: path)
    guard let text = checked.output else { return Diagnosed(nil, checked.diagnostics) }
    let parsed = text.bytes.withUnsafeBufferPointer { parse(text, $0, path: path) }
    if parsed.diagnostics.isEmpty, checked.diagnostics.isEmpty { return parsed }
    return Diagnosed(parsed.output, (checked.diagnostics + parsed.diagnostics).inOrderOfPosition())
  }

  private func parse(
    _ text: YAMLText, _ bytes: UnsafeBufferPointer<UInt8>, path: String
  ) -> Diagnosed<YAMLNode?> {
    if takesShortcut, let node = YAMLShortcut.read(text, bytes, reader: self, path: path) {
      return Diagnosed(node)
    }
    var builder = YAMLBuilder(reader: self, text: text, bytes: bytes, path: path)
    var parser = YAMLEventParser(bytes)
    while !builder.isDone {
      guard parser.next({ builder.take($0) }) else {
        builder.stop(at: parser.problem)
        break
      }
    }
    return builder.finish()
  }
}

extension [Diagnostic] {
  /// By the start of their range, those of one place in the order in which they were found.
  fileprivate func inOrderOfPosition() -> [Diagnostic] {
    func start(_ diagnostic: Diagnostic) -> SourcePosition {
      diagnostic.location?.range?.start ?? SourcePosition(line: 0, column: 0)
    }
    return enumerated().sorted { (start($0.element), $0.offset) < (start($1.element), $1.offset) }
      .map(\.element)
  }
}
