/// A place in a text file: line and column count from 1, columns in Unicode scalars.
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

/// A stretch of a text file, from a position up to, not including, another.
package struct SourceRange: Hashable, Sendable {
  package var start: SourcePosition
  package var end: SourcePosition

  package init(_ start: SourcePosition, _ end: SourcePosition) {
    self.start = start
    self.end = end
  }
}

/// A file, and where in it; without a range the whole file is meant.
package struct SourceLocation: Hashable, Sendable {
  /// The path as a person would type it, relative to where the command was given.
  package var path: String
  package var range: SourceRange?

  package init(path: String, range: SourceRange? = nil) {
    self.path = path
    self.range = range
  }

  /// The whole file.
  var file: SourceLocation { SourceLocation(path: path) }

  /// Compares bytes, as file systems do: the synthesized operator takes two spellings of `é` for
  /// one.
  package static func == (a: SourceLocation, b: SourceLocation) -> Bool {
    a.path == b.path && a.range == b.range
  }
}
