package import ContentModel

/// A place in a text file: a line and a column, counted from 1, columns in Unicode scalars.
package struct SourcePosition: Hashable, Comparable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A half-open range of positions in a text file.
package struct SourceRange: Hashable, Sendable {
  /// The first position in the range.
  package var start: SourcePosition
  /// The position after the range.
  package var end: SourcePosition

  package init(from start: SourcePosition, to end: SourcePosition) {
    self.start = start
    self.end = end
  }
}

/// A file and a range in it; without a range, the whole file.
package struct SourceLocation: Hashable, Sendable {
  /// The path as a user types it, relative to the working directory.
  package var path: ExactString
  package var range: SourceRange?

  package init(path: ExactString, range: SourceRange? = nil) {
    self.path = path
    self.range = range
  }

  package init(path: String, range: SourceRange? = nil) {
    self.init(path: ExactString(path), range: range)
  }

  /// The location of the whole file.
  var file: SourceLocation { SourceLocation(path: path) }
}
