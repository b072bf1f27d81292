import Diagnostics
import Foundation
import Testing
import YAML

@testable import ContentSource

/// The types of fields and their attributes; `docs/content.md`, "Datatypes".
@Suite struct FieldTypeTests {
  /// A valid value of each attribute that only some types have, for the types that `exceptions` does not
  /// name.
  private static let attributes = [
    "min": "1", "max": "2", "minLength": "1", "maxLength": "2", "pattern": "a", "values": "[b]",
    "to": "note", "of": "string", "fields": "{b: string}", "open": "true", "page": "true",
    "tables": "true", "strikethrough": "true", "placeholders": "off",
  ]

  /// Valid values of attributes for single types, such as `["duration": ["min": "1h"]]`.
  private static let exceptions: [String: [String: String]] = [:]

  @Test func documentsEachType() throws {
    let rows = try Self.rows(below: "| type | accepts | readers get |")
    #expect(rows.flatMap { Self.names(in: $0[0]) }.sorted() == Field.Kind.names.sorted())
  }

  @Test(arguments: Field.Kind.names) func readsEachType(name: String) throws {
    let field = try Self.read("{type: \(name)\(name == "choice" ? ", values: [b]" : "")}")
    #expect(field.problems == [] && field.type == name)
  }

  @Test(arguments: Field.Kind.names.filter { $0 != "choice" })
  func readsATypeAlone(name: String) throws {
    let field = try Self.read(name)
    #expect(field.problems == [] && field.type == name)
  }

  @Test func documentsTheTypesOfEachAttribute() throws {
    var documented: [String: [String]] = [:]
    for row in try Self.rows(below: "| attribute | for | |") where row[1] != "all" {
      for attribute in Self.names(in: row[0]) { documented[attribute] = Self.names(in: row[1]) }
    }
    #expect(documented.keys.sorted() == Self.attributes.keys.sorted())
    #expect(FieldReader.attributes.sorted() == Self.attributes.keys.sorted())
    for (attribute, value) in Self.attributes {
      let types = try Field.Kind.names.filter { type in
        let value = Self.exceptions[type]?[attribute] ?? value
        let required = type == "choice" && attribute != "values" ? ", values: [b]" : ""
        return try Self.read("{type: \(type), \(attribute): \(value)\(required)}").problems == []
      }
      #expect(types.sorted() == documented[attribute]?.sorted(), "\(attribute)")
    }
  }

  /// Reads one definition of a field; returns its messages and the name of its type.
  private static func read(_ definition: String) throws -> (problems: [String], type: String) {
    let tree = YAMLReader().read(Array("a: \(definition)\n".utf8), path: "a.yaml")
    let member = try #require(tree.output?.members.first)
    let read = FieldReader.read(member.value, name: "a", at: member.key)
    return ((tree.diagnostics + read.diagnostics).map(\.message), read.output.kind.name)
  }

  /// Returns the cells of a documented table, which its first line names.
  private static func rows(below heading: String) throws -> [[String]] {
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let page = try String(contentsOfFile: "\(root)/docs/content.md", encoding: .utf8)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == heading })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Returns the words in backquotes, each without a value after it.
  private static func names(in cell: String) -> [String] {
    cell.matches(of: /`(\w+)[^`]*`/).map { String($0.output.1) }
  }
}
