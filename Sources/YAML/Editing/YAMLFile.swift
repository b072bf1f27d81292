import Diagnostics

/// A YAML file whose values can be changed without touching any other byte.
package struct YAMLFile: Sendable {
  /// The bytes of the file.
  package let bytes: [UInt8]
  /// The path, as messages name it.
  package let path: String
  /// The rules by which the file is read; a duplicate key that they allow must not be edited.
  package let reader: YAMLReader

  package init(_ bytes: [UInt8], path: String, reader: YAMLReader = YAMLReader()) {
    (self.bytes, self.path, self.reader) = (bytes, path, reader)
  }

  /// Returns the bytes with all edits.
  ///
  /// An edit to the text that a value already has changes nothing. The result is read again and
  /// compared: except for the edits, it means the same as the file.
  ///
  /// - Throws: One problem per edit that cannot be made; then no edit is made.
  package func applying(_ edits: [YAMLEdit]) throws(YAMLEditFailure) -> [UInt8] {
    guard !edits.isEmpty else { return bytes }
    let old = try readOld()
    let tree = EditTree(edits, old: old, maximumDepth: reader.maximumDepth)
    guard let syntax = YAMLSyntax(of: bytes, path: path) else { throw changesOtherValues }
    try check(tree, syntax: syntax)
    guard tree.nodes[0].isChange else { return bytes }
    let layout = Layout(syntax)
    // A parser may read an unusual text otherwise than expected; double quotes are always safe.
    for quotesAll in [false, true] {
      var editor = Editor(layout, tree: tree, quotesAll: quotesAll)
      editor.run()
      try check(editor, syntax: syntax)
      guard let edited = editor.result() else { continue }
      let file = syntax.file(of: edited)
      let read = reader.read(file, path: path)
      if !read.diagnostics.contains(where: { $0.severity == .error }),
        Verification(tree: tree).holds(for: read.output)
      {
        return file
      }
    }
    throw changesOtherValues
  }

  private var changesOtherValues: YAMLEditFailure {
    YAMLEditFailure(problems: [
      YAMLEditProblem(
        edit: nil, reason: .changesOtherValues, location: SourceLocation(path: path))
    ])
  }

  /// The outermost value; `nil` for an empty file or document.
  private func readOld() throws(YAMLEditFailure) -> YAMLNode? {
    let read = reader.read(bytes, path: path)
    let errors = read.diagnostics.filter { $0.severity == .error }
    if errors.count == 1, errors[0].rule == .emptyDocument { return nil }
    guard errors.isEmpty, let node = read.output else {
      throw YAMLEditFailure(problems: [
        YAMLEditProblem(
          edit: nil, reason: .invalidFile(errors),
          location: errors.first?.location ?? SourceLocation(path: path))
      ])
    }
    return node
  }

  private func check(_ tree: EditTree, syntax: YAMLSyntax) throws(YAMLEditFailure) {
    var problems: [YAMLEditProblem] = []
    for problem in tree.problems {
      problems.append(
        YAMLEditProblem(
          edit: problem.edit, reason: problem.reason,
          location: location(of: problem.node, in: tree)))
    }
    try fail(problems)
  }

  private func check(_ editor: Editor, syntax: YAMLSyntax) throws(YAMLEditFailure) {
    var problems: [YAMLEditProblem] = []
    guard !editor.problems.isEmpty else { return }
    var places = syntax.locations(of: editor.problems.compactMap(\.place))[...]
    for problem in editor.problems {
      let place = problem.place.flatMap { _ in places.popFirst() }
      for edit in editor.tree.editsAt(problem.node) {
        problems.append(
          YAMLEditProblem(
            edit: edit, reason: problem.reason,
            location: place ?? location(of: problem.node, in: editor.tree)))
      }
    }
    try fail(problems)
  }

  private func fail(_ problems: [YAMLEditProblem]) throws(YAMLEditFailure) {
    guard !problems.isEmpty else { return }
    throw YAMLEditFailure(problems: problems.sorted { ($0.edit ?? -1) < ($1.edit ?? -1) })
  }

  /// The value of a node of the tree, or of the nearest above that exists.
  private func location(of node: Int?, in tree: EditTree) -> SourceLocation {
    var node = node
    while let next = node {
      if let old = tree.nodes[next].old { return old.location }
      node = tree.nodes[next].parent
    }
    return SourceLocation(path: path)
  }
}
