import Foundation
package import Testing

/// A table of a document whose rows tests derive from the program.
///
/// `RECORD_GOLDEN=1` writes the table and fails, so that no run both records and passes.
package struct DerivedTable {
  private let heading: String
  private let lines: [String]

  package init(_ heading: [String], _ rows: [[String]]) {
    self.heading = Self.line(heading)
    lines = rows.map(Self.line)
  }

  /// Expects the table in a document, which has it once; `path` begins at the root of the
  /// repository.
  package func expect(
    in path: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    var page = try CheckedOutFiles.text(path).components(separatedBy: "\n")
    let places = page.indices.filter { page[$0] == heading }
    try #require(places.count == 1, "\(path): \(heading)", sourceLocation: sourceLocation)
    let start = places[0] + 2
    let written = Array(page[start...].prefix { $0.hasPrefix("|") })
    guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil else {
      #expect(
        written == lines, "\(path) is outdated; record it with RECORD_GOLDEN=1",
        sourceLocation: sourceLocation)
      return
    }
    page.replaceSubrange(start..<start + written.count, with: lines)
    try CheckedOutFiles.write(page.joined(separator: "\n"), to: path)
    Issue.record("recorded \(path)", sourceLocation: sourceLocation)
  }

  private static func line(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}
