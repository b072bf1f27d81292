import Foundation

/// The examples in documentation: blocks of Swift in Markdown and in doc comments.
package struct DocumentedExamples {
  /// The examples: the file of each, and its lines without indentation.
  private let all: [(path: String, example: String)]

  package var count: Int { all.count }

  /// Finds the examples of a file, or of all sources and Markdown files of a folder; `path` begins
  /// at the root of the repository.
  package init(in path: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let place = root.appending(path: path)
    let files =
      path.hasSuffix(".md")
      ? [place]
      : try FileManager.default.subpathsOfDirectory(atPath: place.path).sorted()
        .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.map { place.appending(path: $0) }
    all = try files.flatMap { file in
      try Self.examples(in: String(contentsOf: file, encoding: .utf8))
        .map { (path: file.path, example: $0) }
    }
  }

  /// Returns the examples that none of some source files contains.
  package func missing(from files: String...) throws -> [String] {
    let lines = try files.map { file in
      Self.lines(of: try String(contentsOfFile: file, encoding: .utf8)).joined(separator: "\n")
    }.joined(separator: "\n")
    return all.filter { !lines.contains($0.example) }.map { "\($0.path):\n\($0.example)" }
  }

  private static func examples(in text: String) -> [String] {
    var (examples, example): ([String], [String]?) = ([], nil)
    for line in text.split(separator: "\n") {
      let line = line.replacing(/^ *\/\/\/ ?/, with: "").trimmingCharacters(in: .whitespaces)
      switch (line, example) {
      case ("```swift", nil): example = []
      case ("```", let found?):
        examples.append(lines(of: found.joined(separator: "\n")).joined(separator: "\n"))
        example = nil
      case (_, let found?): example = found + [line]
      default: break
      }
    }
    return examples
  }

  /// Returns the lines that are not empty, without indentation.
  private static func lines(of text: String) -> [String] {
    // A line of an example may itself be a documentation comment.
    text.split(separator: "\n").map {
      $0.replacing(/^ *\/\/\/ ?/, with: "").trimmingCharacters(in: .whitespaces)
    }.filter { !$0.isEmpty }
  }
}
