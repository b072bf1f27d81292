import ContentModel
import Testing

@testable import YAML

/// One row of a table: a file, its edits, and the file after them.
struct EditCase: CustomTestStringConvertible, Sendable {
  var name: String
  var before: String
  /// Paths as `a/b/[0]/#id/c`, and the new texts.
  var edits: [(path: String, text: String)]
  var after: String

  init(_ name: String, before: String, edits: (path: String, text: String)..., after: String) {
    (self.name, self.before, self.edits, self.after) = (name, before, edits, after)
  }

  var testDescription: String { name }

  /// Applies the edits to the file.
  func check(_ location: SourceLocation = #_sourceLocation) {
    let edits = edits.map { YAMLEdit(YAMLEdit.steps($0.path), text: $0.text) }
    do {
      let result = try YAMLFile(Array(before.utf8), path: "a.yaml").applying(edits)
      #expect(
        result == Array(after.utf8), "\(name): \(String(decoding: result, as: UTF8.self))",
        sourceLocation: location)
    } catch {
      Issue.record("\(name): \(error.problems)", sourceLocation: location)
    }
  }
}

extension YAMLEdit {
  /// The steps of a path such as `a/b/[0]/#id/c`.
  static func steps(_ path: String) -> [Step] {
    path.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init).map { part in
      if part.hasPrefix("#") { return .item(withID: String(part.dropFirst())) }
      if part.hasPrefix("["), let index = Int(part.dropFirst().dropLast()) { return .index(index) }
      return .member(String(part))
    }
  }
}
