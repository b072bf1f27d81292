import ContentModel
import Testing
import Translations

/// The text before and after a unit's id, in the first line of the unit in an exported file.
struct UnitMarks: Sendable {
  let before: String
  let after: String
  /// The text behind the last unit; `nil` for the end of the file.
  var end: String?
  /// `true` if all categories of a plural have one key.
  var joinsPlurals = false

  private static let all: [String: UnitMarks] = [
    "xliff": UnitMarks(before: "      <trans-unit id=\"", after: "\"", end: "    </body>"),
    "xcstrings": UnitMarks(
      before: "    \"", after: "\" : {", end: "\n  },\n  \"version\"", joinsPlurals: true),
    "csv": UnitMarks(before: "\"", after: "\""),
  ]

  static func of(_ format: TranslationFormat) throws -> UnitMarks {
    try #require(all[format.name], "the format '\(format)' needs its marks")
  }

  /// Returns the beginning of the first line of a unit.
  func line(of id: ExactString) -> String { before + key(of: id) + after }

  /// Returns the key of the unit that begins with a line; `nil` for any other line.
  func key(in line: String) -> String? {
    guard line.utf8.starts(with: before.utf8) else { return nil }
    let rest = line.dropFirst(before.count)
    let key = rest.prefix { $0 != "\"" }
    return key.contains("#") ? String(key) : nil
  }

  func key(of id: ExactString) -> String {
    joinsPlurals ? String(id.text.prefix { $0 != "[" }) : id.text
  }
}
