import Foundation
package import Testing

/// The files of the checkout from which the tests were built.
package enum CheckedOutFiles {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the text of a file; `path` begins at the root of the repository.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Replaces the text of a file, for tests that record what they derive.
  static func write(_ text: String, to path: String) throws {
    try text.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
  }

  /// Expects a file to have a text that the program derives; `path` begins at the root of the
  /// repository.
  ///
  /// `RECORD_GOLDEN=1` writes the text and fails, so that no run both records and passes.
  package static func expect(
    _ path: String, toBe derived: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    guard ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil else {
      #expect(
        try text(path) == derived, "\(path) is outdated; record it with RECORD_GOLDEN=1",
        sourceLocation: sourceLocation)
      return
    }
    try write(derived, to: path)
    Issue.record("recorded \(path)", sourceLocation: sourceLocation)
  }

  /// Returns the Swift files in a folder and below it, with their names.
  package static func swiftFiles(below path: String) throws -> [(name: String, text: String)] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: path).path)
    return try paths.sorted().filter { $0.hasSuffix(".swift") }.map { file in
      let name = file.split(separator: "/").last.map(String.init) ?? file
      return (name: name, text: try text("\(path)/\(file)"))
    }
  }
}
