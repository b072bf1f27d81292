import Foundation
package import Testing

/// A table of a document whose rows tests derive from the program.
package struct DerivedTable {
  private let heading: String
  private let lines: [String]

  package init(_ heading: [String], _ rows: [[String]]) {
    self.heading = Self.line(heading)
    lines = rows.map(Self.line)
  }

  /// Expects the table in a document; `path` begins at the root of the repository.
  ///
  /// The document must have the heading of the table once. With a `prefix`, only the rows that
  /// begin with this text are compared, and they must be adjacent; the document may have other rows
  /// around them.
  package func expect(
    in path: String, rowsBeginning prefix: String = "",
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    try CheckedOutFiles.expect(path, sourceLocation: sourceLocation) { recorded in
      var page = recorded.components(separatedBy: "\n")
      let headings = page.indices.filter { page[$0] == heading }
      try #require(headings.count == 1, "\(path): \(heading)", sourceLocation: sourceLocation)
      let rows = page[(headings[0] + 2)...].prefix { $0.hasPrefix("|") }
      let own = rows.indices.filter { rows[$0].hasPrefix("| \(prefix)") }
      let range = (own.first ?? rows.startIndex)..<((own.last ?? rows.startIndex - 1) + 1)
      page.replaceSubrange(range, with: lines)
      return page.joined(separator: "\n")
    }
  }

  private static func line(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}
