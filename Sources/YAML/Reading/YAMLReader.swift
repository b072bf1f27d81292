package import Diagnostics

/// Reads YAML into a tree that remembers where each node was written.
///
/// One document per file, scalars by the core schema of YAML 1.2. Bytes are UTF-8, with or without
/// a byte-order mark.
package struct YAMLReader: Sendable {
  /// The severity of a duplicate key; if it is a warning, the last value counts.
  package var duplicateKeys: Diagnostic.Severity
  /// The maximum depth of collections, with aliases followed.
  package var maximumDepth: Int
  /// The maximum number of nodes that aliases add.
  ///
  /// Each aliased collection counts with all its nodes; 64 bytes of text count as one node.
  package var maximumExpandedNodes: Int
  /// A Boolean value that indicates whether files of the plainest forms are read without libyaml;
  /// the results are equal.
  var takesShortcut = true
  /// The memory of the trees; by default, each tree has its own.
  package var store: YAMLStore?

  package init(
    duplicateKeys: Diagnostic.Severity = .error, maximumDepth: Int = 64,
    maximumExpandedNodes: Int = 1_000_000
  ) {
    self.duplicateKeys = duplicateKeys
    self.maximumDepth = maximumDepth
    self.maximumExpandedNodes = maximumExpandedNodes
  }

  /// Returns the tree of a file, and the problems of its YAML in the order of the file.
  ///
  /// There is no tree if the file could not be read to its end. A tree with errors can still be
  /// checked for further errors.
  package func read(_ bytes: [UInt8], path: String) -> Diagnosed<YAMLNode?> {
    let checked = YAMLText.checked(bytes, path: path)
    guard let text = checked.output else { return Diagnosed(nil, diagnostics: checked.diagnostics) }
    let parsed = text.bytes.withUnsafeBufferPointer { parse(text, bytes: $0, path: path) }
    if parsed.diagnostics.isEmpty, checked.diagnostics.isEmpty { return parsed }
    return Diagnosed(
      parsed.output, diagnostics: (checked.diagnostics + parsed.diagnostics).inOrderOfPosition())
  }

  private func parse(
    _ text: YAMLText, bytes: UnsafeBufferPointer<UInt8>, path: String
  ) -> Diagnosed<YAMLNode?> {
    if takesShortcut, let node = YAMLShortcut.read(text, bytes: bytes, reader: self, path: path) {
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
  /// Sorts the diagnostics by the start of their range.
  ///
  /// Diagnostics with the same start keep their order.
  fileprivate func inOrderOfPosition() -> [Diagnostic] {
    func start(_ diagnostic: Diagnostic) -> SourcePosition {
      diagnostic.location?.range?.start ?? SourcePosition(line: 0, column: 0)
    }
    return enumerated().sorted { (start($0.element), $0.offset) < (start($1.element), $1.offset) }
      .map(\.element)
  }
}
