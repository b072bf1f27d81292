import Foundation
import Synchronization
package import Testing

/// The files of the checkout from which the tests were built.
package enum CheckedOutFiles {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let recording = Mutex(())

  /// Returns the path of a file on this machine; `path` begins at the root of the repository.
  package static func path(_ path: String) -> String { root.appending(path: path).path }

  /// Returns the text of a file; `path` begins at the root of the repository.
  package static func text(_ path: String) throws -> String {
    // Foundation's reader of texts would drop a byte order mark.
    String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
  }

  /// Expects a file to have a text that the test derives; `path` begins at the root of the
  /// repository.
  ///
  /// `RECORD_GOLDEN=1` writes the text and fails, so that no run both records and passes.
  package static func expect(
    _ path: String, toBe derived: String,
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    try expect(path, sourceLocation: sourceLocation) { _ in derived }
  }

  /// Expects a file to have the text that a closure derives from the recorded text.
  ///
  /// The recorded text is empty if there is no file. Tests of different suites may record parts of
  /// one file at the same time.
  package static func expect(
    _ path: String, sourceLocation: Testing.SourceLocation = #_sourceLocation,
    deriving derive: (_ recorded: String) throws -> String
  ) throws {
    let name = Test.current?.name ?? ""
    #expect(
      name.hasPrefix("documents") || name.contains("Recorded"),
      "'make golden' finds tests that record by such names", sourceLocation: sourceLocation)
    try recording.withLock { _ in
      let recorded = (try? text(path)) ?? ""
      let derived = try derive(recorded)
      if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
        try derived.write(to: root.appending(path: path), atomically: true, encoding: .utf8)
        Issue.record("recorded \(path)", sourceLocation: sourceLocation)
      } else if !recorded.utf8.elementsEqual(derived.utf8) {
        let lines = recorded.components(separatedBy: "\n")
        let new = derived.components(separatedBy: "\n").filter { !lines.contains($0) }
        Issue.record(
          "\(path) is outdated; 'make golden' records \(new.prefix(5))",
          sourceLocation: sourceLocation)
      }
    }
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
